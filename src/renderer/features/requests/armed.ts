/** Decision buttons are disabled for a moment after anything that could put them under a pointer about to press. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

export const ARMING_MS = 500;
/** Dispatched on the window after the page has scrolled by itself. */
export const PAGE_SCROLLED = 'chaperone:page-scrolled';

export interface Arming {
  armed: boolean;
  /** Checks again at a press: false when the buttons have moved since, and they are then disabled again. */
  stillArmed(): boolean;
}

/** `about` names what the buttons would decide; a change of it, of their position, or of the page's focus disables them again. */
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

/** Relative to the document, so that scrolling by the person does not count. */
function positionOf(element: HTMLElement | null): string {
  if (element === null) return '';
  const { left, top, width } = element.getBoundingClientRect();
  return [left + window.scrollX, top + window.scrollY, width].map(Math.round).join(' ');
}
