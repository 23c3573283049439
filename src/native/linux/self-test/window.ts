/** A window of the self-test's own. `x11/` and `wayland/` each open one as any application does, without the backend: what the server tells it is the judge. */
import type { MouseButton, Point, Rect } from '../../desktop.js';

/** Places count from the window's own corner. */
export type Heard =
  | { kind: 'move'; at: Point }
  | { kind: 'button'; button: MouseButton; down: boolean; at: Point }
  | { kind: 'scroll'; x: number; y: number }
  | { kind: 'key'; keysym: number; down: boolean }
  /** Whatever was pressed there is not pressed for the window any more. */
  | { kind: 'leave' }
  | { kind: 'close' };

/** As the display server has told the window. */
export interface WindowState {
  focused: boolean;
  /** Another program has the keyboard, whichever window has the focus. */
  grabbed: boolean;
  /** null while the pointer is not over it. */
  pointer: Point | null;
  size: { width: number; height: number };
}

export interface TestWindow {
  readonly title: string;
  /** In order, since the last call. */
  takeHeard(): Heard[];
  state(): WindowState;
  /** Resolves once the window knows all that the server did so far. */
  settle(): Promise<void>;
  /** Its corner on the screen; null where the server tells no program. */
  origin(): Promise<Point | null>;
  /** The text on the clipboard, as any application would paste it; null where there is none. */
  paste(signal: AbortSignal): Promise<string | null>;
  close(): Promise<void>;
}

/** The window's program, as the accessibility bus shows it. */
export interface TestObjects {
  /** How often the button was pressed through accessibility. */
  presses(): number;
  close(): Promise<void>;
}

export const SIZE = { width: 400, height: 260 };
export const BUTTON_NAME = 'Self-test button';
const MARK = 16;

export interface Mark {
  name: 'top left' | 'top right' | 'bottom left' | 'bottom right' | 'button';
  /** Red, green, blue. */
  colour: readonly [number, number, number];
  place: Rect;
}

export const GROUND = [250, 250, 244] as const;

/** A mark in each corner, and the button in the middle. */
export function marksOf({ width, height }: WindowState['size']): readonly Mark[] {
  const [right, bottom] = [width - MARK, height - MARK];
  const corner = (x: number, y: number): Rect => ({ x, y, width: MARK, height: MARK });
  const button = { x: Math.floor(width / 2) - 60, y: Math.floor(height / 2) - 20, width: 120, height: 40 };
  return [
    { name: 'top left', colour: [230, 20, 120], place: corner(0, 0) },
    { name: 'top right', colour: [20, 190, 230], place: corner(right, 0) },
    { name: 'bottom left', colour: [240, 150, 10], place: corner(0, bottom) },
    { name: 'bottom right', colour: [120, 40, 220], place: corner(right, bottom) },
    { name: 'button', colour: [20, 140, 60], place: button },
  ];
}
