/** What counts as pressing a decision button: a press that began and ended on it while it was armed and decided the same thing. */
import {
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useState,
} from 'react';
import type { PressPlace } from '../../../main/protocol/index.js';

/** Why a press did not count: the request changed, Enter was pressed (on a button to be held), it was not held long enough, or it came too soon (other). */
export type Missed = 'other' | 'changed' | 'enter' | 'enter_hold' | 'short';

/** Dispatched on the buttons that a key would have pressed, had it not come right after another request came or ended. */
export const KEY_TOO_SOON = 'chaperone:key-too-soon';

export function useKeyTooSoon(buttons: RefObject<HTMLElement | null>, onMissed: (why: Missed) => void): void {
  useLayoutEffect(() => {
    const element = buttons.current;
    const tell = () => onMissed('other');
    element?.addEventListener(KEY_TOO_SOON, tell);
    return () => element?.removeEventListener(KEY_TOO_SOON, tell);
  }, [buttons, onMissed]);
}

interface PressOptions {
  /** Scripted clicks count: the D key denies through one. */
  scripted?: boolean;
  onBegin?(place: PressPlace | null): void;
  onMissed(why: Missed): void;
}

export type PressProps = ReturnType<typeof usePress>;

/** Space presses on release; Enter and scripted clicks do nothing. */
export function usePress(
  about: string,
  arming: Arming,
  onPress: () => void,
  { scripted = false, onBegin, onMissed }: PressOptions,
) {
  const begun = useRef<string | null>(null);
  const begin = (place: PressPlace | null) => {
    const armed = arming.stillArmed();
    begun.current = armed ? about : '';
    if (armed) onBegin?.(place);
  };
  return {
    onPointerDown: (event: PointerEvent): void => begin(pressPlace(event)),
    onKeyDown: (event: KeyboardEvent): void => {
      if (event.key === 'Enter') {
        event.preventDefault();
        onMissed('enter');
      }
      if (event.key === ' ' && !event.repeat) begin(null);
    },
    onClick: (event: MouseEvent): void => {
      const from = begun.current;
      begun.current = null;
      if (!event.isTrusted && !scripted) return;
      if (from !== null && from !== '' && from !== about) return onMissed('changed');
      if (from === '' || !arming.stillArmed()) return onMissed('other');
      // An assistive program's press has no beginning of its own.
      if (from === null) onBegin?.(null);
      onPress();
    },
  };
}

/** Where it was pressed, and where the card shows that it decides. */
export function pressPlace(event: PointerEvent): PressPlace {
  const { clientX: x, clientY: y, currentTarget } = event;
  const card = (currentTarget.closest('.card') ?? document.documentElement).getBoundingClientRect();
  const [left, top] = [Math.max(card.left, 0), Math.max(card.top, 0)];
  const [right, bottom] = [Math.min(card.right, window.innerWidth), Math.min(card.bottom, window.innerHeight)];
  const shown = { x: left, y: top, width: Math.max(right - left, 0), height: Math.max(bottom - top, 0) };
  return { x, y, ratio: window.devicePixelRatio, card: shown };
}

/** Decision buttons are disabled for a moment after anything that could put them under a pointer about to press. */
export const ARMING_MS = 500;
/** Dispatched on the window after the page has scrolled by itself. */
export const PAGE_SCROLLED = 'chaperone:page-scrolled';

export type Arming = ReturnType<typeof useArmed>;

/** `about` names what the buttons would decide; a change of it, of their position, or of the page's focus disables them again. */
export function useArmed(about: string, ref: RefObject<HTMLElement | null>) {
  const [disturbed, setDisturbed] = useState(0);
  const [armedFor, setArmedFor] = useState('');
  const place = useRef<Place>({ inPage: '', inWindow: '' });
  const key = `${disturbed} ${about}`;
  const armed = armedFor === key;

  useEffect(() => {
    const timer = setTimeout(() => setArmedFor(key), ARMING_MS);
    return () => clearTimeout(timer);
  }, [key]);

  const moved = useCallback((): boolean => {
    const [before, now] = [place.current, placeOf(ref.current)];
    place.current = now;
    if (now.inPage === before.inPage || now.inWindow === before.inWindow) return false;
    setDisturbed((count) => count + 1);
    return true;
  }, [ref]);

  useLayoutEffect(() => {
    place.current = placeOf(ref.current);
  }, [ref]);

  useEffect(() => {
    const disturb = () => setDisturbed((count) => count + 1);
    const onVisible = () => document.visibilityState === 'visible' && disturb();
    const watcher = new ResizeObserver(() => moved());
    watcher.observe(document.body);
    for (let up = ref.current; up !== null && up !== document.body; up = up.parentElement) watcher.observe(up);
    window.addEventListener('focus', disturb);
    window.addEventListener(PAGE_SCROLLED, disturb);
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      watcher.disconnect();
      window.removeEventListener('focus', disturb);
      window.removeEventListener(PAGE_SCROLLED, disturb);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [moved, ref]);

  const stillArmed = useCallback(() => armed && !moved(), [armed, moved]);
  return {
    armed,
    /** Checks again at a press: false when the buttons have moved since, and they are then disabled again. */
    stillArmed,
  };
}

/** Buttons have moved when both are another: the person's scrolling keeps the first, what changes above pinned buttons the second. */
interface Place {
  /** Of the card in the document, with the size of the window, at whose lower edge the buttons are pinned. */
  inPage: string;
  /** Of the buttons in the window: what a pointer at rest is over. */
  inWindow: string;
}

function placeOf(buttons: HTMLElement | null): Place {
  const card = buttons?.closest('.card')?.getBoundingClientRect();
  const pair = buttons?.getBoundingClientRect();
  if (card === undefined || pair === undefined) return { inPage: '', inWindow: '' };
  const { scrollX, scrollY, innerWidth, innerHeight } = window;
  const inPage = [card.left + scrollX, card.top + scrollY, card.width, card.height, innerWidth, innerHeight];
  return { inPage: rounded(inPage), inWindow: rounded([pair.left, pair.top, pair.width]) };
}

const rounded = (numbers: number[]): string => numbers.map(Math.round).join(' ');
