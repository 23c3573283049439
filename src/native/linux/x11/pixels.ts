/** Red, green and blue of pixels that have them in their lower three bytes. Packs four pixels into three words at once. */
export function rgbOf(pixels: Uint32Array): Uint8Array {
  const words = new Uint32Array(Math.ceil((pixels.length * 3) / 4));
  const rgb = new Uint8Array(words.buffer, 0, pixels.length * 3);
  let from = 0;
  for (let to = 0; from + 4 <= pixels.length; from += 4, to += 3) {
    const a = pixels[from] ?? 0;
    const b = pixels[from + 1] ?? 0;
    const c = pixels[from + 2] ?? 0;
    const d = pixels[from + 3] ?? 0;
    words[to] = ((a >>> 16) & 0xff) | (a & 0xff00) | ((a & 0xff) << 16) | ((b & 0xff0000) << 8);
    words[to + 1] = ((b >>> 8) & 0xff) | ((b & 0xff) << 8) | (c & 0xff0000) | ((c & 0xff00) << 16);
    words[to + 2] = (c & 0xff) | ((d >>> 8) & 0xff00) | ((d & 0xff00) << 8) | ((d & 0xff) << 24);
  }
  for (; from < pixels.length; from += 1) rgb.set(bytesOf(pixels[from] ?? 0), from * 3);
  return rgb;
}

const bytesOf = (pixel: number): number[] => [pixel >>> 16, pixel >>> 8, pixel].map((value) => value & 0xff);
