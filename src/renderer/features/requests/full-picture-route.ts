/** The card whose full picture is shown. Part of the address, so that Back and a reload work; it belongs to the home view. */
import { useEffect, useLayoutEffect, useRef } from 'react';
import { useHash } from '../../app/route.js';

const ROUTE = /^#\/full-picture\/([0-9a-f-]{36})$/;

export function fullPictureHref(cardId: string): string {
  return `#/full-picture/${cardId}`;
}

/** Id of the link that opens it and gets the focus back afterwards. */
export function fullPictureLinkId(cardId: string): string {
  return `full-picture-${cardId}`;
}

export function useFullPictureRoute(): string | null {
  return ROUTE.exec(useHash())?.[1] ?? null;
}

/** Opens at the top with the focus on the link back; closing restores scroll position and focus. */
export function useFullPictureScroll(cardId: string | null): void {
  const top = useRef(0);
  const last = useRef<string | null>(null);
  useEffect(() => {
    const keepTop = () => {
      if (last.current === null) top.current = window.scrollY;
    };
    window.addEventListener('scroll', keepTop, { passive: true });
    // The event of the last scrolling may come only once the picture is open.
    window.addEventListener('click', keepTop, { capture: true });
    return () => {
      window.removeEventListener('scroll', keepTop);
      window.removeEventListener('click', keepTop, { capture: true });
    };
  }, []);
  useLayoutEffect(() => {
    const before = last.current;
    last.current = cardId;
    if (cardId !== null && before === null) {
      window.scrollTo({ top: 0, behavior: 'instant' });
      document.getElementById('full-picture-back')?.focus({ preventScroll: true });
    }
    if (cardId !== null || before === null) return;
    window.scrollTo({ top: top.current, behavior: 'instant' });
    const card = document.getElementById(fullPictureLinkId(before)) ?? document.getElementById('needs');
    card?.focus({ preventScroll: true });
  }, [cardId]);
}
