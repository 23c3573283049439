/** Holding a button for a second. Leaving, releasing, losing focus or any change to what it decides starts over. */
import { useEffect, useRef, useState } from 'react';

const HOLD_MS = 1000;
const COUNT_FROM = 3;

/** `onEnd` is told whether the button was held long enough. */
export function useHold(about: string, onEnd: (whole: boolean) => void) {
  const [count, setCount] = useState(0);
  const ended = useRef(onEnd);
  ended.current = onEnd;
  const holding = count > 0;

  useEffect(() => setCount(0), [about]);
  useEffect(() => {
    if (!holding) return undefined;
    let whole = false;
    const done = setTimeout(() => {
      whole = true;
      setCount(0);
      ended.current(true);
    }, HOLD_MS);
    const counting = setInterval(() => setCount((now) => Math.max(1, now - 1)), HOLD_MS / COUNT_FROM);
    const stop = () => setCount(0);
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && stop();
    window.addEventListener('blur', stop);
    window.addEventListener('keydown', onKey);
    return () => {
      clearTimeout(done);
      clearInterval(counting);
      window.removeEventListener('blur', stop);
      window.removeEventListener('keydown', onKey);
      if (!whole) ended.current(false);
    };
  }, [holding, about]);

  return {
    holding,
    /** Counts down from 3 to 1 in `HOLD_MS`, for reduced motion. */
    count,
    start: (): void => setCount(COUNT_FROM),
    stop: (): void => setCount(0),
  };
}
