import { createHash } from 'node:crypto';
import type { Capture } from '../desktop.js';
import { flatten } from './flatten.js';
import type { Bounds } from './ink.js';
import { findLines } from './line-bounds.js';

/** Pixels of a capture that are looked at: time and memory stay bounded, and every single display of today has fewer. */
const MAX_PIXELS = 9_000_000;
/** With more lines than this it is a photograph or a pattern, and read as one block. */
const MAX_LINES = 1_500;
/** Heights that the model reads well, in pixels: lower lines are enlarged, but not without end, and higher ones are reduced. */
const LINE_HEIGHT = { least: 36, most: 72, maxTimes: 5 };
/** White around the line, in heights of it. */
const MARGIN_HEIGHTS = 0.35;

/** A line of text, cut out. */
export interface LinePicture {
  /** Of its pixels before it was scaled; the same for the same pixels anywhere. */
  hash: string;
  /** Where it begins, in pixels of what it was cut from, and its pixels per pixel of that. */
  left: number;
  top: number;
  times: number;
  /** Not a line but the whole picture. */
  isBlock: boolean;
  /** Makes the portable greymap that recognition takes. */
  image(): Uint8Array;
}

export interface Prepared {
  lines: LinePicture[];
  /** Pixels of what the lines were cut from, per pixel of the capture. */
  across: number;
  down: number;
}

export async function prepare(capture: Capture): Promise<Prepared> {
  const fitted = await shrinkToFit(capture);
  const { width, height, scale } = fitted;
  const grey = flatten(fitted, scale);
  const found = findLines(grey, width, height, scale);
  const whole = { left: 0, top: 0, right: width - 1, bottom: height - 1 };
  const lines =
    found.length > MAX_LINES
      ? [linePicture(cut(grey, width, whole, 0), whole, true)]
      : found.map((line) => {
          const margin = Math.round((line.bottom - line.top + 1) * MARGIN_HEIGHTS) + 1;
          return linePicture(
            cut(grey, width, line, margin),
            { left: line.left - margin, top: line.top - margin },
            false,
          );
        });
  return { lines, across: width / capture.width, down: height / capture.height };
}

interface Grey {
  width: number;
  height: number;
  grey: Uint8Array;
  margin: number;
}

/** What is within the bounds, with white around it: not what stands beside it. */
function cut(from: Uint8Array, stride: number, { left, top, right, bottom }: Bounds, margin: number): Grey {
  const [wide, high] = [right - left + 1, bottom - top + 1];
  const [width, height] = [wide + 2 * margin, high + 2 * margin];
  const grey = new Uint8Array(width * height).fill(255);
  for (let row = 0; row < high; row++) {
    const start = (top + row) * stride + left;
    grey.set(from.subarray(start, start + wide), (margin + row) * width + margin);
  }
  return { width, height, grey, margin };
}

function linePicture(cutOut: Grey, { left, top }: { left: number; top: number }, isBlock: boolean): LinePicture {
  const { width, height, grey, margin } = cutOut;
  const high = height - 2 * margin;
  const { least, most, maxTimes } = LINE_HEIGHT;
  const times = isBlock ? 1 : high < least ? Math.min(maxTimes, least / high) : Math.min(1, most / high);
  const hash = createHash('sha256').update(`${width}×${height} ${isBlock} `).update(grey).digest('base64');
  return { hash, left, top, times, isBlock, image: () => greymap(times === 1 ? cutOut : scaled(cutOut, times)) };
}

const greymap = ({ width, height, grey }: Pick<Grey, 'width' | 'height' | 'grey'>): Uint8Array =>
  new Uint8Array(Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), grey]));

/** Between four pixels, by how near each is. */
function scaled({ width, height, grey }: Grey, times: number) {
  const [wide, high] = [Math.max(1, Math.round(width * times)), Math.max(1, Math.round(height * times))];
  const out = new Uint8Array(wide * high);
  const columns = Array.from({ length: wide }, (_, x) => between(x, wide, width));
  for (let y = 0, to = 0; y < high; y++) {
    const row = between(y, high, height);
    const [above, below] = [row.first * width, row.second * width];
    for (const { first, second, share } of columns) {
      const up = (grey[above + first] ?? 255) * (1 - share) + (grey[above + second] ?? 255) * share;
      const down = (grey[below + first] ?? 255) * (1 - share) + (grey[below + second] ?? 255) * share;
      out[to++] = Math.round(up * (1 - row.share) + down * row.share);
    }
  }
  return { width: wide, height: high, grey: out };
}

/** The two of `count` pixels that pixel `at` of `of` lies between, and how far it is on the way to the second. */
function between(at: number, of: number, count: number): { first: number; second: number; share: number } {
  const place = Math.min(count - 1, Math.max(0, ((at + 0.5) * count) / of - 0.5));
  const first = Math.floor(place);
  return { first, second: Math.min(count - 1, first + 1), share: place - first };
}

/** Shrinks a capture with more than MAX_PIXELS, which no single display has today. */
async function shrinkToFit(capture: Capture): Promise<Capture> {
  const { width, height, rgb, scale } = capture;
  const factor = Math.sqrt(MAX_PIXELS / (width * height));
  if (factor >= 1) return capture;
  const size = { width: Math.max(1, Math.floor(width * factor)), height: Math.max(1, Math.floor(height * factor)) };
  const { default: sharp } = await import('sharp');
  const smaller = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize({ ...size, fit: 'fill' })
    .raw()
    .toBuffer();
  return { ...capture, ...size, rgb: smaller, scale: scale * factor };
}
