import type { XImage, XShm } from 'x11';
import { DesktopError, type Pixels, type Rect } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import { type XConnection, whenMissing } from './connection.js';
import { randomUUID } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readSync, unlinkSync } from 'node:fs';

/** Reads what a window or pixmap shows, as red, green and blue. */
export type PixelReader = Awaited<ReturnType<typeof openPixelReader>>;

/** An error after which the same call may work. */
const CHANGED = { reason: 'changed', next: 'Make the same call again.' };
const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;

/** Through shared memory where the server has MIT-SHM, else in the reply. */
export async function openPixelReader(x: XConnection) {
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
    read(drawable: number, part: Rect): Promise<Pixels> {
      // There is one shared memory, so one capture at a time.
      const work = lastRead.then(async () => (await readShared(drawable, part)) ?? (await readPlain(drawable, part)));
      lastRead = work.catch(() => {});
      return work;
    },
    close(): void {
      closeShared();
      pool.close();
    },
  };
}

/** Pixels are packed in strips that stay in the processor's cache. */
const STRIP_BYTES = 128 * 1024;

/** Fills `strip` with the bytes of pixels from `at` on. */
type ReadStrip = (strip: Uint8Array, at: number) => void;

/** Fills `rgb` with red, green and blue of pixels of four bytes: blue, green, red, and one that is unused. */
type PackPixels = (rgb: Uint8Array, read: ReadStrip) => void;

/** `read` must not pack: there is one strip. */
export function createPixelPacker(): PackPixels {
  const pixels = new Uint32Array(STRIP_BYTES / 4);
  const colours = new Uint32Array((pixels.length / 4) * 3);
  const [strip, packed] = [new Uint8Array(pixels.buffer), new Uint8Array(colours.buffer)];
  return (rgb, read) => {
    const all = (rgb.length / 3) * 4;
    for (let at = 0; at < all; at += STRIP_BYTES) {
      const bytes = Math.min(STRIP_BYTES, all - at);
      read(strip.subarray(0, bytes), at);
      packFours(pixels, colours, bytes / 4);
      rgb.set(packed.subarray(0, (bytes / 4) * 3), (at / 4) * 3);
    }
  };
}

/** Four pixels become three words, so that one is read and written at a time. The last words may take in what lies beyond `count`. */
function packFours(pixels: Uint32Array, colours: Uint32Array, count: number): void {
  for (let from = 0, to = 0; from < count; from += 4, to += 3) {
    const first = pixels[from] ?? 0;
    const second = pixels[from + 1] ?? 0;
    const third = pixels[from + 2] ?? 0;
    const fourth = pixels[from + 3] ?? 0;
    colours[to] = ((first >>> 16) & 0xff) | (first & 0xff00) | ((first & 0xff) << 16) | ((second & 0xff0000) << 8);
    colours[to + 1] = ((second >>> 8) & 0xff) | ((second & 0xff) << 8) | (third & 0xff0000) | ((third & 0xff00) << 16);
    colours[to + 2] = (third & 0xff) | ((fourth & 0xff0000) >>> 8) | ((fourth & 0xff00) << 8) | (fourth << 24);
  }
}

/** Two pictures are encoded at once on two processors. */
const MAX_UNUSED = 2;
/** Without pictures for so long, the memory goes back to the system. */
const IDLE_MS = 1_000;

/** Memory of pictures. What is released is used again, instead of being cleared by the system for each picture. */
export function createPixelPool() {
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
    /** Not cleared. */
    take(bytes: number): Pixels {
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
