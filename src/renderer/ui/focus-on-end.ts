import { useLayoutEffect, useRef } from 'react';

/** When a card or reply box ends while the focus is in it, moves the focus to its container; otherwise the page would lose it. */
export function useFocusOnEnd(container: { current: HTMLElement | null }, ended: boolean): void {
  const hadFocus = useRef(false);
  if (!ended || !hadFocus.current) hadFocus.current = container.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    if (ended && hadFocus.current) container.current?.focus({ preventScroll: true });
    if (ended) hadFocus.current = false;
  }, [container, ended]);
}
