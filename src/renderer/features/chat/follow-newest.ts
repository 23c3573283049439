/** Scrolls the newest turn into view for a person at the end of the conversation, and moves nothing otherwise. */
import { useEffect, useRef, type RefObject } from 'react';

/** `newest` changes with every new turn. Runs after what keeps the place, so that it has the last word. */
export function useFollowNewest(list: RefObject<HTMLElement | null>, newest: number): void {
  const last = useRef<Element | null>(null);
  useEffect(() => {
    const before = last.current;
    last.current = lastTurn(list.current);
    if (before === null || before === last.current || !before.isConnected) return;
    if (inView(before.getBoundingClientRect().bottom) && !isOccupied())
      lastOf(list.current)?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  }, [list, newest]);
}

/** The last turn, or what comes after it. */
export function lastOf(list: HTMLElement | null): Element | null {
  const last = list?.lastElementChild ?? null;
  return last?.querySelector('[data-anchor]') == null ? last : lastTurn(list);
}

function lastTurn(list: HTMLElement | null): Element | null {
  return [...(list?.querySelectorAll('[data-anchor]') ?? [])].at(-1) ?? null;
}

/** Allows 8 pixels below the window. */
function inView(bottom: number): boolean {
  return bottom > 0 && bottom <= window.innerHeight + 8;
}

/** True while the person writes, or a request is in view. */
function isOccupied(): boolean {
  const writing = document.activeElement?.matches('textarea, input') ?? false;
  return writing || [...document.querySelectorAll('[data-slot]')].some(overlaps);
}

function overlaps(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}
