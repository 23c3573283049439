import type { MenubarHost } from '../host/index.js';
import { QUESTION_TOOL } from '../protocol/resume-tool.js';

type Watched = Pick<MenubarHost, 'cards' | 'status' | 'onChange'>;

/** No request waits for the person, and no call of an agent runs but questions, whose replies are kept for the app that starts next. */
export function isIdle({ cards, status }: Watched): boolean {
  if (cards().length > 0) return false;
  const { state, agents } = status();
  const calls = agents.flatMap(({ currentCalls = [] }) => currentCalls);
  return state !== 'acting' && calls.every(({ tool }) => tool === QUESTION_TOOL);
}

interface WhenIdle {
  menubar: Watched;
  /** Called once, in the same turn in which the host was seen idle. */
  act(): void;
  /** Called first where that is not at once. */
  onWait(): void;
  signal: AbortSignal;
}

export function whenIdle({ menubar, act, onWait, signal }: WhenIdle): void {
  if (signal.aborted) return;
  if (isIdle(menubar)) return act();
  onWait();
  const stop = menubar.onChange(() => {
    if (!isIdle(menubar)) return;
    end();
    act();
  });
  function end(): void {
    stop();
    signal.removeEventListener('abort', end);
  }
  signal.addEventListener('abort', end);
}
