import { Stopped } from '../pipeline/failures.js';
import type { Executions } from '../pipeline/executions.js';
import { factsOf } from '../pipeline/ports.js';
import type { Protection } from '../pipeline/ports.js';
import type { DesktopBackend, Point } from '../../native/desktop.js';
import type { AttentionBoard } from './attention.js';

export interface TakeoverOptions {
  desktop: Pick<DesktopBackend, 'onPersonInput'>;
  executions: Executions;
  attention: AttentionBoard;
  acting(): boolean;
  /** The person is in one of our windows: pressing Allow is no take-over. */
  inOurWindows(at: Point | null): Promise<boolean>;
  /** They are there, and an agent has the desktop: with a button held down their own press would not reach the page. */
  atOurs(): void;
  log(thrown: unknown): void;
}

const QUIET_MS = 3000;

/** Real input outside our windows while an action runs: the person has the desktop; it is theirs until 3 s after their last input. */
export function watchTakeover({ desktop, executions, attention, acting, inOurWindows, atOurs, log }: TakeoverOptions): {
  close(): void;
} {
  let quiet: NodeJS.Timeout | null = null;

  /** Not knowing where the person is means that they have the desktop. */
  async function isOurs(at: Point | null): Promise<boolean> {
    try {
      return await inOurWindows(at);
    } catch (thrown) {
      log(thrown);
      return false;
    }
  }

  async function noticed(at: Point | null): Promise<void> {
    if (quiet === null && !acting()) return;
    if (await isOurs(at)) return atOurs();
    if (quiet === null && !acting()) return;
    if (quiet !== null) clearTimeout(quiet);
    attention.set('taken_over', 'the person is using the desktop.');
    executions.takeOver(new Stopped('person', 'The person took over the desktop.'));
    quiet = setTimeout(() => {
      quiet = null;
      attention.set('taken_over', null);
    }, QUIET_MS);
    quiet.unref();
  }

  const stop = desktop.onPersonInput((at) => {
    noticed(at).catch(log);
  });
  return {
    close() {
      stop();
      if (quiet !== null) clearTimeout(quiet);
    },
  };
}

/** Whether that point, or without one what has the keys, is a window of ours or shows the page. */
export async function isInOurWindow(
  desktop: Pick<DesktopBackend, 'frontmost' | 'windowAt'>,
  protection: Protection,
  at: Point | null,
): Promise<boolean> {
  const patience = AbortSignal.timeout(1000);
  const window = at === null ? (await desktop.frontmost(patience)).window : await desktop.windowAt(at, patience);
  return window !== null && protection.isProtected(factsOf(window));
}
