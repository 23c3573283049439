import { createHash } from 'node:crypto';
import type { Capture } from '../desktop.js';
import { flatten } from './flatten.js';
import type { Bounds } from './ink.js';
import { findLines } from './line-bounds.js';

/** Pixels of a capture that are looked at: time and memory stay bounded, and every single display of today has fewer. */
const MAX_PIXELS = 9_000_000;
/** A capture with more lines than this is a photograph or a pattern, and is read as one block. */
const MAX_LINES = 1_500;
/** Heights that the model reads well, in pixels: lower lines are enlarged up to `maxZoom`, higher ones are reduced. */
const LINE_HEIGHT = { least: 36, most: 72, maxZoom: 5 };
/** White around the line, in heights of it. */
const MARGIN_HEIGHTS = 0.35;

/** A line of text, cut out. */
export interface LinePicture {
  /** Of its pixels before it was scaled; the same for the same pixels anywhere. */
  hash: string;
  /** In pixels of the picture it was cut from. */
  left: number;
  top: number;
  /** Pixels of `image` per pixel of that. */
  zoom: number;
  /** It is the whole picture instead of a line. */
  isBlock: boolean;
  /** Makes the portable greymap that recognition takes. */
  image(): Uint8Array;
}

interface Prepared {
  lines: LinePicture[];
  /** Pixels of the picture that the lines were cut from, per pixel of the capture. */
  scaleX: number;
  scaleY: number;
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
  return { lines, scaleX: width / capture.width, scaleY: height / capture.height };
}

interface Grey {
  width: number;
  height: number;
  grey: Uint8Array;
  margin: number;
}

/** The pixels within the bounds, with a white margin instead of what stands beside them. */
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
  const { least, most, maxZoom } = LINE_HEIGHT;
  const zoom = isBlock ? 1 : high < least ? Math.min(maxZoom, least / high) : Math.min(1, most / high);
  const hash = createHash('sha256').update(`${width}×${height} ${isBlock} `).update(grey).digest('base64');
  return { hash, left, top, zoom, isBlock, image: () => greymap(zoom === 1 ? cutOut : scaled(cutOut, zoom)) };
}

const greymap = ({ width, height, grey }: Pick<Grey, 'width' | 'height' | 'grey'>): Uint8Array =>
  new Uint8Array(Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), grey]));

/** Bilinear. */
function scaled({ width, height, grey }: Grey, zoom: number) {
  const [wide, high] = [Math.max(1, Math.round(width * zoom)), Math.max(1, Math.round(height * zoom))];
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
