/** The window of the self-test on Wayland: a client with a connection of its own, a surface that it paints itself, and the seat's keyboard and pointer. */
import { closeSync, readSync, writeSync } from 'node:fs';
import koffi from 'koffi';
import { DesktopError, type MouseButton, type Point } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import { modernKeysym } from '../keysyms.js';
import { GROUND, marksOf, SIZE, type Heard, type TestWindow, type WindowState } from '../self-test/window.js';
import { openMemory, openPipe, readAllFrom } from './fd-socket.js';
import { type EventReader, Registry, WireConnection } from './wire.js';

/** Each with the version that is used at most. */
const NEEDED = new Map([['wl_compositor', 4], ['wl_shm', 1], ['xdg_wm_base', 1], ['wl_seat', 5], ['wl_data_device_manager', 1]]); // prettier-ignore
const BUTTONS: ReadonlyMap<number, MouseButton> = new Map([
  [0x110, 'left'], [0x111, 'right'], [0x112, 'middle'], [0x113, 'back'], [0x114, 'forward'],
]); // prettier-ignore
const TEXT = 'text/plain;charset=utf-8';
const MAX_TEXT_BYTES = 1024 * 1024;
const XRGB = 1;
const FIXED_ONE = 256;

type Bound = ReadonlyMap<string, { id: number; version: number }>;

export async function openWaylandTestWindow(path: string, title: string): Promise<TestWindow> {
  const wire = new WireConnection(path);
  try {
    return await openOn(wire, title);
  } catch (error) {
    wire.close();
    throw error;
  }
}

async function openOn(wire: WireConnection, title: string): Promise<TestWindow> {
  const objects = await bindAll(wire);
  const idOf = (kind: string): number => objects.get(kind)?.id ?? 0;
  const heard: Heard[] = [];
  const state: WindowState = { focused: false, grabbed: false, pointer: null, size: SIZE };
  const input = { wire, seat: idOf('wl_seat'), heard, state };
  const keymap = listenToKeyboard(input);
  listenToPointer(input);
  const clipboard = listenToClipboard(wire, idOf('wl_data_device_manager'), idOf('wl_seat'));
  const surface = openSurface(wire, idOf, title, { heard, state });
  await wire.roundtrip();
  return {
    title,
    takeHeard: () => heard.splice(0),
    state: () => state,
    settle: () => wire.roundtrip(),
    origin: async () => null,
    paste: clipboard.paste,
    close: async () => {
      surface.close();
      keymap.close();
      wire.close();
    },
  };
}

async function bindAll(wire: WireConnection): Promise<Bound> {
  const registry = await Registry.read(wire);
  const bound = new Map<string, { id: number; version: number }>();
  for (const [kind, version] of NEEDED) {
    const isBase = kind === 'xdg_wm_base';
    // Who does not answer is taken for hanging.
    const pong = (_: number, event: EventReader): void => wire.send(bound.get(kind)?.id ?? 0, 3, event.uint());
    const object = registry.bind(kind, version, isBase ? pong : undefined);
    if (object === null) throw new DesktopError('unsupported', message('display.protocols_missing', { missing: kind }));
    bound.set(kind, object);
  }
  return bound;
}

interface Input {
  wire: WireConnection;
  seat: number;
  heard: Heard[];
  state: WindowState;
}

/** Opcodes: keymap, enter, leave, key, modifiers. */
function listenToKeyboard({ wire, seat, heard, state }: Input): { close(): void } {
  const keymap = new KeymapReader();
  const keyboard = wire.newObject((opcode, event) => {
    if (opcode === 0) {
      event.uint();
      keymap.load(event.fd(), event.uint());
    }
    if (opcode === 1 || opcode === 2) state.focused = opcode === 1;
    if (opcode === 3) {
      event.uint();
      event.uint();
      const [code, down] = [event.uint(), event.uint()];
      heard.push({ kind: 'key', keysym: modernKeysym(keymap.keysymOf(code)), down: down !== 0 });
    }
    if (opcode !== 4) return;
    event.uint();
    keymap.setModifiers(event.uint(), event.uint(), event.uint(), event.uint());
  });
  wire.send(seat, 1, keyboard);
  return keymap;
}

/** Opcodes: enter, leave, motion, button; 8 is a step of the wheel. */
function listenToPointer({ wire, seat, heard, state }: Input): void {
  const place = (event: EventReader): Point => ({ x: event.int() / FIXED_ONE, y: event.int() / FIXED_ONE });
  const moved = (at: Point): void => {
    state.pointer = at;
    heard.push({ kind: 'move', at });
  };
  const left = (): void => {
    state.pointer = null;
    heard.push({ kind: 'leave' });
  };
  const pointer = wire.newObject((opcode, event) => {
    if (opcode === 1) left();
    if (opcode === 0 || opcode === 2 || opcode === 3) event.uint();
    if (opcode === 0 || opcode === 3) event.uint();
    if (opcode === 0 || opcode === 2) moved(place(event));
    if (opcode === 3) {
      const [button, down] = [BUTTONS.get(event.uint()), event.uint() !== 0];
      if (button !== undefined) heard.push({ kind: 'button', button, down, at: state.pointer ?? { x: -1, y: -1 } });
    }
    if (opcode !== 8) return;
    const [axis, steps] = [event.uint(), event.int()];
    heard.push({ kind: 'scroll', x: axis === 1 ? steps : 0, y: axis === 0 ? steps : 0 });
  });
  wire.send(seat, 0, pointer);
}

