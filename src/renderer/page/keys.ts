/** The page's single keys. They act through the same buttons a pointer would use, so every rule about those holds for keys too. */
import { useEffect, useLayoutEffect, useRef } from 'react';
import { DEAD_MS } from './armed.js';

/** `front`: the oldest request. The keys that answer mean it once it has been in front for a moment, so that a second press is not for the next. */
export function usePageKeys(stop: () => void, front: string | null): void {
  const seen = useRef<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => (seen.current = front), DEAD_MS);
    return () => clearTimeout(timer);
  }, [front]);
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === '.' && event.ctrlKey && event.altKey && event.metaKey) return stop();
      if (event.defaultPrevented || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === 'Escape') return leave();
      if (inField(event.target)) return;
      const action = ACTIONS.get(event.key.toLowerCase());
      if (action === undefined) return;
      event.preventDefault();
      action(seen.current === front);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [stop, front]);
}

const ACTIONS = new Map<string, (ready: boolean) => void>([
  ['j', () => step(1)],
  ['k', () => step(-1)],
  ['e', () => part('exact')?.click()],
  ['d', (ready) => part('deny', ready)?.click()],
  ['a', (ready) => (part('allow', ready) ?? part('elsewhere', ready))?.focus()],
  ['r', () => [...document.querySelectorAll<HTMLElement>('[data-part="reply"]')].find(isThere)?.focus()],
]);

function cards(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-slot="open"]')].filter(isThere);
}

/** While its picture is looked at, a card is there but not seen, and no key reaches it. */
function isThere(element: HTMLElement): boolean {
  return element.checkVisibility();
}

/** The card that has the focus, else the oldest. */
function current(ready: boolean): HTMLElement | undefined {
  const focused = document.activeElement?.closest('[data-slot]');
  return cards().find((card) => card === focused) ?? (focused == null && ready ? cards()[0] : undefined);
}

function part(name: string, ready = true): HTMLElement | null {
  return current(ready)?.querySelector<HTMLElement>(`[data-part="${name}"]`) ?? null;
}

function step(by: 1 | -1): void {
  const all = cards();
  const at = all.findIndex((card) => card.contains(document.activeElement));
  const next = at === -1 ? 0 : Math.min(all.length - 1, Math.max(0, at + by));
  all[next]?.focus();
}

function leave(): void {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement)) return;
  if (inField(focused)) return focused.blur();
  const pick = focused.closest('[data-slot]')?.querySelector<HTMLElement>('.pick[aria-expanded="true"]');
  if (pick != null && (pick === focused || focused.matches('[type="radio"]'))) {
    pick.click();
    return pick.focus();
  }
  const fold = focused.closest<HTMLElement>('[data-fold="open"]');
  fold?.querySelector<HTMLElement>('[data-fold-button]')?.click();
}

function inField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== 'radio' && target.type !== 'checkbox';
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
