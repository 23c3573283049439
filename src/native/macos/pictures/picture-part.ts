import { DesktopError, type Rect } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import type { PictureSource } from './picture-source.js';

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
