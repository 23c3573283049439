/** The page's keys, shown by `?`. */
import { useEffect, useRef, type ReactNode, useLayoutEffect } from 'react';
import { t } from '../strings.js';
import { Button } from '../ui/Button.js';
import type { Actions } from './actions.js';
import { ARMING_MS, KEY_TOO_SOON } from '../features/requests/press.js';

// The page's keyboard shortcuts. They press the same buttons as a pointer, so that the same rules hold.

/**
 * `requestsKey` changes when a request comes to the front or ends. For `ARMING_MS` after that, the keys that answer reach only the
 * focused request: a second press must not answer the next one.
 */
export function useKeyboardShortcuts(actions: Pick<Actions, 'send'>, requestsKey: string): void {
  const seen = useRef('');
  // The time counts from when the request shows, not from when the page next has time for it.
  useLayoutEffect(() => {
    const timer = setTimeout(() => (seen.current = requestsKey), ARMING_MS);
    return () => clearTimeout(timer);
  }, [requestsKey]);
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === '.' && event.ctrlKey && event.altKey && event.metaKey) {
        actions.send({ type: 'pause', on: true });
        return;
      }
      if (event.defaultPrevented || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
      // A dialog has the keys to itself, Escape included.
      if (document.querySelector('dialog:modal') !== null) return;
      if (event.key === 'Escape') return onEscape();
      if (inField(event.target)) return;
      const action = ACTIONS.get(event.key.toLowerCase());
      if (action === undefined) return;
      event.preventDefault();
      action(seen.current === requestsKey);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [actions, requestsKey]);
}

const ACTIONS = new Map<string, (ready: boolean) => void>([
  ['j', () => step(1)],
  ['k', () => step(-1)],
  ['e', () => partOfCurrent('exact')?.click()],
  ['d', deny],
  ['a', (ready) => (partOfCurrent('allow', ready) ?? partOfCurrent('elsewhere', ready))?.focus()],
  ['r', () => [...document.querySelectorAll<HTMLElement>('[data-part="reply"]')].find(isShown)?.focus()],
]);

function deny(ready: boolean): void {
  const button = partOfCurrent('deny', ready);
  if (button !== null) return button.click();
  partOfCurrent('deny')?.dispatchEvent(new Event(KEY_TOO_SOON, { bubbles: true }));
}

function cards(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-slot="open"]')].filter(isShown);
}

/** A card is hidden while its picture is shown in full; no key reaches it then. */
function isShown(element: HTMLElement): boolean {
  return element.checkVisibility();
}

/** The focused card; else the next one after a focused answered card; else the oldest. */
function current(ready: boolean): HTMLElement | undefined {
  const focused = document.activeElement?.closest('[data-slot]') ?? null;
  const all = cards();
  const focusedCard = all.find((card) => card === focused);
  if (focusedCard !== undefined || !ready) return focusedCard;
  return all.find((card) => focused === null || isAfter(card, focused));
}

function isAfter(card: Element, other: Element): boolean {
  return (other.compareDocumentPosition(card) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

function partOfCurrent(name: string, ready = true): HTMLElement | null {
  return current(ready)?.querySelector<HTMLElement>(`[data-part="${name}"]`) ?? null;
}

function step(by: 1 | -1): void {
  const all = cards();
  const at = all.findIndex((card) => card.contains(document.activeElement));
  const next = at === -1 ? 0 : Math.min(all.length - 1, Math.max(0, at + by));
  all[next]?.focus();
}

function onEscape(): void {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement)) return;
  if (inField(focused)) return focused.blur();
  const pick = focused.closest('[data-slot]')?.querySelector<HTMLElement>('.pick[aria-expanded="true"]');
  if (pick != null && (pick === focused || focused.matches('[type="radio"]'))) {
    pick.click();
    return pick.focus();
  }
  const section = focused.closest<HTMLElement>('[data-fold="open"]');
  section?.querySelector<HTMLElement>('[data-fold-button]')?.click();
}

function inField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== 'radio' && target.type !== 'checkbox';
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

const STOP = navigator.platform.startsWith('Mac') ? '⌃ ⌥ ⌘ .' : 'Ctrl Alt Super .';
const ROWS = [
  ['J K', 'page.keys.step'],
  ['E', 'page.keys.exact'],
  ['D', 'page.keys.deny'],
  ['A', 'page.keys.allow'],
  ['R', 'page.keys.reply'],
  ['Esc', 'page.keys.leave'],
  [STOP, 'page.keys.stop'],
  ['?', 'page.keys.help'],
] as const;

export function KeyHelp(): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === '?' && !inField(event.target) && dialog.current?.open === false) dialog.current.showModal();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <dialog ref={dialog} className="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">{t('page.keys.heading')}</h2>
      <dl>
        {ROWS.map(([keys, code]) => (
          <div key={code}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(code)}</dd>
          </div>
        ))}
      </dl>
      <Button variant="sm" onClick={() => dialog.current?.close()}>
        {t('page.keys.close')}
      </Button>
    </dialog>
  );
}
