/** All pictures, also those of requests: covers areas that the caller names, cuts out, scales, encodes. */
import type { Sharp } from 'sharp';
import { LRUCache } from 'lru-cache';
import type { Capture, Rect } from '../../native/desktop.js';
import type { Picture, Activity } from '../protocol/index.js';
import { drawMarks } from './numbered-boxes.js';
import { intersect } from '../../base/rect.js';
import type { Logger } from './sealed-file.js';

const PAD_COLOUR = { r: 0x80, g: 0x80, b: 0x80 };
/** Each act writes two: takes two thirds of the time of level 6, for a sixth more bytes. */
const PNG_LEVEL = 2;
/** Takes a third of the time of sharp's default, for 5 % more bytes. */
const WEBP_EFFORT = 2;
/** Text is as sharp as with the three lobes of the default, in a tenth less time and bytes. */
const SMALLER = { fit: 'fill', kernel: 'cubic' } as const;
/** WebP allows at most 16,383. */
const MAX_WHOLE_PIXELS = 8_192;
/** Of one capture, which may be asked for in any size. */
const MAX_ENCODINGS = 8;
const THUMBNAIL = { width: 128, height: 80 };

/** Loaded with the first picture: it takes half as long as the rest of a host's start. */
async function loadSharp() {
  const { default: sharp } = await import('sharp');
  // No picture is encoded twice the same way.
  sharp.cache(false);
  return sharp;
}

const rawOptions = ({ width, height }: Size) => ({ raw: { width, height, channels: 3 } }) as const;

const sharpOf = async (capture: Capture): Promise<Sharp> => (await loadSharp())(capture.rgb, rawOptions(capture));

export async function toPng(capture: Capture): Promise<Buffer> {
  return (await sharpOf(capture)).png({ compressionLevel: PNG_LEVEL }).toBuffer();
}

/** 128×80 webp, the middle of the capture. */
export async function thumbnail(capture: Capture): Promise<Picture> {
  return toThumbnail(await sharpOf(capture));
}

