import type { MouseButton, Point } from '../../desktop.js';

export interface Pressed {
  clicks: number;
  sequence: number;
}

/** Which buttons are held, and the numbers that events of one press share. */
export type PressedButtons = ReturnType<typeof createPressedButtons>;

/** Presses of one button closer together than this count as a double click. */
const DOUBLE_CLICK_MS = 500;
const DOUBLE_CLICK_POINTS = 4;

export function createPressedButtons(now: () => number = () => performance.now()) {
  const held = new Map<MouseButton, Pressed & { at: Point }>();
  let last: { button: MouseButton; at: Point; time: number; clicks: number } | null = null;
  let sequence = 0;
  return {
    press(button: MouseButton, at: Point): Pressed {
      const repeats = last?.button === button && now() - last.time < DOUBLE_CLICK_MS && isClose(last.at, at);
      const clicks = repeats && last !== null ? last.clicks + 1 : 1;
      last = { button, at, time: now(), clicks };
      const pressed = { clicks, sequence: ++sequence, at };
      held.set(button, pressed);
      return pressed;
    },
    /** Its numbers; it stays held until `released`, because the event may still fail. */
    letGo: (button: MouseButton): Pressed => held.get(button) ?? { clicks: 1, sequence },
    released: (button: MouseButton): void => void held.delete(button),
    /** For a movement: the button that drags. */
    drag(): { held: MouseButton | null; sequence: number } {
      const [first] = held;
      return first === undefined ? { held: null, sequence: 0 } : { held: first[0], sequence: first[1].sequence };
    },
    held: (keep: readonly MouseButton[]): { button: MouseButton; at: Point }[] =>
      [...held].filter(([button]) => !keep.includes(button)).map(([button, { at }]) => ({ button, at })),
  };
}

const isClose = (a: Point, b: Point): boolean =>
  Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) <= DOUBLE_CLICK_POINTS;
