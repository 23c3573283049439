/** When the focused element is removed, moves the focus to the nearest container that is left instead of the top of the page. */
import { useEffect } from 'react';

const CONTAINER = 'section, article, [tabindex], main';

/** Call once. Components that know a better target set the focus themselves before this runs. */
export function useFocusFallback(): void {
  useEffect(() => {
    /** `containers`: nearest first. */
    let focused: { element: Element; containers: Element[] } | null = null;
    const onFocusIn = ({ target }: FocusEvent) => {
      focused = target instanceof Element ? { element: target, containers: containersOf(target) } : null;
    };
    const onFocusOut = () =>
      // Later, because focusout comes before the element is removed.
      setTimeout(() => {
        if (focused?.element.isConnected === true && isLost()) focused = null;
      });
    const watcher = new MutationObserver(() => {
      if (focused === null || focused.element.isConnected || !isLost()) return;
      const { containers } = focused;
      focused = null;
      focusOn(containers.map(currentElement).find((container) => container !== null) ?? null);
    });
    watcher.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', onFocusIn);
    document.addEventListener('focusout', onFocusOut);
    return () => {
      watcher.disconnect();
      document.removeEventListener('focusin', onFocusIn);
      document.removeEventListener('focusout', onFocusOut);
    };
  }, []);
}

function isLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function containersOf(element: Element): Element[] {
  const container = element.parentElement?.closest(CONTAINER) ?? null;
  return container === null ? [] : [container, ...containersOf(container)];
}

/** Finds a container that was rendered again, by its name. */
function currentElement(container: Element): HTMLElement | null {
  const name = container.getAttribute('aria-labelledby');
  const now =
    container.isConnected || name === null
      ? container
      : document.querySelector(`[aria-labelledby="${CSS.escape(name)}"]`);
  return now instanceof HTMLElement && now.isConnected && now.checkVisibility() ? now : null;
}

function focusOn(container: HTMLElement | null): void {
  if (container === null) return;
  if (!container.hasAttribute('tabindex')) {
    container.tabIndex = -1;
    container.addEventListener('blur', () => container.removeAttribute('tabindex'), { once: true });
  }
  container.focus({ preventScroll: true });
}
