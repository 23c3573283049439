/** Holding a button for a second. Leaving, releasing, losing focus or any change to what it decides starts over. */
import { useEffect, useRef, useState } from 'react';

const HOLD_MS = 1000;
const COUNTED = 3;

export interface HoldState {
  holding: boolean;
  /** Counts down in thirds of the time, for those who get no moving bar. */
  left: number;
  start(): void;
  stop(): void;
}

export function useHold(about: string, onHeld: () => void): HoldState {
  const [left, setLeft] = useState(0);
  const held = useRef(onHeld);
  held.current = onHeld;
  const holding = left > 0;

  useEffect(() => setLeft(0), [about]);
  useEffect(() => {
    if (!holding) return undefined;
    const done = setTimeout(() => {
      setLeft(0);
      held.current();
    }, HOLD_MS);
    const count = setInterval(() => setLeft((now) => Math.max(1, now - 1)), HOLD_MS / COUNTED);
    const stop = () => setLeft(0);
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && stop();
    window.addEventListener('blur', stop);
    window.addEventListener('keydown', onKey);
    return () => {
      clearTimeout(done);
      clearInterval(count);
      window.removeEventListener('blur', stop);
      window.removeEventListener('keydown', onKey);
    };
  }, [holding, about]);

  return { holding, left, start: () => setLeft(COUNTED), stop: () => setLeft(0) };
}
