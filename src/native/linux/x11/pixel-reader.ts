import type { XImage } from 'x11';
import { DesktopError, type Pixels, type Rect } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import type { XConnection } from './connection.js';
import { createPixelPool } from './pixel-pool.js';
import { createPixelPacker, type PackPixels } from './pixels.js';
import { whenMissing } from './properties.js';
import { type SharedMemory, shareMemory } from './shared-memory.js';

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
