/** Converts pictures to and from the clipboard's PNG. */
import { invalidRequest } from '../parameters.js';
import { message } from '../../../messages/index.js';

const FORMATS: ReadonlySet<string> = new Set(['png', 'jpeg', 'webp', 'gif', 'tiff']);
const MAX_PIXELS = 64_000_000;

interface Png {
  bytes: Uint8Array;
  width: number;
  height: number;
}

/** Converts to PNG; a PNG is kept unchanged. `name` is used in errors. */
export async function asPng(bytes: Uint8Array, name: string): Promise<Png> {
  const { default: sharp } = await import('sharp');
  const { format, width, height } = await sharp(bytes)
    .metadata()
    .catch(() => ({ format: null, width: 0, height: 0 }));
  if (format === null || !FORMATS.has(format))
    throw invalidRequest(message('error.no_picture_file', { name }), 'no_picture');
  if (width * height > MAX_PIXELS)
    throw invalidRequest(message('error.too_many_pixels', { name, width, height }), 'no_picture');
  if (format === 'png') return { bytes, width, height };
  const made = await sharp(bytes).png().toBuffer({ resolveWithObject: true });
  return { bytes: new Uint8Array(made.data), width: made.info.width, height: made.info.height };
}

/** Scaled down for a model; null where the bytes are no readable picture. */
export async function thumbnailPng(bytes: Uint8Array, side: number): Promise<Png | null> {
  const fit = { width: side, height: side, fit: 'inside', withoutEnlargement: true } as const;
  const { default: sharp } = await import('sharp');
  const made = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
    .resize(fit)
    .png()
    .toBuffer({ resolveWithObject: true })
    .catch(() => null);
  return made === null ? null : { bytes: new Uint8Array(made.data), width: made.info.width, height: made.info.height };
}
