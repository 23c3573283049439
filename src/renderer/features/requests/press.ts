/** What counts as pressing a decision button: a press that began and ended on it while it was armed and decided the same thing. */
import { useLayoutEffect, useRef, type KeyboardEvent, type MouseEvent, type PointerEvent, type RefObject } from 'react';
import type { PressPlace } from '../../../main/protocol/index.js';
import type { Arming } from './armed.js';

/** Why a press did not count: the request changed, Enter was pressed, the button was not held long enough, or it came too soon (other). */
export type Missed = 'other' | 'changed' | 'enter' | 'short';

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
