import { createOwnChanges, NO_OWN_CHANGES, type OwnChanges } from '../pipeline/verify/own-changes.js';
import { withSecretFields } from '../pipeline/secret-fields.js';
import { withChangeHistory } from '../pipeline/verify/change-history.js';
import type { DesktopBackend } from '../../native/desktop.js';
import type { OpenedDesktop } from '../../native/open.js';
import type { createClosers } from './closers.js';
import { withInjectionEvents } from './injection-events.js';

/** Wraps the desktop for the host: masks what was secret, reports injected input, and records what applications change by themselves. */
export function watchOwnChanges(
  opened: Pick<OpenedDesktop, 'desktop' | 'name'>,
  injected: () => void,
  closers: ReturnType<typeof createClosers>,
): { desktop: DesktopBackend; ownChanges: OwnChanges } {
  const secrets = withSecretFields(opened.desktop);
  closers.add(secrets.close);
  const reporting = withInjectionEvents(secrets.desktop, injected);
  // Simulated applications change nothing by themselves.
  if (opened.name === 'simulated') return { desktop: reporting, ownChanges: NO_OWN_CHANGES };
  const ownChanges = createOwnChanges(() => performance.now());
  const { desktop, close } = withChangeHistory(reporting, ownChanges);
  closers.add(close);
  return { desktop, ownChanges };
}
