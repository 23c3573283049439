import type { XImage, XShm } from 'x11';
import { DesktopError, type Pixels, type Rect } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import type { XConnection } from './connection.js';
import { whenMissing } from './properties.js';
import { randomUUID } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readSync, unlinkSync } from 'node:fs';

/** Reads what a window or pixmap shows, as red, green and blue. */
export interface PixelReader {
  read(drawable: number, part: Rect): Promise<Pixels>;
  close(): void;
}

/** An error after which the same call may work. */
const CHANGED = { reason: 'changed', next: 'Make the same call again.' };
const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;

/** Through shared memory where the server has MIT-SHM, else in the reply. */
export async function openPixelReader(x: XConnection): Promise<PixelReader> {
  const shm = await x.extension('shm');
  const usable = shm !== null && (await new Promise<boolean>((resolve) => shm.usable((_, yes) => resolve(yes))));
  const pool = createPixelPool();
  let pack: PackPixels | null = null;
  let shared: SharedMemory | null = null;
  let lastRead: Promise<unknown> = Promise.resolve();

  const packed = (depth: number, { width, height }: Rect, read: Parameters<PackPixels>[1]): Pixels => {
    const format = x.display.format[String(depth)];
    if (format?.bits_per_pixel !== 32 || x.display.image_byte_order !== 0)
      throw new DesktopError('unsupported', message('native.colour_depth', { bits: depth }));
    const rgb = pool.take(width * height * 3);
    (pack ??= createPixelPacker())(rgb, read);
    return rgb;
  };

  const closeShared = (): void => {
    shared?.close();
    shared = null;
  };

  const sharedFor = async (bytes: number): Promise<SharedMemory | null> => {
    if (shm === null || !usable || (shared !== null && shared.bytes >= bytes)) return shared;
    closeShared();
    return (shared = await shareMemory(x, shm, bytes));
  };

  const readShared = async (drawable: number, part: Rect): Promise<Pixels | null> => {
    const memory = await sharedFor(part.width * part.height * 4);
    if (memory === null || shm === null) return null;
    const image = await x
      .query<{ depth: number }>((reply) =>
        shm.GetImage(drawable, part.x, part.y, part.width, part.height, ALL_PLANES, Z_PIXMAP, memory.id, 0, reply),
      )
      .catch(whenMissing);
    return image && packed(image.depth, part, memory.read);
  };

  const readPlain = async (drawable: number, part: Rect): Promise<Pixels> => {
    const image = await x
      .query<XImage>((reply) =>
        x.client.GetImage(Z_PIXMAP, drawable, part.x, part.y, part.width, part.height, ALL_PLANES, reply),
      )
      .catch(whenMissing);
    if (image === null) throw new DesktopError('timeout', message('native.no_picture'), CHANGED);
    const { data, depth } = image;
    return packed(depth, part, (strip, at) => strip.set(data.subarray(at, at + strip.length)));
  };

  return {
    read(drawable, part) {
      // There is one shared memory, so one capture at a time.
      const work = lastRead.then(async () => (await readShared(drawable, part)) ?? (await readPlain(drawable, part)));
      lastRead = work.catch(() => {});
      return work;
    },
    close() {
      closeShared();
      pool.close();
    },
  };
}

/** Pixels are packed in strips that stay in the processor's cache. */
const STRIP_BYTES = 128 * 1024;
const PAGE_BYTES = 64 * 1024;

/** Fills `strip` with the bytes of pixels from `at` on. */
type ReadStrip = (strip: Uint8Array, at: number) => void;

/** Fills `rgb` with red, green and blue of pixels of four bytes: blue, green, red, and one that is unused. */
type PackPixels = (rgb: Uint8Array, read: ReadStrip) => void;

/** `read` must not pack: there is one strip. */
export function createPixelPacker(): PackPixels {
  const { memory, pack } = new WebAssembly.Instance(new WebAssembly.Module(packModule(STRIP_BYTES / PAGE_BYTES)))
    .exports;
  if (!(memory instanceof WebAssembly.Memory) || typeof pack !== 'function')
    throw new Error('the module has no packer');
  const strip = new Uint8Array(memory.buffer);
  return (rgb, read) => {
    const all = (rgb.length / 3) * 4;
    for (let at = 0; at < all; at += STRIP_BYTES) {
      const bytes = Math.min(STRIP_BYTES, all - at);
      read(strip.subarray(0, bytes), at);
      pack(bytes);
      rgb.set(strip.subarray(0, (bytes / 4) * 3), (at / 4) * 3);
    }
  };
}

/** Memory of pictures. What is released is used again, instead of being cleared by the system for each picture. */
interface PixelPool {
  /** Not cleared. */
  take(bytes: number): Pixels;
  close(): void;
}

/** Two pictures are encoded at once on two processors. */
const MAX_UNUSED = 2;
/** Without pictures for so long, the memory goes back to the system. */
const IDLE_MS = 1_000;

export function createPixelPool(): PixelPool {
  let unused: ArrayBuffer[] = [];
  let idle: NodeJS.Timeout | null = null;

  const close = (): void => {
    if (idle !== null) clearTimeout(idle);
    idle = null;
    unused = [];
  };

  const release = (used: ArrayBuffer): void => {
    if (used.byteLength === 0) return;
    // Whoever still has the old pixels has nothing of the next picture.
    const moved = structuredClone(used, { transfer: [used] });
    unused = [moved, ...unused].slice(0, MAX_UNUSED);
    if (idle === null) idle = setTimeout(close, IDLE_MS).unref();
    else idle.refresh();
  };

  return {
    take(bytes) {
      const found = unused.find(({ byteLength }) => byteLength >= bytes && byteLength <= 2 * bytes);
      unused = unused.filter((one) => one !== found);
      const buffer = found ?? new ArrayBuffer(bytes);
      return Object.assign(new Uint8Array(buffer, 0, bytes), { release: () => release(buffer) });
    },
    close,
  };
}

