import { packModule } from './pack-module.js';

/** Pixels are packed in strips that stay in the processor's cache. */
const STRIP_BYTES = 128 * 1024;
const PAGE_BYTES = 64 * 1024;

/** Fills `strip` with the bytes of pixels from `at` on. */
type ReadStrip = (strip: Uint8Array, at: number) => void;

/** Red, green and blue of `count` pixels of four bytes: blue, green, red, and one that is unused. */
export type PackPixels = (count: number, read: ReadStrip) => Uint8Array;

/** `read` must not pack: there is one strip. */
export function createPixelPacker(): PackPixels {
  const { memory, pack } = new WebAssembly.Instance(new WebAssembly.Module(packModule(STRIP_BYTES / PAGE_BYTES)))
    .exports;
  if (!(memory instanceof WebAssembly.Memory) || typeof pack !== 'function')
    throw new Error('the module has no packer');
  const strip = new Uint8Array(memory.buffer);
  return (count, read) => {
    const rgb = new Uint8Array(count * 3);
    for (let at = 0; at < count * 4; at += STRIP_BYTES) {
      const bytes = Math.min(STRIP_BYTES, count * 4 - at);
      read(strip.subarray(0, bytes), at);
      pack(bytes);
      rgb.set(strip.subarray(0, (bytes / 4) * 3), (at / 4) * 3);
    }
    return rgb;
  };
}
