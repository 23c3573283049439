import type { XTest } from 'x11';
import { DesktopError, type InputGuard, type MouseButton, type Point } from '../../desktop.js';
import type { XConnection } from './connection.js';
import { PressTimes } from '../press-times.js';
import { message } from '../../../messages/index.js';

export type Pointer = ReturnType<typeof openPointer>;

const BUTTONS: ReadonlyMap<MouseButton, number> = new Map([
  ['left', 1],
  ['middle', 2],
  ['right', 3],
  ['back', 8],
  ['forward', 9],
]);
const WHEEL = { up: 4, down: 5, left: 6, right: 7 };

/** `pressHandled` waits until the window manager has passed a press on to the application. */
export function openPointer(x: XConnection, xtest: XTest, pressHandled: (signal: AbortSignal) => Promise<void>) {
  const held = new Map<number, Point>();
  const times = new PressTimes<number>();
  const numbersOf = (keep: readonly MouseButton[]) => new Set(keep.map((button) => BUTTONS.get(button)));
  const pressButton = (button: number): void => xtest.FakeInput(xtest.ButtonPress, button, 0, 0, 0, 0);
  const releaseButton = (button: number): void => xtest.FakeInput(xtest.ButtonRelease, button, 0, 0, 0, 0);

  const position = async (): Promise<Point> => {
    const found = await x.query<{ rootX: number; rootY: number; keyMask: number; child: number }>((r) =>
      x.client.QueryPointer(x.root, r),
    );
    return { x: found.rootX, y: found.rootY };
  };

  const turnWheel = async (lines: number, button: number, guard: InputGuard, signal: AbortSignal): Promise<void> => {
    for (let line = 0; line < lines; line += 1) {
      await guard();
      signal.throwIfAborted();
      pressButton(button);
      releaseButton(button);
      await x.sync();
    }
  };

  return {
    position,
    move: async (to: Point, signal: AbortSignal): Promise<void> => {
      signal.throwIfAborted();
      const wanted = { x: Math.floor(to.x), y: Math.floor(to.y) };
      xtest.FakeInput(xtest.MotionNotify, 0, 0, x.root, wanted.x, wanted.y);
      const now = await position();
      if (now.x === wanted.x && now.y === wanted.y) return;
      const places = { at: `${now.x},${now.y}`, wanted: `${wanted.x},${wanted.y}` };
      throw new DesktopError('failed', message('native.pointer_elsewhere', places));
    },
    button: async (button: MouseButton, down: boolean, guard: InputGuard, signal: AbortSignal): Promise<void> => {
      const number = BUTTONS.get(button) ?? 1;
      const at = down ? await position() : { x: 0, y: 0 };
      await times.lasted(number, signal);
      await guard();
      signal.throwIfAborted();
      times.changed(number);
      if (down) held.set(number, at);
      else held.delete(number);
      (down ? pressButton : releaseButton)(number);
      await (down ? pressHandled(signal) : x.sync());
    },
    scroll: async (delta: Point, guard: InputGuard, signal: AbortSignal): Promise<void> => {
      await turnWheel(Math.round(Math.abs(delta.y)), delta.y > 0 ? WHEEL.down : WHEEL.up, guard, signal);
      await turnWheel(Math.round(Math.abs(delta.x)), delta.x > 0 ? WHEEL.right : WHEEL.left, guard, signal);
    },
    release: async (keep: readonly MouseButton[] = []): Promise<void> => {
      const kept = numbersOf(keep);
      for (const number of [...held.keys()]) {
        if (kept.has(number)) continue;
        releaseButton(number);
        held.delete(number);
      }
      await x.sync();
    },
    /** Where the first held button that is not in `keep` was pressed; null where none is held. */
    pressedAt(keep: readonly MouseButton[] = []): Point | null {
      const kept = numbersOf(keep);
      return [...held].find(([number]) => !kept.has(number))?.[1] ?? null;
    },
  };
}
