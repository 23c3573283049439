import type { MouseButton, Point } from '../../desktop.js';

export interface Pressed {
  clicks: number;
  sequence: number;
}

/** Which buttons are held, and the numbers that events of one press share. */
export interface PressedButtons {
  press(button: MouseButton, at: Point): Pressed;
  /** Its numbers; it stays held until `released`, because the event may still fail. */
  letGo(button: MouseButton): Pressed;
  released(button: MouseButton): void;
  /** For a movement: the button that drags. */
  drag(): { held: MouseButton | null; sequence: number };
  held(keep: readonly MouseButton[]): { button: MouseButton; at: Point }[];
}

/** Presses of one button closer together than this count as a double click. */
const DOUBLE_CLICK_MS = 500;
const DOUBLE_CLICK_POINTS = 4;

export function createPressedButtons(now: () => number = () => performance.now()): PressedButtons {
  const held = new Map<MouseButton, Pressed & { at: Point }>();
  let last: { button: MouseButton; at: Point; time: number; clicks: number } | null = null;
  let sequence = 0;
  return {
    press(button, at) {
      const repeats = last?.button === button && now() - last.time < DOUBLE_CLICK_MS && isClose(last.at, at);
      const clicks = repeats && last !== null ? last.clicks + 1 : 1;
      last = { button, at, time: now(), clicks };
      const pressed = { clicks, sequence: ++sequence, at };
      held.set(button, pressed);
      return pressed;
    },
    letGo: (button) => held.get(button) ?? { clicks: 1, sequence },
    released: (button) => void held.delete(button),
    drag() {
      const [first] = held;
      return first === undefined ? { held: null, sequence: 0 } : { held: first[0], sequence: first[1].sequence };
    },
    held: (keep) => [...held].filter(([button]) => !keep.includes(button)).map(([button, { at }]) => ({ button, at })),
  };
}

const isClose = (a: Point, b: Point): boolean =>
  Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) <= DOUBLE_CLICK_POINTS;
