/** Captures as files and pictures. The pipeline calls these after masking. */
import sharp, { type Sharp } from 'sharp';
import type { Capture, Rect } from '../../native/desktop.js';
import type { Imaging } from '../pipeline/ports.js';
import type { Picture } from '../protocol/index.js';
import { CARD, cropFor, targetOn, toPixels } from './crop.js';
import { drawMarks } from './marks.js';
import { maskAreas } from './redaction.js';

const PAD = { r: 0x80, g: 0x80, b: 0x80 };
/** A third of the time that sharp's own choice takes, for a twentieth more bytes. */
const WEBP_EFFORT = 2;
/** WebP ends at 16,383. */
const WHOLE_PIXELS = 8_192;
const THUMBNAIL = { width: 128, height: 80 };

function raw(capture: Capture) {
  return sharp(capture.rgb, { raw: { width: capture.width, height: capture.height, channels: 3 } });
}

/** Fast rather than small: a picture is written twice for every act. */
export function toPng(capture: Capture): Promise<Buffer> {
  return raw(capture).png({ compressionLevel: 4 }).toBuffer();
}

/** 128×80 webp, the middle of the capture. */
export function thumbnail(capture: Capture): Promise<Picture> {
  return small(raw(capture));
}

export function thumbnailOfPng(png: Uint8Array): Promise<Picture> {
  return small(sharp(png));
}

async function small(image: Sharp): Promise<Picture> {
  const bytes = await image
    .resize({ ...THUMBNAIL, fit: 'cover' })
    .webp({ quality: 70 })
    .toBuffer();
  return { mimeType: 'image/webp', base64: bytes.toString('base64'), ...THUMBNAIL, target: null };
}

/**
 * The picture of an approval card: ratio 672:208, at most 1344 pixels wide, around `target` (points, global), which is always
 * in view and given back in the picture's pixels. Without a target (or with one off the capture) the whole capture is shown.
 */
export async function cropForCard(capture: Capture, target: Rect | null): Promise<Picture> {
  const crop = cropFor(capture, target);
  const left = Math.floor(crop.frame.x);
  const top = Math.floor(crop.frame.y);
  const wide = Math.ceil(crop.frame.width);
  const high = Math.ceil(crop.frame.height);
  const inside = {
    left: Math.max(0, left),
    top: Math.max(0, top),
    width: Math.min(capture.width, left + wide) - Math.max(0, left),
    height: Math.min(capture.height, top + high) - Math.max(0, top),
  };
  const pad = {
    left: inside.left - left,
    top: inside.top - top,
    right: left + wide - inside.left - inside.width,
    bottom: top + high - inside.top - inside.height,
  };
  const width = Math.min(2 * CARD.width, wide);
  const height = Math.max(1, Math.round((width * CARD.height) / CARD.width));
  // Two passes: sharp would resize before it pads.
  const framed = await raw(capture)
    .extract(inside)
    .extend({ ...pad, background: PAD })
    .raw()
    .toBuffer();
  const image = sharp(framed, { raw: { width: wide, height: high, channels: 3 } }).resize({
    width,
    height,
    fit: 'fill',
  });
  const bytes = await image.webp({ quality: 88, effort: WEBP_EFFORT }).toBuffer();
  return {
    mimeType: 'image/webp',
    base64: bytes.toString('base64'),
    width,
    height,
    target: crop.target && place(crop.target, { left, top, across: width / wide, down: height / high }),
  };
}

function place(
  target: Rect,
  { left, top, across, down }: { left: number; top: number; across: number; down: number },
): Rect {
  return {
    x: (target.x - left) * across,
    y: (target.y - top) * down,
    width: target.width * across,
    height: target.height * down,
  };
}

/** At most that many pixels wide and high, its ratio kept; `scale` follows, so that points stay what they were. */
export async function downscale(capture: Capture, most: { width: number; height: number }): Promise<Capture> {
  const factor = Math.min(most.width / capture.width, most.height / capture.height);
  if (factor >= 1) return capture;
  const width = Math.max(1, Math.round(capture.width * factor));
  const height = Math.max(1, Math.round(capture.height * factor));
  const rgb = await raw(capture).resize({ width, height, fit: 'fill' }).raw().toBuffer();
  return { ...capture, width, height, rgb, scale: capture.scale * factor };
}

/** Each pixel as a block of its own: nothing is invented. */
async function enlarge(capture: Capture, times: number): Promise<Capture> {
  if (times <= 1) return capture;
  const [width, height] = [capture.width * times, capture.height * times];
  const rgb = await raw(capture).resize({ width, height, fit: 'fill', kernel: 'nearest' }).raw().toBuffer();
  return { ...capture, width, height, rgb, scale: capture.scale * times };
}

async function encode(capture: Capture, options: Parameters<Imaging['encode']>[1]) {
  const { maxWidth, maxHeight, format, quality, times = 1, marks = [] } = options;
  const sized = await enlarge(await downscale(capture, { width: maxWidth, height: maxHeight }), times);
  const { width, height } = sized;
  const [across, down] = [width / capture.width, height / capture.height];
  const boxes = marks
    .map((area) => toPixels(capture, area))
    .map((box) => ({ x: box.x * across, y: box.y * down, width: box.width * across, height: box.height * down }));
  const image = raw(boxes.length === 0 ? sized : { ...sized, rgb: drawMarks(sized, boxes) });
  const encoded =
    format === 'png'
      ? image.png()
      : format === 'jpeg'
        ? image.jpeg({ quality })
        : image.webp({ quality, effort: WEBP_EFFORT });
  return { bytes: await encoded.toBuffer(), mimeType: `image/${format}`, width, height };
}

/** For a closer look: the whole capture, pixel by pixel where that is possible, and the target in the picture's pixels. */
async function wholeForCard(capture: Capture, target: Rect | null): Promise<Picture> {
  const size = { maxWidth: WHOLE_PIXELS, maxHeight: WHOLE_PIXELS };
  const { bytes, width, height } = await encode(capture, { ...size, format: 'webp', quality: 88 });
  const found = targetOn(capture, target);
  return {
    mimeType: 'image/webp',
    base64: Buffer.from(bytes).toString('base64'),
    width,
    height,
    target: found && place(found, { left: 0, top: 0, across: width / capture.width, down: height / capture.height }),
  };
}

/** The pipeline's {@link Imaging}. */
export function createImaging(): Imaging {
  return { png: toPng, mask: maskAreas, picture: cropForCard, whole: wholeForCard, thumbnail, encode };
}
