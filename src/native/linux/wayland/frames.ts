/** Pictures of outputs, through zwlr_screencopy. Comes in: a part of an output. Goes out: pixels as they are shown, turned upright. */
import { closeSync, openSync, readSync } from 'node:fs';
import { DesktopError, type Rect } from '../../desktop.js';
import { openMemory } from './fd-socket.js';
import type { Output } from './outputs.js';
import { uprightRgb, type Picture, type RawFrame } from './pixels.js';
import type { EventReader, WireConnection } from './wire.js';
import { message } from '../../../messages/index.js';

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

  /** `part` is in points of the output, whole ones. One after another, as they share one buffer. */
  capture(output: Output, part: Rect, signal: AbortSignal): Promise<Picture> {
    const taken = this.#last.then(() => this.#capture(output, part, signal));
    this.#last = taken.catch(() => {});
    return taken;
  }

  close(): void {
    if (this.#buffers !== null) closeSync(this.#buffers.fd);
    this.#buffers = null;
  }

  async #capture({ id, transform }: Output, part: Rect, signal: AbortSignal): Promise<Picture> {
    signal.throwIfAborted();
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
        const { x, y, width, height } = part;
        this.wire.send(this.globals.screencopy.id, 1, frame.id, WITHOUT_POINTER, id, x, y, width, height);
      })
      .finally(() => this.#destroy(frame.id));
    const bytes = Buffer.allocUnsafe(raw.stride * raw.height);
    if (this.#buffers !== null) readSync(this.#buffers.fd, bytes, 0, bytes.length, 0);
    return uprightRgb(raw, bytes, transform);
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
