import type { Point, Rect } from '../../desktop.js';
import { contains, type MouseButton } from '../../desktop.js';
import type { Keyboard } from './keyboard.js';
import type { Pointer } from './pointer.js';
import type { Windows } from './windows.js';

const free = async (): Promise<void> => {};

/**
 * Lets go of the buttons that are held down, but for `keep`, so that nothing is dropped or clicked by it: Escape ends a drag, and
 * outside the window that was pressed there is nothing to click. The pointer comes back to where it was. Never rejects.
 */
export async function letButtonsGo(
  { pointer, keyboard, windows }: { pointer: Pointer; keyboard: Keyboard; windows: Pick<Windows, 'at'> },
  screen: Rect,
  keep?: readonly MouseButton[],
): Promise<void> {
  const pressedAt = pointer.pressedAt(keep);
  if (pressedAt === null) return;
  const never = new AbortController().signal;
  await keyboard.chord(['escape'], free, never).catch(() => {});
  const before = await pointer.position().catch(() => null);
  const frames = await Promise.all(
    [pressedAt, before].map((point) => (point === null ? null : windows.at(point).catch(() => null))),
  );
  const away = outside(
    frames.flatMap((window) => (window === null ? [] : [window.frame])),
    screen,
  );
  await pointer.move(away, never).catch(() => {});
  await pointer.release(keep).catch(() => {});
  if (before !== null) await pointer.move(before, never).catch(() => {});
}

/** A corner of the screen that lies in none of the frames; the first one where all do: at least it is not what was pressed. */
function outside(frames: readonly Rect[], { x, y, width, height }: Rect): Point {
  const [right, bottom] = [x + width - 1, y + height - 1];
  const corners = [
    { x: right, y: bottom },
    { x, y: bottom },
    { x: right, y },
    { x, y },
  ] as const;
  return corners.find((corner) => !frames.some((frame) => contains(frame, corner))) ?? corners[0];
}