/** Memory that the server writes pictures to. */
interface SharedMemory {
  readonly id: number;
  readonly bytes: number;
  /** Fills `into` with what is there from `at` on. */
  read(into: Uint8Array, at: number): void;
  close(): void;
}

/** null where the server does not take it. No other process can open it. */
async function shareMemory(x: XConnection, shm: XShm, bytes: number): Promise<SharedMemory | null> {
  let file: number | null = openUnnamed(bytes);
  const id = x.client.AllocID();
  const close = (): void => {
    if (file === null) return;
    closeSync(file);
    file = null;
    x.client.ReleaseID(id);
  };
  try {
    const attached = file;
    await x.send((done) => shm.AttachFd(id, attached, false, done));
  } catch {
    close();
    return null;
  }
  return {
    id,
    bytes,
    read(into, at) {
      if (file === null) throw new Error('the shared memory is closed');
      if (readSync(file, into, 0, into.length, at) < into.length) throw new Error('the shared memory is too small');
    },
    close() {
      shm.Detach(id);
      close();
    },
  };
}

function openUnnamed(bytes: number): number {
  const path = `/dev/shm/chaperone-${randomUUID()}`;
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  ftruncateSync(file, bytes);
  return file;
}

// The code that packs pixels, in WebAssembly: sixteen at once, ten times as fast as a loop over numbers. In the module's memory, from
// its beginning on, four bytes a pixel (blue, green, red, one that is unused) become three (red, green, blue).

/** Of pixels that are read in one round, and of their colours. */
const [ROUND_BYTES, PACKED_BYTES] = [64, 48];

const [I32, V128] = [0x7f, 0x7b];
const [LOOP, WITHOUT_RESULT, BRANCH_IF, END] = [0x03, 0x40, 0x0d, 0x0b];
const [LOCAL_GET, LOCAL_SET, LOCAL_TEE] = [0x20, 0x21, 0x22];
const [CONSTANT, ADD, LESS_UNSIGNED] = [0x41, 0x6a, 0x49];
const [VECTOR, LOAD, STORE, SHUFFLE] = [0xfd, 0, 11, 13];
const SECTION = { types: 1, functions: 3, memory: 5, exports: 7, code: 10 };
const [FUNCTION_TYPE, EXPORTED_FUNCTION, EXPORTED_MEMORY] = [0x60, 0, 2];

/** The parameter, up to which bytes are packed, and the variables. */
const [LIMIT, FROM, TO, FIRST_VECTOR] = [0, 1, 2, 3];

const unsigned = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
/** Up to 0x1fff. A last byte with bit 0x40 would be of a number below zero. */
const constant = (value: number): number[] => [
  CONSTANT,
  ...(value < 0x40 ? [value] : [(value & 0x7f) | 0x80, value >>> 7]),
];
const list = (...items: number[][]): number[] => [...unsigned(items.length), ...items.flat()];
const sized = (content: number[]): number[] => [...unsigned(content.length), ...content];
const section = (id: number, ...items: number[][]): number[] => [id, ...sized(list(...items))];
const named = (name: string, kind: number): number[] => [...sized([...Buffer.from(name)]), kind, 0];

/** Sixteen bytes of colours come from two of the four vectors of pixels. */
function third(index: number): number[] {
  const lanes = Array.from({ length: 16 }, (_, lane) => {
    const to = 16 * index + lane;
    return 4 * Math.floor(to / 3) + 2 - (to % 3) - 16 * index;
  });
  const vectors = [LOCAL_GET, FIRST_VECTOR + index, LOCAL_GET, FIRST_VECTOR + index + 1];
  return [LOCAL_GET, TO, ...vectors, VECTOR, SHUFFLE, ...lanes, VECTOR, STORE, 0, 16 * index];
}

const load = (index: number): number[] => [
  ...[LOCAL_GET, FROM, VECTOR, LOAD, 0, 16 * index],
  ...[LOCAL_SET, FIRST_VECTOR + index],
];

/** Exports `memory`, and `pack` with the number of bytes, which must not be 0. The last round may read and write beyond them. */
function packModule(memoryPages: number): Uint8Array<ArrayBuffer> {
  const variables = list([2, I32], [4, V128]);
  const round = [
    ...[0, 1, 2, 3].flatMap(load),
    ...[0, 1, 2].flatMap(third),
    ...[LOCAL_GET, TO, ...constant(PACKED_BYTES), ADD, LOCAL_SET, TO],
    ...[LOCAL_GET, FROM, ...constant(ROUND_BYTES), ADD, LOCAL_TEE, FROM],
    ...[LOCAL_GET, LIMIT, LESS_UNSIGNED, BRANCH_IF, 0],
  ];
  const body = [...variables, LOOP, WITHOUT_RESULT, ...round, END, END];
  return Uint8Array.from([
    ...[0, ...Buffer.from('asm'), 1, 0, 0, 0],
    ...section(SECTION.types, [FUNCTION_TYPE, ...list([I32]), ...list()]),
    ...section(SECTION.functions, [0]),
    ...section(SECTION.memory, [0, ...unsigned(memoryPages)]),
    ...section(SECTION.exports, named('memory', EXPORTED_MEMORY), named('pack', EXPORTED_FUNCTION)),
    ...section(SECTION.code, sized(body)),
  ]);
}
