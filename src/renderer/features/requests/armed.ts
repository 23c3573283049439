/** Decision buttons are dead for a moment after anything that could put them under a finger already on its way down. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

export const ARMING_MS = 500;
/** Told on the window after the page itself scrolled to something. */
export const PAGE_SCROLLED = 'chaperone:jumped';

export interface Arming {
  armed: boolean;
  /** Asks once more at the instant of a press: false when the buttons moved unnoticed, and they go dead again. */
  stillArmed(): boolean;
}

/** `about` names what the buttons would decide; any change of it, of their place, or of the page's focus starts the dead time anew. */
export function useArmed(about: string, ref: RefObject<HTMLElement | null>): Arming {
  const [disturbed, setDisturbed] = useState(0);
  const [armedFor, setArmedFor] = useState('');
  const place = useRef('');
  const key = `${disturbed} ${about}`;
  const armed = armedFor === key;

  useEffect(() => {
    const timer = setTimeout(() => setArmedFor(key), ARMING_MS);
    return () => clearTimeout(timer);
  }, [key]);

  const moved = useCallback((): boolean => {
    const now = positionOf(ref.current);
    if (now === place.current) return false;
    place.current = now;
    setDisturbed((count) => count + 1);
    return true;
  }, [ref]);

  useLayoutEffect(() => {
    place.current = positionOf(ref.current);
  }, [ref]);

  useEffect(() => {
    const disturb = () => setDisturbed((count) => count + 1);
    const onVisible = () => document.visibilityState === 'visible' && disturb();
    const watcher = new ResizeObserver(() => moved());
    watcher.observe(document.body);
    for (let up = ref.current; up !== null && up !== document.body; up = up.parentElement) watcher.observe(up);
    window.addEventListener('focus', disturb);
    window.addEventListener(PAGE_SCROLLED, disturb);
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      watcher.disconnect();
      window.removeEventListener('focus', disturb);
      window.removeEventListener(PAGE_SCROLLED, disturb);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [moved, ref]);

  const stillArmed = useCallback(() => armed && !moved(), [armed, moved]);
  return { armed, stillArmed };
}

/** In the document, so that a person's own scrolling is no move. */
function positionOf(element: HTMLElement | null): string {
  if (element === null) return '';
  const { left, top, width } = element.getBoundingClientRect();
  return [left + window.scrollX, top + window.scrollY, width].map(Math.round).join(' ');
}
