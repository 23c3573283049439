/** The page's single keys. They act through the same buttons a pointer would use, so every rule about those holds for keys too. */
import { useEffect } from 'react';

export function usePageKeys(stop: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === '.' && event.ctrlKey && event.altKey && event.metaKey) return stop();
      if (event.defaultPrevented || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === 'Escape') return leave();
      if (inField(event.target)) return;
      const action = ACTIONS.get(event.key.toLowerCase());
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [stop]);
}

const ACTIONS = new Map<string, () => void>([
  ['j', () => step(1)],
  ['k', () => step(-1)],
  ['e', () => part('exact')?.click()],
  ['d', () => part('deny')?.click()],
  ['a', () => (part('allow') ?? part('elsewhere'))?.focus()],
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
function current(): HTMLElement | undefined {
  const focused = document.activeElement?.closest('[data-slot]');
  return cards().find((card) => card === focused) ?? (focused == null ? cards()[0] : undefined);
}

function part(name: string): HTMLElement | null {
  return current()?.querySelector<HTMLElement>(`[data-part="${name}"]`) ?? null;
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
