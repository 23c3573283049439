/** Scrolls a new view to its top, or a long one to where it was left, and moves a lost focus into it. */
import { useLayoutEffect, useRef } from 'react';

const RESTORED_VIEWS: ReadonlySet<string> = new Set(['home', 'activity']);

export function useViewScroll(view: string): void {
  const left = useRef(new Map<string, number>());
  const shown = useRef(view);
  useLayoutEffect(() => {
    const keep = () => void left.current.set(shown.current, window.scrollY);
    window.addEventListener('scroll', keep, { passive: true });
    return () => window.removeEventListener('scroll', keep);
  }, []);
  useLayoutEffect(() => {
    if (shown.current === view) return;
    shown.current = view;
    document.body.style.paddingBottom = '';
    window.scrollTo({ top: RESTORED_VIEWS.has(view) ? (left.current.get(view) ?? 0) : 0, behavior: 'instant' });
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
  }, [view]);
}
