import { cornerOutside } from '../../base/rect.js';
import type { InputGuard, MouseButton, Point } from '../desktop.js';
import type { Pointer } from './display-server.js';
import type { Windows } from './windows.js';
import { delay } from '../../base/poll.js';

interface Buttons extends Pick<Pointer, 'position' | 'move'> {
  release(keep?: readonly MouseButton[]): Promise<void>;
  /** Where the first held button that is not in `keep` was pressed; null where none is held. */
  pressedAt(keep?: readonly MouseButton[]): Point | null;
}

interface Chords {
  chord(keys: string[], guard: InputGuard, signal: AbortSignal): Promise<void>;
}

/** A part of every screen. */
const FIRST_PIXEL = { x: 0, y: 0, width: 1, height: 1 };

const allowInput = async (): Promise<void> => {};

/**
 * Releases the held mouse buttons, except those of `keep`, without a drop or a click: Escape ends a drag, and the buttons are
 * released in a corner of the screen, outside the window that was pressed. The pointer returns to its place. Never rejects.
 */
export async function releaseButtons(
  { pointer, keyboard, windows }: { pointer: Buttons; keyboard: Chords; windows: Pick<Windows, 'at' | 'screen'> },
  keep?: readonly MouseButton[],
): Promise<void> {
  const pressedAt = pointer.pressedAt(keep);
  if (pressedAt === null) return;
  const noAbort = new AbortController().signal;
  await keyboard.chord(['escape'], allowInput, noAbort).catch(() => {});
  const before = await pointer.position().catch(() => null);
  const frames = await Promise.all(
    [pressedAt, before].map((point) => (point === null ? null : windows.at(point).catch(() => null))),
  );
  const corner = cornerOutside(
    frames.flatMap((window) => (window === null ? [] : [window.frame])),
    await windows.screen().catch(() => FIRST_PIXEL),
  );
  await pointer.move(corner, noAbort).catch(() => {});
  await pointer.release(keep).catch(() => {});
  if (before !== null) await pointer.move(before, noAbort).catch(() => {});
}

/** Games and emulators look at keys and buttons once in a frame, and at no events: two frames of the slowest, as a busy machine leaves one out. */
const FRAMES_MS = 60;

/** When keys or buttons went down and up, so that every program sees each press, and two presses as two. */
export class PressTimes<Key> {
  readonly #changedAt = new Map<Key, number>();

  changed(key: Key): void {
    this.#changedAt.set(key, performance.now());
  }

  /** Resolves once it has been down, or up, long enough. */
  async lasted(key: Key, signal: AbortSignal): Promise<void> {
    const left = (this.#changedAt.get(key) ?? -Infinity) + FRAMES_MS - performance.now();
    if (left > 0) await delay(left, signal);
  }
}
