import sharp from 'sharp';
import type { Rect } from '../../src/native/desktop.js';

interface Pixels {
  format: string;
  width: number;
  height: number;
  rgb: Buffer;
}

export async function decoded(bytes: Uint8Array): Promise<Pixels> {
  const { format } = await sharp(bytes).metadata();
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { format: format ?? '', width: info.width, height: info.height, rgb: data };
}

export const pixelAt = ({ width, rgb }: Pick<Pixels, 'width' | 'rgb'>, x: number, y: number): number[] => [
  ...rgb.subarray((y * width + x) * 3, (y * width + x) * 3 + 3),
];

/** In pixels. */
export function cut({ width, rgb }: { width: number; rgb: Uint8Array }, part: Rect): Buffer {
  const rows: Uint8Array[] = [];
  for (let row = 0; row < part.height; row++) {
    const start = ((part.y + row) * width + part.x) * 3;
    rows.push(rgb.subarray(start, start + part.width * 3));
  }
  return Buffer.concat(rows);
}

/** Every pixel of the part has this colour. */
export function isAll(picture: Pixels, part: Rect, colour: readonly number[]): boolean {
  const all = cut(picture, part);
  return all.length > 0 && all.every((value, index) => value === colour[index % 3]);
}

export const MASK = [0x30, 0x30, 0x30];
