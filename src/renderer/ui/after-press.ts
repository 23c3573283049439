/** What would move the page waits until a pointer is released: a press and a release in two places are no click. */
import { useEffect, useRef } from 'react';

/** Returns a function that runs a task at once; while a pointer is pressed anywhere on the page, the last task given runs after the click. */
export function useAfterPress(): (task: () => void) => void {
  const pressed = useRef(false);
  const waiting = useRef<(() => void) | null>(null);
  useEffect(() => {
    const listeners = new AbortController();
    const options = { capture: true, signal: listeners.signal };
    // The click comes after the release, in the same task of the browser.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      pressed.current = false;
      waiting.current?.();
      waiting.current = null;
    };
    const release = () => port2.postMessage(null);
    window.addEventListener('pointerdown', () => (pressed.current = true), options);
    window.addEventListener('pointerup', release, options);
    window.addEventListener('pointercancel', release, options);
    return () => {
      listeners.abort();
      port1.close();
    };
  }, []);
  return (task) => {
    if (pressed.current) waiting.current = task;
    else task();
  };
}
