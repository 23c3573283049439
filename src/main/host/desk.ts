/** A desktop with what belongs to it alone: the queue of acts, what is held down, and what its applications change by themselves. */
import type { DesktopBackend, DesktopInput, HeldInput, InputGuard } from '../../native/desktop.js';
import type { OpenedDesktop } from '../../native/open.js';
import type { Agents } from '../agents/index.js';
import type { Executions } from '../pipeline/executions.js';
import { createHolds, type Holds } from '../pipeline/holds.js';
import { createLocks, type Locks } from '../pipeline/locks.js';
import { withSecretFields } from '../pipeline/secret-fields.js';
import { withChangeHistory } from '../pipeline/verify/change-history.js';
import { createOwnChanges, NO_OWN_CHANGES, type OwnChanges } from '../pipeline/verify/own-changes.js';
import type { createClosers } from './closers.js';
import type { HostOptions } from './options.js';

export interface Desk {
  desktop: DesktopBackend;
  ownChanges: OwnChanges;
  lane: Locks;
  holds: Holds;
}

interface DeskParts {
  opened: Pick<OpenedDesktop, 'desktop' | 'name'>;
  executions: Executions;
  agents: Pick<Agents, 'has'>;
  /** Called right before and after input is injected. */
  injected(): void;
}

export function createDesk(
  { options: { holdMs }, log }: { options: Pick<HostOptions, 'holdMs'>; log(thrown: unknown): void },
  { opened, executions, agents, injected }: DeskParts,
  closers: ReturnType<typeof createClosers>,
): Desk {
  const lane = createLocks(log);
  const { desktop, ownChanges } = watchOwnChanges(opened, injected, closers);
  const limit = holdMs === undefined ? {} : { maxHoldMs: holdMs };
  const holds = createHolds({ lane, desktop, executions, isPresent: agents.has, ...limit });
  return { desktop, ownChanges, lane, holds };
}

/** Wraps the desktop for the host: masks what was secret, reports injected input, and records what applications change by themselves. */
function watchOwnChanges(
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

/**
 * Wraps the desktop and reports all injected input right before and after it, including the release of keys and buttons when a
 * call, a hold or an agent ends.
 */
export function withInjectionEvents(desktop: DesktopBackend, injected: () => void): DesktopBackend {
  const held = new Set<string>();

  async function around<R>(act: () => Promise<R>): Promise<R> {
    injected();
    try {
      return await act();
    } finally {
      injected();
    }
  }
  const reporting =
    (guard: InputGuard): InputGuard =>
    async () => {
      await guard();
      injected();
    };

  const wrapped: Pick<DesktopBackend, keyof DesktopInput | 'movePointer' | 'releaseAll'> = {
    movePointer: (to, signal) => around(() => desktop.movePointer(to, signal)),
    async button(button, isDown, guard, signal) {
      if (isDown) held.add(`button ${button}`);
      await around(() => desktop.button(button, isDown, reporting(guard), signal));
      if (!isDown) held.delete(`button ${button}`);
    },
    async key(key, isDown, guard, signal) {
      if (isDown) held.add(`key ${key}`);
      await around(() => desktop.key(key, isDown, reporting(guard), signal));
      if (!isDown) held.delete(`key ${key}`);
    },
    scroll: (delta, guard, signal) => around(() => desktop.scroll(delta, reporting(guard), signal)),
    typeText: (text, guard, signal) => around(() => desktop.typeText(text, reporting(guard), signal)),
    paste: (text, pid, guard, signal) => around(() => desktop.paste(text, pid, reporting(guard), signal)),
    dropFiles: (paths, id, guard, signal) => around(() => desktop.dropFiles(paths, id, reporting(guard), signal)),
    async releaseAll(keep) {
      const released = [...held].filter((name) => !namesOf(keep).has(name));
      if (released.length === 0) return desktop.releaseAll(keep);
      await around(() => desktop.releaseAll(keep));
      for (const name of released) held.delete(name);
    },
  };
  return { ...desktop, ...wrapped };
}

const namesOf = (keep: HeldInput = { keys: [], buttons: [] }): Set<string> =>
  new Set([...keep.keys.map((key) => `key ${key}`), ...keep.buttons.map((button) => `button ${button}`)]);
