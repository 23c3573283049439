/** Defers work for what the person may scroll past. */

const CHECK_MS = 120;
/** About 1,200 pixels a second. */
const SLOW_PX = 150;

/** Calls `action` once the page is scrolled slowly or not at all. Returns a function that cancels. */
export type RunOnSlowScroll = (action: () => void) => () => void;

export function createSlowScroll(): RunOnSlowScroll {
  const waiting = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | null = null;
  let lastTop = 0;

  function check(): void {
    const top = window.scrollY;
    const isSlow = Math.abs(top - lastTop) <= SLOW_PX;
    lastTop = top;
    const actions = isSlow ? [...waiting] : [];
    for (const action of actions) {
      waiting.delete(action);
      action();
    }
    if (waiting.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  }

  return (action) => {
    waiting.add(action);
    if (timer === null) {
      lastTop = window.scrollY;
      timer = setInterval(check, CHECK_MS);
    }
    return () => void waiting.delete(action);
  };
}
