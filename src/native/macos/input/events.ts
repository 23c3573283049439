/** What the host asks the helper to post. The helper keeps no state of it: what is held is known to the host, and outlives a helper. */
import type { DesktopReader, InputGuard, MouseButton, Point } from '../../desktop.js';

export interface MouseAt {
  at: Point;
  /** Of all held modifiers. */
  flags: number;
  /** One number for the press, the drag and the release. */
  sequence: number;
}

export type ButtonEvent = MouseAt & { kind: 'button'; button: MouseButton; down: boolean; clicks: number };
/** A drag where a button is held. */
export type MoveEvent = MouseAt & { kind: 'move'; by: Point; held: MouseButton | null };
/** Positive y scrolls the content up. */
export interface ScrollEvent {
  kind: 'scroll';
  lines: Point;
  flags: number;
}
export interface KeyEvent {
  kind: 'key';
  code: number;
  down: boolean;
  flags: number;
  /** In place of what the key types. */
  text?: string;
}
/** Of key-codes.ts, `MEDIA_KEYS`. */
export interface MediaEvent {
  kind: 'media';
  key: number;
  down: boolean;
}
export type InputEvent = ButtonEvent | MoveEvent | ScrollEvent | KeyEvent | MediaEvent;

/** What must still be so when the events are posted; else none is. */
export interface PostTerms {
  /** Milliseconds since 1970; null where they may come late. */
  until: number | null;
  /** The layout that their key codes were looked up in; null where they are of any. */
  layout: number | null;
}

export interface KeyPress {
  code: number;
  shift: boolean;
  option: boolean;
}

/** How a character is typed: by keys in turn, or as text where no key has it. */
export type Stroke = { keys: readonly KeyPress[] } | { text: string };

export interface Typing {
  layout: number;
  /** One for each character. */
  strokes: Stroke[];
}

export interface InputServed {
  /** Resolves when the system has given back, to who listens to input, what was posted; after a moment in any case. */
  inputArrived(signal: AbortSignal): Promise<void>;
  post(events: readonly InputEvent[], terms: PostTerms, signal: AbortSignal): Promise<void>;
  /** Rejects where a character cannot be typed. */
  typing(characters: readonly string[], signal: AbortSignal): Promise<Typing>;
  /** The key of a character for shortcuts: of a layout with Latin letters where the one in use has none. */
  shortcut(character: string, signal: AbortSignal): Promise<Typing>;
}

/** What input asks of the helper. One of its own is best: in the one for accessibility events would wait behind a hung application. */
export type InputHelper = InputServed & Pick<DesktopReader, 'pointer' | 'windowAt' | 'displays'>;

/** Posts where the guard lets it. */
export type Post = (
  events: InputEvent[],
  layout: number | null,
  guard: InputGuard | null,
  signal: AbortSignal,
) => Promise<void>;
