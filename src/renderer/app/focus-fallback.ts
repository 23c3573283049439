/** When the focused element is removed, moves the focus to the nearest part that contained it instead of the top of the page. */
import { useEffect } from 'react';

const PLACE = 'section, article, [tabindex], main';

/** Call once. Components that know a better target set the focus themselves before this runs. */
export function useFocusFallback(): void {
  useEffect(() => {
    /** The focused element and the parts that contain it, nearest first. */
    let held: { element: Element; around: Element[] } | null = null;
    const keep = ({ target }: FocusEvent) => {
      held = target instanceof Element ? { element: target, around: placesAround(target) } : null;
    };
    const forget = () =>
      // Later, because focusout comes before the element is removed.
      setTimeout(() => {
        if (held?.element.isConnected === true && isLost()) held = null;
      });
    const watcher = new MutationObserver(() => {
      if (held === null || held.element.isConnected || !isLost()) return;
      const { around } = held;
      held = null;
      focusOn(around.map(currentElement).find((place) => place !== null) ?? null);
    });
    watcher.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', keep);
    document.addEventListener('focusout', forget);
    return () => {
      watcher.disconnect();
      document.removeEventListener('focusin', keep);
      document.removeEventListener('focusout', forget);
    };
  }, []);
}

function isLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function placesAround(element: Element): Element[] {
  const place = element.parentElement?.closest(PLACE) ?? null;
  return place === null ? [] : [place, ...placesAround(place)];
}

/** Finds a part that was rendered again by its name. */
function currentElement(place: Element): HTMLElement | null {
  const name = place.getAttribute('aria-labelledby');
  const now =
    place.isConnected || name === null ? place : document.querySelector(`[aria-labelledby="${CSS.escape(name)}"]`);
  return now instanceof HTMLElement && now.isConnected && now.checkVisibility() ? now : null;
}

function focusOn(place: HTMLElement | null): void {
  if (place === null) return;
  if (!place.hasAttribute('tabindex')) {
    place.tabIndex = -1;
    place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true });
  }
  place.focus({ preventScroll: true });
}
