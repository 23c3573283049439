/** Keeps what the person reads in place when something above it appears, grows or is removed. */
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { PageStore } from '../state/store.js';

interface Anchor {
  element: Element;
  top: number;
}

/** Call once, in a component above all that render the state. */
export function useScrollAnchor(store: PageStore): void {
  const anchor = useRef<Anchor | null>(null);
  useEffect(() => store.beforeChange(() => (anchor.current ??= findAnchor())), [store]);
  useLayoutEffect(() => {
    const kept = anchor.current;
    anchor.current = null;
    if (kept === null || !kept.element.isConnected) return;
    const shift = kept.element.getBoundingClientRect().top - kept.top;
    if (Math.abs(shift) >= 1) scrollBy(shift);
  });
}

/** A page too short to scroll that far gets padding at its end until a change needs none. */
function scrollBy(shift: number): void {
  const top = window.scrollY + shift;
  document.body.style.paddingBottom = '';
  const lack = top + window.innerHeight - document.body.offsetHeight;
  if (lack > 0) document.body.style.paddingBottom = `${lack}px`;
  window.scrollTo({ top, behavior: 'instant' });
}

/** The card under the pointer, else the field that is written in, or the focused element of a scrolled page, else the first element in view of a scrolled page; of a gap that fills, what stands before it. */
function findAnchor(): Anchor | null {
  const hovered = document.querySelector('[data-slot]:hover');
  const focused = document.activeElement === document.body ? null : document.activeElement;
  const isUsed = window.scrollY > 0 || focused?.matches('input, textarea') === true;
  const held = isUsed && focused?.closest('[data-gap]') == null ? (focused?.closest('main *') ?? null) : null;
  const element = [hovered, held].find(inView) ?? lastBeforeGap() ?? firstInView();
  return element == null ? null : { element, top: element.getBoundingClientRect().top };
}

function firstInView(): Element | null {
  if (window.scrollY === 0) return null;
  return [...document.querySelectorAll('[data-anchor]')].find(inView) ?? null;
}

/** Where a gap is in view, so that it fills downwards. */
function lastBeforeGap(): Element | null {
  const gap = document.querySelector('[data-gap]');
  if (!inView(gap)) return null;
  const isBefore = (element: Element) =>
    (gap.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
  return [...document.querySelectorAll('[data-anchor]')].findLast(isBefore) ?? null;
}

function inView(element: Element | null): element is Element {
  if (element === null) return false;
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 64 && top < window.innerHeight;
}
