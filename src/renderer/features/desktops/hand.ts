/** Mouse, touch and keys on the picture of a desktop, as the host does them there. Places are parts of the picture. */
import { useRef, type KeyboardEvent, type PointerEvent, type WheelEvent, type MouseEvent } from 'react';
import type { DesktopInput } from '../../../main/protocol/index.js';

const BUTTONS = ['left', 'middle', 'right'] as const;
/** Between two moves: a person sees no difference. */
const MOVE_MS = 40;
const PIXELS_PER_LINE = 40;

/** The browser's names of keys that are called otherwise on the desktop. */
const KEYS: ReadonlyMap<string, string> = new Map([
  ['Enter', 'enter'],
  ['Backspace', 'backspace'],
  ['Tab', 'tab'],
  ['Escape', 'escape'],
  ['Delete', 'delete'],
  ['Home', 'home'],
  ['End', 'end'],
  ['PageUp', 'pageup'],
  ['PageDown', 'pagedown'],
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
  ['Insert', 'insert'],
]);

export function useHand(send: (input: DesktopInput) => void) {
  const movedAt = useRef(0);
  const pressed = (event: PointerEvent<HTMLElement>, down: boolean) => {
    const button = BUTTONS[event.button];
    if (!event.isPrimary || button === undefined) return;
    event.preventDefault();
    event.currentTarget.focus({ preventScroll: true });
    if (down) event.currentTarget.setPointerCapture(event.pointerId);
    send({ kind: 'button', button, down, ...placeOf(event) });
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>): void => pressed(event, true),
    onPointerUp: (event: PointerEvent<HTMLElement>): void => pressed(event, false),
    onPointerMove(event: PointerEvent<HTMLElement>): void {
      if (!event.isPrimary || event.timeStamp - movedAt.current < MOVE_MS) return;
      movedAt.current = event.timeStamp;
      send({ kind: 'move', ...placeOf(event) });
    },
    onWheel(event: WheelEvent<HTMLElement>): void {
      const lines = Math.max(-20, Math.min(20, Math.round(-event.deltaY / PIXELS_PER_LINE)));
      if (lines !== 0) send({ kind: 'scroll', lines, ...placeOf(event) });
    },
    onContextMenu: (event: MouseEvent): void => event.preventDefault(),
    onKeyDown(event: KeyboardEvent): void {
      const input = inputOf(event);
      if (input === null) return;
      event.preventDefault();
      // The page has keys of its own, such as D for Deny.
      event.stopPropagation();
      send(input);
    },
  };
}

function placeOf({ clientX, clientY, currentTarget }: MouseEvent<HTMLElement>): { x: number; y: number } {
  const frame = (currentTarget.querySelector('img') ?? currentTarget).getBoundingClientRect();
  const part = (at: number, start: number, size: number) => Math.max(0, Math.min(1, (at - start) / Math.max(size, 1)));
  return { x: part(clientX, frame.left, frame.width), y: part(clientY, frame.top, frame.height) };
}

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey'>;

/** null for keys that do nothing alone, and for Shift+Tab, with which the person leaves the picture. */
export function inputOf({ key, ctrlKey, altKey, metaKey, shiftKey }: Key): DesktopInput | null {
  const named = KEYS.get(key) ?? (/^F\d{1,2}$/.test(key) ? key.toLowerCase() : null);
  if (key === 'Tab' && shiftKey) return null;
  const character = [...key].length === 1;
  if (character && !ctrlKey && !altKey && !metaKey) return { kind: 'text', text: key };
  if (named === null && !character) return null;
  const held = [ctrlKey ? 'ctrl' : null, altKey ? 'alt' : null, metaKey ? 'super' : null, shiftKey ? 'shift' : null];
  return { kind: 'keys', keys: [...held.filter((one) => one !== null), named ?? key.toLowerCase()] };
}
