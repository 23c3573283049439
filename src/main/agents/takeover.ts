import { Stopped } from '../pipeline/failures.js';
import type { Executions } from '../pipeline/executions.js';
import { windowFactsOf } from '../pipeline/ports.js';
import type { Protection } from '../pipeline/ports.js';
import type { DesktopBackend, Point } from '../../native/desktop.js';
import type { AttentionBoard } from './attention.js';
import { message } from '../../messages/index.js';

export interface TakeoverOptions {
  desktop: Pick<DesktopBackend, 'onPersonInput'>;
  executions: Executions;
  attention: AttentionBoard;
  acting(): boolean;
  /** True while the person uses a window of Chaperone: pressing Allow is no takeover. */
  inOurWindows(at: Point | null): Promise<boolean>;
  /** Called when the person uses such a window while an agent acts: a held button would keep their press from the page. */
  atOurs(): void;
  log(thrown: unknown): void;
}

const IDLE_MS = 3000;

/** Input of the person outside Chaperone's windows while an action runs takes the desktop over, until 3 s after their last input. */
export function watchTakeover({ desktop, executions, attention, acting, inOurWindows, atOurs, log }: TakeoverOptions): {
  close(): void;
} {
  let quiet: NodeJS.Timeout | null = null;

  /** Where the window of the input is unknown, it counts as a takeover. */
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
    attention.set('taken_over', message('attention.taken_over'));
    executions.takeOver(new Stopped('person', message('stopped.taken_over')));
    quiet = setTimeout(() => {
      quiet = null;
      attention.set('taken_over', null);
    }, IDLE_MS);
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

/** Whether the window at the point, or without one the focused window, is Chaperone's or shows its page. */
export async function isInOurWindow(
  desktop: Pick<DesktopBackend, 'frontmost' | 'windowAt'>,
  protection: Protection,
  at: Point | null,
): Promise<boolean> {
  const patience = AbortSignal.timeout(1000);
  const window = at === null ? (await desktop.frontmost(patience)).window : await desktop.windowAt(at, patience);
  return window !== null && protection.isProtected(windowFactsOf(window));
}
