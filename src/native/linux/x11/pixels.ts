import { packModule } from './pack-module.js';

/** Pixels are packed in strips that stay in the processor's cache. */
const STRIP_BYTES = 128 * 1024;
const PAGE_BYTES = 64 * 1024;

/** Fills `strip` with the bytes of pixels from `at` on. */
type ReadStrip = (strip: Uint8Array, at: number) => void;

/** Fills `rgb` with red, green and blue of pixels of four bytes: blue, green, red, and one that is unused. */
export type PackPixels = (rgb: Uint8Array, read: ReadStrip) => void;

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