/** As any application has it: what is on the clipboard is offered to the window with the focus. */
function listenToClipboard(wire: WireConnection, manager: number, seat: number): Pick<TestWindow, 'paste'> {
  const types = new Map<number, string[]>();
  let current = 0;
  const device = wire.newObject((opcode, event) => {
    if (opcode === 0) {
      const [offer, offered] = [event.uint(), [] as string[]];
      types.set(offer, offered);
      wire.adopt(offer, (kind, told) => void (kind === 0 && offered.push(told.string())));
    }
    if (opcode === 5) current = event.uint();
  });
  wire.send(manager, 1, device, seat);
  return {
    async paste(signal) {
      await wire.roundtrip(signal);
      if (types.get(current)?.includes(TEXT) !== true) return null;
      const { from, to } = openPipe();
      wire.send(current, 1, TEXT, { fd: to });
      return (await readAllFrom(from, MAX_TEXT_BYTES, signal))?.toString('utf8') ?? null;
    },
  };
}

/** Opcodes of the toplevel: configure, close. */
function openSurface(
  wire: WireConnection,
  idOf: (kind: string) => number,
  title: string,
  { heard, state }: Pick<Input, 'heard' | 'state'>,
): { close(): void } {
  let asked = SIZE;
  // Numbers are given in the order in which the requests name them.
  const surface = wire.newObject();
  const shown = wire.newObject((_, event) => {
    wire.send(shown, 4, event.uint());
    state.size = asked;
    paint(wire, idOf('wl_shm'), surface, asked);
  });
  const toplevel = wire.newObject((opcode, event) => {
    if (opcode === 1) heard.push({ kind: 'close' });
    if (opcode !== 0) return;
    const [width, height] = [event.int(), event.int()];
    asked = { width: width > 0 ? width : state.size.width, height: height > 0 ? height : state.size.height };
  });
  wire.send(idOf('wl_compositor'), 0, surface);
  wire.send(idOf('xdg_wm_base'), 2, shown, surface);
  wire.send(shown, 1, toplevel);
  wire.send(toplevel, 2, title);
  wire.send(toplevel, 3, 'chaperone-self-test');
  wire.send(surface, 6);
  return {
    close: () => {
      wire.send(toplevel, 0);
      wire.send(shown, 0);
      wire.send(surface, 0);
    },
  };
}

/** A new buffer each time: the window is small, and seldom painted. */
function paint(wire: WireConnection, shm: number, surface: number, { width, height }: WindowState['size']): void {
  const pixels = Buffer.alloc(width * height * 4);
  const fill = (
    [red, green, blue]: readonly [number, number, number],
    x: number,
    y: number,
    wide: number,
    high: number,
  ) => {
    for (let row = Math.max(0, y); row < Math.min(height, y + high); row += 1)
      for (let column = Math.max(0, x); column < Math.min(width, x + wide); column += 1)
        pixels.writeUInt32LE((red << 16) | (green << 8) | blue, (row * width + column) * 4);
  };
  fill(GROUND, 0, 0, width, height);
  for (const { colour, place } of marksOf({ width, height })) fill(colour, place.x, place.y, place.width, place.height);
  const memory = openMemory('self-test', pixels.length);
  writeSync(memory, pixels);
  const pool = wire.newObject();
  const buffer = wire.newObject(() => wire.send(buffer, 0));
  wire.send(shm, 0, pool, { fd: memory }, pixels.length);
  wire.send(pool, 0, buffer, 0, width, height, width * 4, XRGB);
  wire.send(pool, 1);
  wire.send(surface, 1, buffer, 0, 0);
  wire.send(surface, 2, 0, 0, width, height);
  wire.send(surface, 6);
}

/** X counts keys from eight. */
const OFFSET = 8;
const TEXT_FORMAT = 1;

/** The meaning of keys by the compositor's keymap, read by the library that every toolkit reads it with. */
class KeymapReader {
  readonly #xkb = loadXkb();
  readonly #context: unknown = this.#xkb.newContext(0);
  #keymap: unknown = null;
  #state: unknown = null;

  load(fd: number, size: number): void {
    const text = Buffer.alloc(size + 1);
    readSync(fd, text, 0, size, 0);
    closeSync(fd);
    this.#drop();
    this.#keymap = this.#xkb.newKeymap(this.#context, text, TEXT_FORMAT, 0);
    if (this.#keymap !== null) this.#state = this.#xkb.newState(this.#keymap);
  }

  setModifiers(depressed: number, latched: number, locked: number, group: number): void {
    if (this.#state !== null) this.#xkb.update(this.#state, depressed, latched, locked, 0, 0, group);
  }

  /** 0 where there is no keymap. */
  keysymOf(code: number): number {
    return this.#state === null ? 0 : this.#xkb.keysym(this.#state, code + OFFSET);
  }

  close(): void {
    this.#drop();
    this.#xkb.dropContext(this.#context);
  }

  #drop(): void {
    if (this.#state !== null) this.#xkb.dropState(this.#state);
    if (this.#keymap !== null) this.#xkb.dropKeymap(this.#keymap);
    [this.#state, this.#keymap] = [null, null];
  }
}

function loadXkb() {
  const library = koffi.load('libxkbcommon.so.0');
  return {
    newContext: library.func('void *xkb_context_new(int flags)'),
    newKeymap: library.func('void *xkb_keymap_new_from_string(void *context, const char *text, int format, int flags)'),
    newState: library.func('void *xkb_state_new(void *keymap)'),
    update: library.func(
      'int xkb_state_update_mask(void *state, uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e, uint32_t group)',
    ),
    keysym: library.func('uint32_t xkb_state_key_get_one_sym(void *state, uint32_t key)'),
    dropState: library.func('void xkb_state_unref(void *state)'),
    dropKeymap: library.func('void xkb_keymap_unref(void *keymap)'),
    dropContext: library.func('void xkb_context_unref(void *context)'),
  };
}
