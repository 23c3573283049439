/** Pictures of outputs, through zwlr_screencopy. Comes in: a part of an output. Goes out: pixels as they are shown, turned upright. */
import { closeSync, openSync, readSync } from 'node:fs';
import { DesktopError, type Rect } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import { openMemory } from './fd-socket.js';
import type { EventReader, WireConnection, Registry } from './wire.js';

const OUTPUT = 'wl_output';
const VERSION = 4;

/** The outputs of the compositor, by their names: what pictures are taken of, and how each is turned. */
interface Output {
  id: number;
  name: string;
  /** Of `wl_output.transform`: quarter turns counterclockwise, and from 4 on mirrored first. */
  transform: number;
}

export class Outputs {
  readonly #known = new Map<number, Output>();
  readonly #stop: () => void;

  private constructor(
    private readonly wire: WireConnection,
    private readonly registry: Registry,
  ) {
    this.#bindNew();
    this.#stop = registry.onChange(() => this.#bindNew());
  }

  static async read(wire: WireConnection, registry: Registry): Promise<Outputs> {
    const outputs = new Outputs(wire, registry);
    await wire.roundtrip();
    return outputs;
  }

  /** One that has just been plugged in tells its name a moment later. */
  async find(name: string): Promise<Output | null> {
    const known = (): Output | null => [...this.#known.values()].find((output) => output.name === name) ?? null;
    const found = known();
    if (found !== null) return found;
    await this.wire.roundtrip();
    return known();
  }

  close(): void {
    this.#stop();
  }

  #bindNew(): void {
    const offered = this.registry.all(OUTPUT);
    for (const { name } of [...this.#known].map(([one]) => ({ name: one })))
      if (!offered.some((one) => one.name === name)) this.#known.delete(name);
    for (const global of offered) {
      if (this.#known.has(global.name)) continue;
      const output: Output = { id: 0, name: '', transform: 0 };
      this.#known.set(global.name, output);
      const bound = this.registry.bind(
        OUTPUT,
        VERSION,
        (opcode, event) => {
          if (opcode === 4) output.name = event.string();
          if (opcode !== 0) return;
          // Place, size and subpixels.
          for (let skipped = 0; skipped < 5; skipped += 1) event.int();
          event.string();
          event.string();
          output.transform = event.int();
        },
        global,
      );
      output.id = bound?.id ?? 0;
    }
  }
}

// Pixels of Wayland as RGB, turned as they are shown.

interface Picture {
  width: number;
  height: number;
  rgb: Uint8Array;
  /** Pixels that were cut off on the left and above. */
  left: number;
  above: number;
}

interface RawFrame {
  format: number;
  width: number;
  height: number;
  /** Bytes of a line. */
  stride: number;
  upsideDown: boolean;
}

const fourcc = (name: string): number => Buffer.from(name, 'latin1').readUInt32LE(0);
/** Where red, green and blue are in the four bytes of a pixel. */
const BYTES: ReadonlyMap<number, readonly [number, number, number]> = new Map([
  [0, [2, 1, 0]],
  [1, [2, 1, 0]],
  [fourcc('XB24'), [0, 1, 2]],
  [fourcc('AB24'), [0, 1, 2]],
]);

/** A part of an output, in points of it. */
export interface OutputPart {
  part: Rect;
  /** The whole output. */
  size: { width: number; height: number };
  /** Pixels per point. */
  scale: number;
}

/** Compositors round parts of outputs that are turned or scaled by a fraction, each in its way: of these all is taken, and cut here. */
const isCutHere = ({ transform }: Output, { scale }: OutputPart): boolean =>
  transform !== 0 || !Number.isInteger(scale);

/** In pixels of the upright picture; at least what the part covers. */
function pixelsOf({ part, size, scale }: OutputPart, whole: { width: number; height: number }): Rect {
  const [x, y] = [Math.floor(part.x * scale), Math.floor(part.y * scale)];
  const end = (from: number, length: number, of: number, pixels: number): number =>
    from + length >= of ? pixels : Math.min(pixels, Math.ceil((from + length) * scale));
  return {
    ...{ x, y },
    width: end(part.x, part.width, size.width, whole.width) - x,
    height: end(part.y, part.height, size.height, whole.height) - y,
  };
}

/** `transform`: how the output is turned, see `Output`. `cut`: what to take of it. Rejects a format that no compositor has to use. */
function uprightRgb(raw: RawFrame, bytes: Uint8Array, transform: number, cut: OutputPart | null): Picture {
  const order = BYTES.get(raw.format);
  if (order === undefined)
    throw new DesktopError('unsupported', message('native.unknown_pixels', { format: raw.format }));
  const turned = transform % 2 === 1;
  const whole = turned ? { width: raw.height, height: raw.width } : { width: raw.width, height: raw.height };
  const { x: left, y: above, width, height } = cut === null ? { x: 0, y: 0, ...whole } : pixelsOf(cut, whole);
  const rgb = new Uint8Array(width * height * 3);
  const [red, green, blue] = order;
  const { start, right, down } = stepsThrough(raw, transform);
  let to = 0;
  for (let y = 0; y < height; y += 1) {
    let from = start + (above + y) * down + left * right;
    for (let x = 0; x < width; x += 1, from += right, to += 3) {
      rgb[to] = bytes[from + red] ?? 0;
      rgb[to + 1] = bytes[from + green] ?? 0;
      rgb[to + 2] = bytes[from + blue] ?? 0;
    }
  }
  return { width, height, rgb, left, above };
}

/** In the bytes of the frame: where the top left pixel of the picture is, and how far it is to its right and lower neighbours. */
function stepsThrough({ width, height, stride, upsideDown }: RawFrame, transform: number) {
  const line = upsideDown ? -stride : stride;
  const first = upsideDown ? (height - 1) * stride : 0;
  const [lastX, lastY] = [(width - 1) * 4, (height - 1) * line];
  // The picture is the frame with the output's turn undone.
  const steps = [
    { start: 0, right: 4, down: line },
    { start: lastY, right: -line, down: 4 },
    { start: lastX + lastY, right: -4, down: -line },
    { start: lastX, right: line, down: -4 },
    { start: lastX, right: -4, down: line },
    { start: 0, right: line, down: 4 },
    { start: lastY, right: 4, down: -line },
    { start: lastX + lastY, right: -line, down: -4 },
  ][transform] ?? { start: 0, right: 4, down: line };
  return { ...steps, start: first + steps.start };
}

export const SCREENCOPY = 'zwlr_screencopy_manager_v1';
export const SHM = 'wl_shm';
const FRAME_EVENT = { buffer: 0, flags: 1, ready: 2, failed: 3, bufferDone: 6 };
const FRAME_REQUEST = { copy: 0, destroy: 1 };
const WITHOUT_POINTER = 0;
const MAX_SIDE = 16_384;

interface Globals {
  shm: number;
  /** Of this version. */
  screencopy: { id: number; version: number };
}

interface Buffers {
  fd: number;
  pool: number;
  buffer: number;
  key: string;
}

export class FrameSource {
  #buffers: Buffers | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly wire: WireConnection,
    private readonly globals: Globals,
  ) {}

  /** One after another, as they share one buffer. */
  capture(output: Output, part: OutputPart, signal: AbortSignal): Promise<Picture> {
    const taken = this.#last.then(() => this.#capture(output, part, signal));
    this.#last = taken.catch(() => {});
    return taken;
  }

  close(): void {
    if (this.#buffers !== null) closeSync(this.#buffers.fd);
    this.#buffers = null;
  }

  async #capture(output: Output, given: OutputPart, signal: AbortSignal): Promise<Picture> {
    signal.throwIfAborted();
    const cut = isCutHere(output, given) ? given : null;
    const raw: RawFrame = { format: 0, width: 0, height: 0, stride: 0, upsideDown: false };
    const frame = { id: 0 };
    await this.wire
      .expect<void>((resolve, reject) => {
        const refuse = (): void => reject(new DesktopError('failed', message('native.no_frame')));
        const ask = (): void => {
          if (isReasonable(raw)) this.wire.send(frame.id, FRAME_REQUEST.copy, this.#bufferFor(raw));
          else refuse();
        };
        frame.id = this.wire.newObject((opcode, event) => {
          if (opcode === FRAME_EVENT.buffer) {
            readBuffer(raw, event);
            if (this.globals.screencopy.version < 3) ask();
          }
          if (opcode === FRAME_EVENT.bufferDone) ask();
          if (opcode === FRAME_EVENT.flags) raw.upsideDown = (event.uint() & 1) !== 0;
          if (opcode === FRAME_EVENT.ready) resolve();
          if (opcode === FRAME_EVENT.failed) refuse();
        });
        const { x, y, width, height } = given.part;
        const manager = this.globals.screencopy.id;
        if (cut !== null) this.wire.send(manager, 0, frame.id, WITHOUT_POINTER, output.id);
        else this.wire.send(manager, 1, frame.id, WITHOUT_POINTER, output.id, x, y, width, height);
      })
      .finally(() => this.#destroy(frame.id));
    const bytes = Buffer.allocUnsafe(raw.stride * raw.height);
    if (this.#buffers !== null) readSync(this.#buffers.fd, bytes, 0, bytes.length, 0);
    return uprightRgb(raw, bytes, output.transform, cut);
  }

  #destroy(frame: number): void {
    try {
      this.wire.send(frame, FRAME_REQUEST.destroy);
    } catch {
      // The connection is lost, and the frame with it.
    }
  }

  #bufferFor({ format, width, height, stride }: RawFrame): number {
    const key = [format, width, height, stride].join();
    if (this.#buffers?.key === key) return this.#buffers.buffer;
    this.#drop();
    const size = stride * height;
    const fd = openMemory('picture', size);
    const [pool, buffer] = [this.wire.newObject(), this.wire.newObject()];
    this.wire.send(this.globals.shm, 0, pool, { fd: duplicate(fd) }, size);
    this.wire.send(pool, 0, buffer, 0, width, height, stride, format);
    this.#buffers = { fd, pool, buffer, key };
    return buffer;
  }

  #drop(): void {
    if (this.#buffers === null) return;
    this.wire.send(this.#buffers.buffer, 0);
    this.wire.send(this.#buffers.pool, 1);
    this.close();
  }
}

/** The connection closes what it sends. */
const duplicate = (fd: number): number => openSync(`/proc/self/fd/${fd}`, 'r+');

function readBuffer(raw: RawFrame, event: EventReader): void {
  raw.format = event.uint();
  raw.width = event.uint();
  raw.height = event.uint();
  raw.stride = event.uint();
}

const isReasonable = ({ width, height, stride }: RawFrame): boolean =>
  width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE && stride >= width * 4 && stride <= MAX_SIDE * 4;
