/** Decision buttons are disabled for a moment after anything that could put them under a pointer about to press. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

export const ARMING_MS = 500;
/** Dispatched on the window after the page has scrolled by itself. */
export const PAGE_SCROLLED = 'chaperone:page-scrolled';

export type Arming = ReturnType<typeof useArmed>;

/** `about` names what the buttons would decide; a change of it, of their position, or of the page's focus disables them again. */
export function useArmed(about: string, ref: RefObject<HTMLElement | null>) {
  const [disturbed, setDisturbed] = useState(0);
  const [armedFor, setArmedFor] = useState('');
  const place = useRef<Place>({ inPage: '', inWindow: '' });
  const key = `${disturbed} ${about}`;
  const armed = armedFor === key;

  useEffect(() => {
    const timer = setTimeout(() => setArmedFor(key), ARMING_MS);
    return () => clearTimeout(timer);
  }, [key]);

  const moved = useCallback((): boolean => {
    const [before, now] = [place.current, placeOf(ref.current)];
    place.current = now;
    if (now.inPage === before.inPage || now.inWindow === before.inWindow) return false;
    setDisturbed((count) => count + 1);
    return true;
  }, [ref]);

  useLayoutEffect(() => {
    place.current = placeOf(ref.current);
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
  return {
    armed,
    /** Checks again at a press: false when the buttons have moved since, and they are then disabled again. */
    stillArmed,
  };
}

/** Buttons have moved when both are another: the person's scrolling keeps the first, what changes above pinned buttons the second. */
interface Place {
  /** Of the card in the document, with the size of the window, at whose lower edge the buttons are pinned. */
  inPage: string;
  /** Of the buttons in the window: what a pointer at rest is over. */
  inWindow: string;
}

function placeOf(buttons: HTMLElement | null): Place {
  const card = buttons?.closest('.card')?.getBoundingClientRect();
  const pair = buttons?.getBoundingClientRect();
  if (card === undefined || pair === undefined) return { inPage: '', inWindow: '' };
  const { scrollX, scrollY, innerWidth, innerHeight } = window;
  const inPage = [card.left + scrollX, card.top + scrollY, card.width, card.height, innerWidth, innerHeight];
  return { inPage: rounded(inPage), inWindow: rounded([pair.left, pair.top, pair.width]) };
}

const rounded = (numbers: number[]): string => numbers.map(Math.round).join(' ');
