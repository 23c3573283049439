import { Stopped } from '../pipeline/failures.js';
import type { Executions } from '../pipeline/executions.js';
import { windowFactsOf, type Protection } from '../pipeline/mask-rules.js';
import type { DesktopBackend, Point } from '../../native/desktop.js';
import type { AttentionBoard } from './attention.js';
import { message } from '../../messages/index.js';

interface TakeoverOptions {
  desktop: Pick<DesktopBackend, 'onPersonInput'>;
  executions: Executions;
  attention: AttentionBoard;
  acting(): boolean;
  /** True while the person uses a window of Chaperone: pressing Allow is no takeover. */
  inOurWindows(at: Point | null): Promise<boolean>;
  /** Called when the person uses such a window while an agent acts: a held button would keep their press from the page. */
  onInputInOurWindows(): void;
  log(thrown: unknown): void;
}

const IDLE_MS = 3000;

/** Input of the person outside Chaperone's windows while an action runs takes the desktop over, until 3 s after their last input. */
export function watchTakeover({
  desktop,
  executions,
  attention,
  acting,
  inOurWindows,
  onInputInOurWindows,
  log,
}: TakeoverOptions): {
  close(): void;
} {
  let idleTimer: NodeJS.Timeout | null = null;

  /** Where the window of the input is unknown, it counts as a takeover. */
  async function isOurs(at: Point | null): Promise<boolean> {
    try {
      return await inOurWindows(at);
    } catch (thrown) {
      log(thrown);
      return false;
    }
  }

  async function onInput(at: Point | null): Promise<void> {
    if (idleTimer === null && !acting()) return;
    if (await isOurs(at)) return onInputInOurWindows();
    if (idleTimer === null && !acting()) return;
    if (idleTimer !== null) clearTimeout(idleTimer);
    attention.set('taken_over', message('attention.taken_over'));
    executions.takeOver(new Stopped('person', message('stopped.taken_over')));
    idleTimer = setTimeout(() => {
      idleTimer = null;
      attention.set('taken_over', null);
    }, IDLE_MS);
    idleTimer.unref();
  }

  const stop = desktop.onPersonInput((at) => {
    onInput(at).catch(log);
  });
  return {
    close() {
      stop();
      if (idleTimer !== null) clearTimeout(idleTimer);
    },
  };
}

/** Whether the window at the point, or without one the focused window, is Chaperone's or shows its page. */
export async function isInOurWindow(
  desktop: Pick<DesktopBackend, 'frontmost' | 'windowAt'>,
  protection: Protection,
  at: Point | null,
): Promise<boolean> {
  const signal = AbortSignal.timeout(1000);
  const window = at === null ? (await desktop.frontmost(signal)).window : await desktop.windowAt(at, signal);
  return window !== null && protection.isProtected(windowFactsOf(window));
}
