/** Pixels of the system's pictures as ours: 8 bit RGB without padding. */
import { DesktopError, type Rect } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import { ALPHA, BYTE_ORDER, SRGB } from '../calls/libraries.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { PictureSource } from './picture-source.js';

export interface Pixels {
  width: number;
  height: number;
  rgb: Uint8Array;
}

/** Four bytes a pixel, rows perhaps padded. */
interface Bytes {
  data: Buffer;
  rowBytes: number;
  order: Order;
}

/** Where the bytes of a pixel are; `alpha` is null where it has none. Colours are multiplied with it already: that is over black. */
interface Order {
  red: number;
  green: number;
  blue: number;
  alpha: number | null;
}

const BGR = { red: 2, green: 1, blue: 0 };
const RGB = { red: 0, green: 1, blue: 2 };
const ORDERS: ReadonlyMap<number, Order> = new Map([
  [ALPHA.premultipliedFirst | BYTE_ORDER.little32, { ...BGR, alpha: 3 }],
  [ALPHA.noneSkipFirst | BYTE_ORDER.little32, { ...BGR, alpha: null }],
  [ALPHA.premultipliedLast | BYTE_ORDER.big32, { ...RGB, alpha: 3 }],
  [ALPHA.premultipliedLast | BYTE_ORDER.default, { ...RGB, alpha: 3 }],
  [ALPHA.noneSkipLast | BYTE_ORDER.big32, { ...RGB, alpha: null }],
  [ALPHA.noneSkipLast | BYTE_ORDER.default, { ...RGB, alpha: null }],
]);
const DRAWN = ALPHA.noneSkipLast | BYTE_ORDER.big32;

export function imageSize({ bound }: Core, image: Ref): { width: number; height: number } {
  const { CGImageGetHeight, CGImageGetWidth } = bound.coreGraphics;
  return { width: Number(CGImageGetWidth(image)), height: Number(CGImageGetHeight(image)) };
}

/** `part` is in pixels and within the picture. Throws where the picture is empty, as that of a window which cannot be read. */
export function pixelsOf(core: Core, image: Ref, part: Rect): Pixels {
  const { bound } = core;
  const { CGImageGetBitsPerPixel, CGImageGetBitmapInfo } = bound.coreGraphics;
  const order = Number(CGImageGetBitsPerPixel(image)) === 32 ? ORDERS.get(CGImageGetBitmapInfo(image)) : undefined;
  return toRgb(order === undefined ? drawn(core, image) : bytesOf(core, image, order), part);
}

function bytesOf({ bound, scoped }: Core, image: Ref, order: Order): Bytes {
  const { CGDataProviderCopyData, CGImageGetBytesPerRow, CGImageGetDataProvider, CGImageGetHeight } =
    bound.coreGraphics;
  const { CFDataGetBytes, CFDataGetLength } = bound.coreFoundation;
  const rowBytes = Number(CGImageGetBytesPerRow(image));
  return scoped((scope) => {
    const provider = CGImageGetDataProvider(image);
    const copied = provider === null ? null : scope.own(CGDataProviderCopyData(provider));
    const length = copied === null ? 0 : Number(CFDataGetLength(copied));
    if (copied === null || length < rowBytes * Number(CGImageGetHeight(image))) throw unreadable('no pixels');
    const data = Buffer.allocUnsafe(length);
    CFDataGetBytes(copied, 0, length, data);
    return { data, rowBytes, order };
  });
}

/** Deep pictures, and those in another order. */
function drawn(core: Core, image: Ref): Bytes {
  const { bound, scoped } = core;
  const { CGBitmapContextCreate, CGColorSpaceCreateWithName, CGContextDrawImage } = bound.coreGraphics;
  const { width, height } = imageSize(core, image);
  const data = Buffer.alloc(width * height * 4);
  return scoped((scope) => {
    const space = scope.own(CGColorSpaceCreateWithName(bound.object('coreGraphics', SRGB)));
    const context = scope.own(CGBitmapContextCreate(data, width, height, 8, width * 4, space, DRAWN));
    if (context === null) throw unreadable('no bitmap');
    CGContextDrawImage(context, { origin: { x: 0, y: 0 }, size: { width, height } }, image);
    return { data, rowBytes: width * 4, order: { ...RGB, alpha: null } };
  });
}

function toRgb({ data, rowBytes, order }: Bytes, { x, y, width, height }: Rect): Pixels {
  const { red, green, blue, alpha } = order;
  const rgb = new Uint8Array(width * height * 3);
  let opaque = alpha === null ? 255 : 0;
  for (let row = 0, to = 0; row < height; row++) {
    const start = (y + row) * rowBytes + x * 4;
    for (let from = start; from < start + width * 4; from += 4, to += 3) {
      rgb[to] = data[from + red] ?? 0;
      rgb[to + 1] = data[from + green] ?? 0;
      rgb[to + 2] = data[from + blue] ?? 0;
      if (alpha !== null) opaque |= data[from + alpha] ?? 0;
    }
  }
  if (opaque === 0) throw unreadable('an empty picture');
  return { width, height, rgb };
}

export const unreadable = (why: string): DesktopError =>
  new DesktopError('failed', message('native.no_picture_given', { why }));

/** Points by which a picture may differ from the frame that it is of, as fractions are rounded. */
export const TOLERANCE = 1;

/** The wanted part in pixels of a picture of the whole. Throws where the picture has not the size that the whole should have. */
export function pixelPart({ frame, part, scale: known }: PictureSource, size: { width: number; height: number }): Rect {
  const scale = known ?? Math.round(size.width / frame.width);
  const isOff = (pixels: number, points: number): boolean => Math.abs(pixels - points * scale) > scale * TOLERANCE;
  if (scale < 1 || isOff(size.width, frame.width) || isOff(size.height, frame.height)) throw changed();
  const x = Math.round((part.x - frame.x) * scale);
  const y = Math.round((part.y - frame.y) * scale);
  return {
    x,
    y,
    width: Math.min(size.width - x, Math.round(part.width * scale)),
    height: Math.min(size.height - y, Math.round(part.height * scale)),
  };
}

export const changed = (): DesktopError => new DesktopError('failed', message('native.changed_while_captured'));
