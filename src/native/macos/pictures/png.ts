/** Reads PNG files as `screencapture` writes them: colour with 8 or 16 bits, with or without alpha, not interlaced. */
import { inflateSync } from 'node:zlib';
import type { Rect } from '../../desktop.js';
import { unreadable, type Pixels } from './pixels.js';

interface Header {
  width: number;
  height: number;
  /** 1 or 2; of 16 bits the upper ones are taken. */
  depthBytes: number;
  channels: number;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const CHANNELS: ReadonlyMap<number, number> = new Map([
  [2, 3],
  [6, 4],
]);
const MOST_PIXELS = 200_000_000;

/** `partOf` says which pixels are wanted, once the size is known. Colours are put over black. */
export function readPng(file: Buffer, partOf: (size: { width: number; height: number }) => Rect): Pixels {
  const { header, data } = chunksOf(file);
  const { width, height, depthBytes, channels } = header;
  const stride = width * channels * depthBytes;
  const raw = inflateSync(data, { maxOutputLength: (stride + 1) * height });
  if (raw.length !== (stride + 1) * height) throw unreadable('a cut file');
  unfilter(raw, stride, channels * depthBytes, height);
  return cut(raw, stride, header, partOf({ width, height }));
}

function chunksOf(file: Buffer): { header: Header; data: Buffer } {
  if (!file.subarray(0, 8).equals(SIGNATURE)) throw unreadable('no PNG file');
  let header: Header | null = null;
  const parts: Buffer[] = [];
  for (let at = 8; at + 12 <= file.length;) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = headerOf(body);
    if (type === 'IDAT') parts.push(body);
    at += 12 + length;
  }
  if (header === null) throw unreadable('no PNG header');
  return { header, data: Buffer.concat(parts) };
}

function headerOf(body: Buffer): Header {
  if (body.length !== 13) throw unreadable('no PNG header');
  const [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
  const [depth = 0, kind = 0, , , interlaced] = body.subarray(8);
  const channels = CHANNELS.get(kind);
  const isKnown = (depth === 8 || depth === 16) && interlaced === 0;
  if (channels === undefined || !isKnown || width * height > MOST_PIXELS) throw unreadable('another kind of PNG');
  return { width, height, depthBytes: depth / 8, channels };
}

/** In place; each row begins with the number of its filter. */
function unfilter(raw: Buffer, stride: number, pixel: number, height: number): void {
  for (let row = 0; row < height; row++) {
    const start = row * (stride + 1) + 1;
    const filter = raw[start - 1] ?? 0;
    if (filter > 4) throw unreadable('a damaged PNG');
    if (filter === 0) continue;
    for (let i = 0; i < stride; i++) {
      const at = start + i;
      const left = i < pixel ? 0 : (raw[at - pixel] ?? 0);
      const up = row === 0 ? 0 : (raw[at - stride - 1] ?? 0);
      const upLeft = row === 0 || i < pixel ? 0 : (raw[at - stride - 1 - pixel] ?? 0);
      raw[at] = (raw[at] ?? 0) + predicted(filter, left, up, upLeft);
    }
  }
}

function predicted(filter: number, left: number, up: number, upLeft: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const estimate = left + up - upLeft;
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - upLeft)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : upLeft;
}

function cut(raw: Buffer, stride: number, { depthBytes, channels }: Header, part: Rect): Pixels {
  const { x, y, width, height } = part;
  const rgb = new Uint8Array(width * height * 3);
  let to = 0;
  for (let row = y; row < y + height; row++) {
    for (let column = x; column < x + width; column++) {
      const at = row * (stride + 1) + 1 + column * channels * depthBytes;
      const alpha = channels === 4 ? (raw[at + 3 * depthBytes] ?? 0) : 255;
      for (let channel = 0; channel < 3; channel++) {
        rgb[to++] = Math.round(((raw[at + channel * depthBytes] ?? 0) * alpha) / 255);
      }
    }
  }
  return { width, height, rgb };
}