async function thumbnailOfPng(png: Uint8Array): Promise<Picture> {
  return toThumbnail((await loadSharp())(png));
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
  const framed = await (
    await sharpOf(capture)
  )
    .extract(inside)
    .extend({ ...pad, background: PAD_COLOUR })
    .raw()
    .toBuffer();
  const bytes = await (
    await loadSharp()
  )(framed, rawOptions({ width: wide, height: high }))
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

interface Size {
  width: number;
  height: number;
}

/** At most this size, with the same aspect ratio. */
function fittedSize({ width, height }: Capture, most: Size): Size & { factor: number } {
  const factor = Math.min(1, most.width / width, most.height / height);
  const scaled = (side: number) => Math.max(1, Math.round(side * factor));
  return { factor, width: scaled(width), height: scaled(height) };
}

/** Shrinks to at most this size; `scale` changes with it, so that points stay valid. */
export async function downscale(capture: Capture, most: Size): Promise<Capture> {
  const { factor, width, height } = fittedSize(capture, most);
  if (factor >= 1) return capture;
  const rgb = await (await sharpOf(capture)).resize({ width, height, fit: 'fill' }).raw().toBuffer();
  return { ...capture, width, height, rgb, scale: capture.scale * factor };
}

/** Without interpolation: each pixel becomes a block. */
async function enlarge(capture: Capture, times: number): Promise<Capture> {
  if (times <= 1) return capture;
  const [width, height] = [capture.width * times, capture.height * times];
  const rgb = await (await sharpOf(capture)).resize({ width, height, fit: 'fill', kernel: 'nearest' }).raw().toBuffer();
  return { ...capture, width, height, rgb, scale: capture.scale * times };
}

export interface EncodeOptions {
  maxWidth: number;
  maxHeight: number;
  format: 'png' | 'jpeg' | 'webp';
  quality: number;
  times?: number;
  marks?: readonly Rect[];
}

async function encode(capture: Capture, options: EncodeOptions) {
  const { maxWidth, maxHeight, times = 1, marks = [] } = options;
  const most = { width: maxWidth, height: maxHeight };
  if (times <= 1 && marks.length === 0) return encodeScaled(capture, most, options);
  const sized = await enlarge(await downscale(capture, most), times);
  const { width, height } = sized;
  const sizing = { left: 0, top: 0, across: width / capture.width, down: height / capture.height };
  const boxes = marks.map((area) => mapRect(toPixels(capture, area), sizing));
  const image = await sharpOf(boxes.length === 0 ? sized : { ...sized, rgb: drawMarks(sized, boxes) });
  return { bytes: await toFormat(image, options), mimeType: `image/${options.format}`, width, height };
}

/** In one pass, without the pixels of the smaller picture in between. */
async function encodeScaled(capture: Capture, most: Size, options: EncodeOptions) {
  const { factor, width, height } = fittedSize(capture, most);
  const image = await sharpOf(capture);
  const sized = factor >= 1 ? image : image.resize({ width, height, ...SMALLER });
  return { bytes: await toFormat(sized, options), mimeType: `image/${options.format}`, width, height };
}

function toFormat(image: Sharp, { format, quality }: EncodeOptions): Promise<Buffer> {
  if (format === 'png') return image.png({ compressionLevel: PNG_LEVEL }).toBuffer();
  return (format === 'jpeg' ? image.jpeg({ quality }) : image.webp({ quality, effort: WEBP_EFFORT })).toBuffer();
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

export type Imaging = ReturnType<typeof createImaging>;

export function createImaging() {
  return {
    /** `same`: one with the same pixels, which may be encoded already. */
    png: createPng(),
    mask: createMask(),
    /** A crop for the card, the target kept in view. */
    picture: cropForCard,
    /** The whole capture in full resolution, with the target in it. */
    fullPicture: wholeForCard,
    thumbnail,
    /** Scaled to fit, then enlarged `times`. `marks` (points) are outlined and numbered from 1. */
    encode: once(encode),
  };
}

/** The same capture with the same areas becomes the same picture: it is not copied again, nor encoded again. Only the last one is kept. */
function createMask() {
  const made = new WeakMap<Capture, { name: string; masked: Capture }>();
  return (capture: Capture, areas: Rect[]): Capture => {
    const name = [...new Set(areas.map((area) => JSON.stringify(area)))].join();
    const known = made.get(capture);
    if (known?.name === name) return known.masked;
    const masked = fillAreas(capture, areas);
    made.set(capture, { name, masked });
    return masked;
  };
}

/** One capture may be the picture after an act and before the next one. */
function createPng() {
  const made = new WeakMap<Capture, Promise<Buffer>>();
  return (capture: Capture, same = capture): Promise<Uint8Array> => {
    const png = made.get(capture) ?? made.get(same) ?? toPng(capture);
    made.set(capture, png);
    png.catch(() => made.delete(capture));
    return png;
  };
}

/** The same capture is not encoded twice in the same way: several calls may have it. */
function once<O extends unknown[], R>(make: (capture: Capture, ...options: O) => Promise<R>): typeof make {
  const made = new WeakMap<Capture, Map<string, Promise<R>>>();
  return (capture, ...options) => {
    const known = made.get(capture) ?? new Map<string, Promise<R>>();
    made.set(capture, known);
    const key = JSON.stringify(options);
    const result = known.get(key) ?? make(capture, ...options);
    known.set(key, result);
    result.catch(() => known.delete(key));
    for (const oldest of known.keys()) if (known.size > MAX_ENCODINGS) known.delete(oldest);
    return result;
  };
}

// Pure: which part of a capture an approval card shows, in the capture's pixels.

/** Width and height of a card's picture, in points. */
const CARD_POINTS = { width: 672, height: 208 };
const RATIO = CARD_POINTS.width / CARD_POINTS.height;
const MARGIN_POINTS = 16;

interface Crop {
  /** May extend beyond the capture; the outside is padded. */
  frame: Rect;
  /** The target, clipped to the capture; null when it lies outside. */
  target: Rect | null;
}

function toPixels({ origin, scale }: Capture, rect: Rect): Rect {
  return {
    x: (rect.x - origin.x) * scale,
    y: (rect.y - origin.y) * scale,
    width: rect.width * scale,
    height: rect.height * scale,
  };
}

/** The target in the capture's pixels; null when it lies outside. */
function targetInCapture(capture: Capture, target: Rect | null): Rect | null {
  const { width, height } = capture;
  return target && intersect(toPixels(capture, target), { x: 0, y: 0, width, height });
}

/** The smallest frame with the card's aspect ratio that contains a box of this size. */
function frameAround(width: number, height: number): { width: number; height: number } {
  const wide = Math.max(width, height * RATIO);
  return { width: wide, height: wide / RATIO };
}

/** A frame around the target at its natural size if it fits, else a larger one. Without a target: the whole capture. */
export function cropFor(capture: Capture, targetPoints: Rect | null): Crop {
  const { width, height, scale } = capture;
  const target = targetInCapture(capture, targetPoints);
  const whole = frameAround(width, height);
  if (target === null) return { frame: centred(whole, { x: 0, y: 0, width, height }), target: null };
  const margin = 2 * MARGIN_POINTS * scale;
  const needed = frameAround(target.width + margin, target.height + margin);
  const natural = { width: CARD_POINTS.width * scale, height: CARD_POINTS.height * scale };
  const fits = frameAround(0, Math.min(height, width / RATIO));
  const wide = Math.max(needed.width, Math.min(natural.width, fits.width));
  const frame = centred({ width: wide, height: wide / RATIO }, target);
  return {
    frame: { ...frame, x: keepInside(frame.x, frame.width, width), y: keepInside(frame.y, frame.height, height) },
    target,
  };
}

function centred(size: { width: number; height: number }, on: Rect): Rect {
  return { x: on.x + (on.width - size.width) / 2, y: on.y + (on.height - size.height) / 2, ...size };
}

/** Moves a frame into the capture; a larger frame is centred. */
function keepInside(start: number, length: number, limit: number): number {
  return length >= limit ? (limit - length) / 2 : Math.min(limit - length, Math.max(0, start));
}

// Masks areas of a capture. Must run before anything is written or sent. Pure.

const FILL = 0x30;

/** First and last (exclusive) byte of one row of an area. */
type Span = readonly [from: number, to: number];

/**
 * `capture` with `areas` (points, global) filled in one colour; itself where nothing of it changes. An area with a non-finite number
 * masks everything.
 */
export function fillAreas(capture: Capture, areas: readonly Rect[]): Capture {
  const shown = areas.flatMap((area) => spansOf(capture, area)).filter((span) => !isFilled(capture.rgb, span));
  if (shown.length === 0) return capture;
  const rgb = new Uint8Array(capture.rgb);
  for (const [from, to] of shown) rgb.fill(FILL, from, to);
  return { ...capture, rgb };
}

function spansOf({ width, height, origin, scale, rgb }: Capture, area: Rect): Span[] {
  if (![area.x, area.y, area.width, area.height].every(Number.isFinite)) return [[0, rgb.length]];
  const [left, right] = clippedRange(area.x, area.width, origin.x, scale, width);
  const [top, bottom] = clippedRange(area.y, area.height, origin.y, scale, height);
  if (left >= right || top >= bottom) return [];
  return Array.from({ length: bottom - top }, (_, row) => {
    const start = (top + row) * width;
    return [(start + left) * 3, (start + right) * 3];
  });
}

function isFilled(rgb: Uint8Array, [from, to]: Span): boolean {
  for (let at = from; at < to; at++) if (rgb[at] !== FILL) return false;
  return true;
}

/** First and last (exclusive) pixel, rounded outwards and clipped. */
function clippedRange(start: number, length: number, origin: number, scale: number, limit: number): [number, number] {
  const a = (start - origin) * scale;
  const b = (start + length - origin) * scale;
  const clip = (value: number) => Math.min(limit, Math.max(0, value));
  return [clip(Math.floor(Math.min(a, b))), clip(Math.ceil(Math.max(a, b)))];
}

const MAX_THUMBNAILS = 600;
/** Files a thumbnail is made of, in order of preference. */
export const THUMBNAIL_SOURCES = ['after.png', 'observe.png', 'before.png'] as const;

/** Thumbnails of the activity list, in memory only. */
export type Thumbnails = ReturnType<typeof createThumbnails>;

export function createThumbnails(log: Logger) {
  const kept = new LRUCache<string, NonNullable<Activity['thumbnail']>>({ max: MAX_THUMBNAILS });
  return {
    get: (executionId: string) => kept.get(executionId) ?? null,
    async make(executionId: string, png: Uint8Array): Promise<Activity['thumbnail']> {
      try {
        const picture = await thumbnailOfPng(png);
        kept.set(executionId, picture);
        return picture;
      } catch (error) {
        log.warn({ executionId, reason: String(error) }, 'no thumbnail could be made');
        return null;
      }
    },
  };
}
