import type { XTest } from 'x11';
import { DesktopError, type InputGuard, type MouseButton, type Point } from '../../desktop.js';
import { type XConnection, type Properties, whenMissing } from './connection.js';
import { PressTimes } from '../release-buttons.js';
import { message } from '../../../messages/index.js';
import { delay } from '../../../base/poll.js';
import { toOffer } from '../offer.js';
import { openSelection } from './selection.js';
import type { Windows } from '../windows.js';

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

interface DragAndDrop {
  /** Hands files to the window under the pointer by the XDND protocol, as a file manager does. */
  drop(paths: readonly string[], xid: number, guard: InputGuard, signal: AbortSignal): Promise<{ accepted: boolean }>;
  close(): Promise<void>;
}

const VERSION = 5;
const OLDEST_VERSION = 3;
const STATUS_TIMEOUT_MS = 3000;
const FINISH_TIMEOUT_MS = 10_000;
/** Applications that read the offered data before they accept do so on the first positions. */
const MAX_POSITIONS = 8;
const POSITION_INTERVAL_MS = 40;
const MESSAGES = ['Enter', 'Position', 'Status', 'Leave', 'Drop', 'Finished'] as const;
type Message = (typeof MESSAGES)[number];

export async function openDragAndDrop(
  x: XConnection,
  windows: Windows,
  properties: Properties,
  pointer: Pointer,
): Promise<DragAndDrop> {
  const selection = await openSelection(x, 'XdndSelection');
  const ids = await Promise.all(MESSAGES.map((name) => x.atom(`Xdnd${name}`)));
  const atoms = new Map(MESSAGES.map((name, index) => [name, ids[index] ?? 0]));
  const [list, copy] = await Promise.all([x.atom('text/uri-list'), x.atom('XdndActionCopy')]);

  const send = (to: number, about: number, name: Message, data: number[]): Promise<void> =>
    x.send((done) =>
      x.client.SendClientMessage(to, about, atoms.get(name) ?? 0, 32, [selection.window, ...data], 0, done),
    );

  /** The flags of the target's next answer, or null when none comes. */
  const expectAnswer = (name: Message, from: number, limit: number, signal: AbortSignal) => {
    let resolveFlags: (flags: number) => void = () => {};
    const answered = new Promise<number>((resolve) => (resolveFlags = resolve));
    const stop = x.onEvent(({ name: event, rawData: raw }) => {
      if (event !== 'ClientMessage' || raw === undefined) return;
      const ours = raw.readUInt32LE(4) === selection.window && raw.readUInt32LE(8) === atoms.get(name);
      if (ours && raw.readUInt32LE(12) === from) resolveFlags(raw.readUInt32LE(16));
    });
    return async (): Promise<number | null> => {
      const settled = new AbortController();
      const timedOut = delay(limit, AbortSignal.any([signal, settled.signal])).then(() => null);
      try {
        return await Promise.race([answered, timedOut]);
      } finally {
        timedOut.catch(() => {});
        settled.abort();
        stop();
      }
    };
  };

  const waitForAcceptance = async (to: number, xid: number, signal: AbortSignal): Promise<boolean> => {
    for (let sent = 0; sent < MAX_POSITIONS; sent += 1) {
      const at = await pointer.position();
      const nextStatus = expectAnswer('Status', xid, STATUS_TIMEOUT_MS, signal);
      await send(to, xid, 'Position', [0, ((at.x << 16) | at.y) >>> 0, await selection.time(), copy]);
      const flags = await nextStatus();
      if (flags === null) return false;
      if ((flags & 1) !== 0) return true;
      await delay(POSITION_INTERVAL_MS, signal);
    }
    return false;
  };

  const drop: DragAndDrop['drop'] = async (paths, xid, guard, signal) => {
    const version = Math.min(VERSION, (await properties.numbers(xid, 'XdndAware'))[0] ?? 0);
    if (version < OLDEST_VERSION) throw new DesktopError('unsupported', message('native.takes_no_drops'));
    const to = (await properties.numbers(xid, 'XdndProxy'))[0] ?? xid;
    const pid = await windows.pidOf(xid);
    await guard();
    signal.throwIfAborted();
    const offer = [...toOffer({ files: [...paths] })].filter(([target]) => target === 'text/uri-list');
    await selection.own(new Map(offer), async (requestor) => (await windows.pidOf(requestor)) === pid);
    let dropped = false;
    try {
      await send(to, xid, 'Enter', [(version << 24) >>> 0, list, 0, 0]);
      if (!(await waitForAcceptance(to, xid, signal))) return { accepted: false };
      await guard();
      signal.throwIfAborted();
      const whenFinished = expectAnswer('Finished', xid, FINISH_TIMEOUT_MS, signal);
      dropped = true;
      await send(to, xid, 'Drop', [0, await selection.time(), 0, 0]);
      const flags = await whenFinished();
      if (flags === null) throw new DesktopError('not_responding', message('native.drop_unanswered'));
      return { accepted: version < VERSION || (flags & 1) !== 0 };
    } finally {
      if (!dropped) await send(to, xid, 'Leave', [0, 0, 0, 0]).catch(whenMissing);
      await selection.disown();
    }
  };

  return { drop, close: () => selection.close() };
}
