/** Encodes captures as files and pictures. The caller masks them first. */
import sharp, { type Sharp } from 'sharp';
import type { Capture, Rect } from '../../native/desktop.js';
import type { Imaging } from '../pipeline/ports.js';
import type { Picture } from '../protocol/index.js';
import { CARD_POINTS, cropFor, targetInCapture, toPixels } from './card-crop.js';
import { drawMarks } from './numbered-boxes.js';
import { maskAreas } from './mask.js';

const PAD_COLOUR = { r: 0x80, g: 0x80, b: 0x80 };
/** Takes a third of the time of sharp's default, for 5 % more bytes. */
const WEBP_EFFORT = 2;
/** WebP allows at most 16,383. */
const MAX_WHOLE_PIXELS = 8_192;
const THUMBNAIL = { width: 128, height: 80 };

function sharpOf(capture: Capture) {
  return sharp(capture.rgb, { raw: { width: capture.width, height: capture.height, channels: 3 } });
}

/** Low compression: each act writes two of these, so speed matters more than size. */
export function toPng(capture: Capture): Promise<Buffer> {
  return sharpOf(capture).png({ compressionLevel: 4 }).toBuffer();
}

/** 128×80 webp, the middle of the capture. */
export function thumbnail(capture: Capture): Promise<Picture> {
  return toThumbnail(sharpOf(capture));
}

export function thumbnailOfPng(png: Uint8Array): Promise<Picture> {
  return toThumbnail(sharp(png));
}

async function toThumbnail(image: Sharp): Promise<Picture> {
  const bytes = await image
    .resize({ ...THUMBNAIL, fit: 'cover' })
    .webp({ quality: 70 })
    .toBuffer();
  return { mimeType: 'image/webp', base64: bytes.toString('base64'), ...THUMBNAIL, target: null };
}

/**
 * The picture of an approval card: ratio 672:208, at most 1344 pixels wide, around `target` (points, global), which is always
 * visible and returned in the picture's pixels. Without a target, or with one outside the capture, the whole capture is shown.
 */
export async function cropForCard(capture: Capture, target: Rect | null): Promise<Picture> {
  const crop = cropFor(capture, target);
  const [left, top] = [Math.floor(crop.frame.x), Math.floor(crop.frame.y)];
  const [wide, high] = [Math.ceil(crop.frame.width), Math.ceil(crop.frame.height)];
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
  const width = Math.min(2 * CARD_POINTS.width, wide);
  const height = Math.max(1, Math.round((width * CARD_POINTS.height) / CARD_POINTS.width));
  // Two passes: sharp would resize before it pads.
  const framed = await sharpOf(capture)
    .extract(inside)
    .extend({ ...pad, background: PAD_COLOUR })
    .raw()
    .toBuffer();
  const bytes = await sharp(framed, { raw: { width: wide, height: high, channels: 3 } })
    .resize({ width, height, fit: 'fill' })
    .webp({ quality: 88, effort: WEBP_EFFORT })
    .toBuffer();
  return {
    mimeType: 'image/webp',
    base64: bytes.toString('base64'),
    width,
    height,
    target: crop.target && mapRect(crop.target, { left, top, across: width / wide, down: height / high }),
  };
}

function mapRect(
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

/** Shrinks to at most this size, keeping the aspect ratio; `scale` changes with it, so that points stay valid. */
export async function downscale(capture: Capture, most: { width: number; height: number }): Promise<Capture> {
  const factor = Math.min(most.width / capture.width, most.height / capture.height);
  if (factor >= 1) return capture;
  const width = Math.max(1, Math.round(capture.width * factor));
  const height = Math.max(1, Math.round(capture.height * factor));
  const rgb = await sharpOf(capture).resize({ width, height, fit: 'fill' }).raw().toBuffer();
  return { ...capture, width, height, rgb, scale: capture.scale * factor };
}

/** Without interpolation: each pixel becomes a block. */
async function enlarge(capture: Capture, times: number): Promise<Capture> {
  if (times <= 1) return capture;
  const [width, height] = [capture.width * times, capture.height * times];
  const rgb = await sharpOf(capture).resize({ width, height, fit: 'fill', kernel: 'nearest' }).raw().toBuffer();
  return { ...capture, width, height, rgb, scale: capture.scale * times };
}

async function encode(capture: Capture, options: Parameters<Imaging['encode']>[1]) {
  const { maxWidth, maxHeight, format, quality, times = 1, marks = [] } = options;
  const sized = await enlarge(await downscale(capture, { width: maxWidth, height: maxHeight }), times);
  const { width, height } = sized;
  const sizing = { left: 0, top: 0, across: width / capture.width, down: height / capture.height };
  const boxes = marks.map((area) => mapRect(toPixels(capture, area), sizing));
  const image = sharpOf(boxes.length === 0 ? sized : { ...sized, rgb: drawMarks(sized, boxes) });
  const encoded =
    format === 'png'
      ? image.png()
      : format === 'jpeg'
        ? image.jpeg({ quality })
        : image.webp({ quality, effort: WEBP_EFFORT });
  return { bytes: await encoded.toBuffer(), mimeType: `image/${format}`, width, height };
}

/** The whole capture for the card's enlarged view, unscaled up to {@link MAX_WHOLE_PIXELS}, with the target in the picture's pixels. */
async function wholeForCard(capture: Capture, target: Rect | null): Promise<Picture> {
  const size = { maxWidth: MAX_WHOLE_PIXELS, maxHeight: MAX_WHOLE_PIXELS };
  const { bytes, width, height } = await encode(capture, { ...size, format: 'webp', quality: 88 });
  const found = targetInCapture(capture, target);
  return {
    mimeType: 'image/webp',
    base64: Buffer.from(bytes).toString('base64'),
    width,
    height,
    target: found && mapRect(found, { left: 0, top: 0, across: width / capture.width, down: height / capture.height }),
  };
}

/** The pipeline's {@link Imaging}. */
export function createImaging(): Imaging {
  return { png: toPng, mask: maskAreas, picture: cropForCard, fullPicture: wholeForCard, thumbnail, encode };
}
