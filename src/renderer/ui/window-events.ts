/** What the page listens to in its window, and where the focus goes. */
import { useEffect, useRef, useLayoutEffect } from 'react';

/** Calls `listener` when the page scrolls, or it or the window changes its size. Returns a function that stops it. */
export function onScrollOrResize(listener: () => void): () => void {
  const sizes = new ResizeObserver(listener);
  sizes.observe(document.body);
  window.addEventListener('scroll', listener, { passive: true });
  window.addEventListener('resize', listener);
  return () => {
    sizes.disconnect();
    window.removeEventListener('scroll', listener);
    window.removeEventListener('resize', listener);
  };
}

/** Defers work for what the person may scroll past. */

const CHECK_MS = 120;
/** About 1,200 pixels a second. */
const SLOW_PX = 150;

/** Calls `action` once the page is scrolled slowly or not at all. Returns a function that cancels. */
export type RunOnSlowScroll = (action: () => void) => () => void;

export function createSlowScroll(): RunOnSlowScroll {
  const waiting = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | null = null;
  let lastTop = 0;

  function check(): void {
    const top = window.scrollY;
    const isSlow = Math.abs(top - lastTop) <= SLOW_PX;
    lastTop = top;
    const actions = isSlow ? [...waiting] : [];
    for (const action of actions) {
      waiting.delete(action);
      action();
    }
    if (waiting.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  }

  return (action) => {
    waiting.add(action);
    if (timer === null) {
      lastTop = window.scrollY;
      timer = setInterval(check, CHECK_MS);
    }
    return () => void waiting.delete(action);
  };
}

// What would move the page waits until a pointer is released: a press and a release in two places are no click.

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

/** When a card or reply box ends while the focus is in it, moves the focus to its container; otherwise the page would lose it. */
export function useFocusOnEnd(container: { current: HTMLElement | null }, ended: boolean): void {
  const hadFocus = useRef(false);
  if (!ended || !hadFocus.current) hadFocus.current = container.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    if (ended && hadFocus.current) container.current?.focus({ preventScroll: true });
    if (ended) hadFocus.current = false;
  }, [container, ended]);
}

// Attributes on the root element for the style sheets. With `:has()` instead, every change of a long list would restyle all of it.

type RootAttribute = 'wide' | 'popover' | 'fullPicture' | 'firstSteps' | 'lowStrip';

/** Sets `data-…` on the root element while `on`. Each attribute belongs to one component. */
export function useRootAttribute(mark: RootAttribute, on: boolean): void {
  useLayoutEffect(() => {
    if (!on) return undefined;
    const { dataset } = document.documentElement;
    dataset[mark] = '';
    return () => void delete dataset[mark];
  }, [mark, on]);
}
