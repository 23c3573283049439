/** Which requests and questions are out of view, and scrolling to a new one while nobody uses the page. */
import { useEffect, useRef, useState } from 'react';
import type { Waiting } from '../../state/select.js';
import { onScrollOrResize } from '../../ui/window-events.js';
import { PAGE_SCROLLED } from './press.js';

/** Without input for this long, the person is not reading one place of the page. */
const IDLE_MS = 5_000;
/** This much of a card shows who wants what. */
const MIN_VISIBLE_PX = 96;
const ACTIVITY_EVENTS = ['pointerdown', 'wheel', 'keydown', 'touchmove', 'focus'] as const;

interface OutOfView {
  item: Waiting;
  /** Above the window; else below, or on another view. */
  above: boolean;
  /** Some of it is in the window, but not who wants what. */
  partly: boolean;
}

/** Oldest first. */
export function useOutOfView(items: readonly Waiting[]): readonly OutOfView[] {
  const [hidden, setHidden] = useState<readonly OutOfView[]>([]);
  const latest = useRef(items);
  const update = useRef(() => {
    const now = latest.current
      .filter((item) => !isInView(item) || !showsWho(item))
      .map((item) => ({ item, above: isAbove(item), partly: isInView(item) }));
    setHidden((before) => (sameItems(before, now) ? before : now));
  });
  useEffect(() => {
    latest.current = items;
    update.current();
  });
  useEffect(() => {
    let frame = 0;
    const updateSoon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(update.current);
    };
    const stop = onScrollOrResize(updateSoon);
    window.addEventListener('hashchange', updateSoon);
    return () => {
      cancelAnimationFrame(frame);
      stop();
      window.removeEventListener('hashchange', updateSoon);
    };
  }, []);
  return hidden;
}

/** Scrolls to the oldest waiting item when a new one arrives out of view, unless the person is active or another one is in view. */
export function useScrollToNew(items: readonly Waiting[]): void {
  const known = useRef<ReadonlySet<string> | null>(null);
  const lastActivity = useLastActivity();
  useEffect(() => {
    const before = known.current;
    known.current = new Set(items.map(({ id }) => id));
    if (before === null || items.every(({ id }) => before.has(id))) return;
    if (performance.now() - lastActivity.current < IDLE_MS || isTyping() || isSelecting()) return;
    const [oldest] = items;
    if (oldest === undefined || items.some(isInView)) return;
    scrollToWaiting(oldest, false);
  }, [items, lastActivity]);
}

/** When the person last did anything here, by `performance.now()`; opening the page counts. */
function useLastActivity(): { readonly current: number } {
  const lastActivity = useRef(performance.now());
  useEffect(() => {
    const touch = () => {
      lastActivity.current = performance.now();
    };
    let place = '';
    // A resting pointer also gets events when something moves beneath it.
    const move = ({ screenX, screenY }: PointerEvent) => {
      const now = `${screenX} ${screenY}`;
      if (now !== place) touch();
      place = now;
    };
    for (const type of ACTIVITY_EVENTS) window.addEventListener(type, touch, { passive: true, capture: true });
    window.addEventListener('pointermove', move, { passive: true });
    return () => {
      for (const type of ACTIVITY_EVENTS) window.removeEventListener(type, touch, { capture: true });
      window.removeEventListener('pointermove', move);
    };
  }, []);
  return lastActivity;
}

function isTyping(): boolean {
  return document.activeElement?.matches('textarea, select, input:not([type="radio"], [type="checkbox"])') ?? false;
}

function isSelecting(): boolean {
  return getSelection()?.isCollapsed === false;
}

function isInView(item: Waiting): boolean {
  const element = elementOf(item);
  if (element === null || !element.checkVisibility()) return false;
  const { top, bottom, height } = element.getBoundingClientRect();
  const { above, below } = uncovered();
  return Math.min(bottom, below) - Math.max(top, above) >= Math.min(height, MIN_VISIBLE_PX) - 1;
}

/** The buttons of a request stay in view while its first lines have been scrolled away. */
function showsWho({ kind, id }: Waiting): boolean {
  const title = kind === 'request' ? document.getElementById(`t-${id}`) : null;
  return title === null || title.getBoundingClientRect().top >= uncovered().above;
}

/** The part of the window between the header and the popover's foot. */
function uncovered(): { above: number; below: number } {
  const head = document.querySelector('header.top');
  const foot = document.querySelector('.pop-f');
  return {
    above: head?.getBoundingClientRect().bottom ?? 0,
    below: foot?.getBoundingClientRect().top ?? window.innerHeight,
  };
}

function isAbove(item: Waiting): boolean {
  const element = elementOf(item);
  return element !== null && element.checkVisibility() && element.getBoundingClientRect().top < uncovered().above;
}

function sameItems(one: readonly OutOfView[], other: readonly OutOfView[]): boolean {
  if (one.length !== other.length) return false;
  return one.every(({ item, above, partly }, index) => {
    const same = other[index];
    return item.id === same?.item.id && above === same.above && partly === same.partly;
  });
}

// Scrolls to what waits for the person, and disables decision buttons for a moment.

/** The address that leads to the oldest that waits. */
export const WAITING_HREF = '#waiting';

/** Only what the home page shows now; null elsewhere, and for a question in a folded conversation. */
function elementOf({ kind, id }: Waiting): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-${kind}="${CSS.escape(id)}"]`);
}

/** False where it is not on the screen at all, as on another view. */
export function scrollToWaiting(item: Waiting, focus: boolean): boolean {
  const element = elementOf(item) ?? unfoldConversation();
  if (element === null || !element.checkVisibility()) return false;
  element.scrollIntoView({ block: 'start', behavior: 'instant' });
  if (focus) element.focus({ preventScroll: true });
  window.dispatchEvent(new Event(PAGE_SCROLLED));
  return true;
}

/** In the popover the conversation is one line while requests wait. */
function unfoldConversation(): HTMLElement | null {
  const fold = document.querySelector<HTMLElement>('#conversation[aria-expanded="false"]');
  fold?.click();
  return fold;
}
