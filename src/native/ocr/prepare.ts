import sharp from 'sharp';
import type { Capture } from '../desktop.js';
import { flatten } from './flatten.js';

/** Pixels given to recognition at most: time and memory stay bounded, and a 1080p screen still fits at double size. */
const MAX_PIXELS = 9_000_000;
/** Letters of an interface are about 11 points high; the model was trained on twice that. */
const PIXELS_PER_POINT = 2;

export interface Prepared {
  /** A portable greymap. */
  image: Uint8Array;
  /** Its pixels per pixel of the capture. */
  across: number;
  down: number;
  dpi: number;
}

export async function prepare(capture: Capture): Promise<Prepared> {
  const fitted = await shrinkToFit(capture);
  const grey = flatten(fitted, fitted.scale);
  const room = Math.sqrt(MAX_PIXELS / (fitted.width * fitted.height));
  const times = Math.max(1, Math.min(PIXELS_PER_POINT / fitted.scale, room));
  const size = { width: Math.round(fitted.width * times), height: Math.round(fitted.height * times) };
  const pixels = await sharp(grey, { raw: { width: fitted.width, height: fitted.height, channels: 1 } })
    .resize({ ...size, fit: 'fill', kernel: 'cubic' })
    .extractChannel(0)
    .raw()
    .toBuffer();
  return {
    image: new Uint8Array(Buffer.concat([Buffer.from(`P5\n${size.width} ${size.height}\n255\n`), pixels])),
    across: size.width / capture.width,
    down: size.height / capture.height,
    dpi: Math.round(96 * fitted.scale * times),
  };
}

/** Shrinks a capture with more than MAX_PIXELS, which no single display has today. */
async function shrinkToFit(capture: Capture): Promise<Capture> {
  const { width, height, rgb, scale } = capture;
  const factor = Math.sqrt(MAX_PIXELS / (width * height));
  if (factor >= 1) return capture;
  const size = { width: Math.max(1, Math.floor(width * factor)), height: Math.max(1, Math.floor(height * factor)) };
  const smaller = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize({ ...size, fit: 'fill' })
    .raw()
    .toBuffer();
  return { ...capture, ...size, rgb: smaller, scale: scale * factor };
}
