import { createOwnChanges, NOTHING_BY_ITSELF } from '../pipeline/verify/own-changes.js';
import type { OwnChanges } from '../pipeline/verify/own-changes.js';
import { rememberingDesktop } from '../pipeline/verify/change-history.js';
import type { DesktopBackend } from '../../native/desktop.js';
import type { OpenedDesktop } from '../../native/open.js';
import type { createClosers } from './closers.js';
import { tellingInput } from './injection-events.js';

/** The desktop as the host uses it: it tells of what it injects, and what is seen of it is remembered. */
export function watchOwnChanges(
  opened: Pick<OpenedDesktop, 'desktop' | 'name'>,
  injected: () => void,
  closers: ReturnType<typeof createClosers>,
): { desktop: DesktopBackend; ownChanges: OwnChanges } {
  const telling = tellingInput(opened.desktop, injected);
  // What is simulated does nothing by itself.
  if (opened.name === 'simulated') return { desktop: telling, ownChanges: NOTHING_BY_ITSELF };
  const ownChanges = createOwnChanges(() => performance.now());
  const { desktop, close } = rememberingDesktop(telling, ownChanges);
  closers.add(close);
  return { desktop, ownChanges };
}
