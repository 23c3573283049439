import { cornerOutside } from '../../../base/rect.js';
import type { MouseButton } from '../../desktop.js';
import type { Keyboard } from './keyboard.js';
import type { Pointer } from './pointer.js';
import type { Windows } from '../windows.js';

/** A part of every screen. */
const FIRST_PIXEL = { x: 0, y: 0, width: 1, height: 1 };

const allowInput = async (): Promise<void> => {};

/**
 * Releases the held mouse buttons, except those of `keep`, without a drop or a click: Escape ends a drag, and the buttons are
 * released in a corner of the screen, outside the window that was pressed. The pointer returns to its place. Never rejects.
 */
export async function releaseButtons(
  { pointer, keyboard, windows }: { pointer: Pointer; keyboard: Keyboard; windows: Pick<Windows, 'at' | 'screen'> },
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
