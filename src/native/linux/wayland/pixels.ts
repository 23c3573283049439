/** Pixels of Wayland as RGB, turned as they are shown. */
import { DesktopError } from '../../desktop.js';
import { message } from '../../../messages/index.js';

export interface Picture {
  width: number;
  height: number;
  rgb: Uint8Array;
}

export interface RawFrame {
  format: number;
  width: number;
  height: number;
  /** Bytes of a line. */
  stride: number;
  upsideDown: boolean;
}

const fourcc = (name: string): number => Buffer.from(name, 'latin1').readUInt32LE(0);
/** Where red, green and blue are in the four bytes of a pixel. */
const BYTES: ReadonlyMap<number, readonly [number, number, number]> = new Map([
  [0, [2, 1, 0]],
  [1, [2, 1, 0]],
  [fourcc('XB24'), [0, 1, 2]],
  [fourcc('AB24'), [0, 1, 2]],
]);

/** `transform`: how the output is turned, see `outputs.ts`. Rejects a format that no compositor has to use. */
export function uprightRgb(raw: RawFrame, bytes: Uint8Array, transform: number): Picture {
  const order = BYTES.get(raw.format);
  if (order === undefined)
    throw new DesktopError('unsupported', message('native.unknown_pixels', { format: raw.format }));
  const turned = transform % 2 === 1;
  const [width, height] = turned ? [raw.height, raw.width] : [raw.width, raw.height];
  const rgb = new Uint8Array(width * height * 3);
  const [red, green, blue] = order;
  const { start, right, down } = stepsThrough(raw, transform);
  let to = 0;
  for (let y = 0; y < height; y += 1) {
    let from = start + y * down;
    for (let x = 0; x < width; x += 1, from += right, to += 3) {
      rgb[to] = bytes[from + red] ?? 0;
      rgb[to + 1] = bytes[from + green] ?? 0;
      rgb[to + 2] = bytes[from + blue] ?? 0;
    }
  }
  return { width, height, rgb };
}

/** In the bytes of the frame: where the top left pixel of the picture is, and how far it is to its right and lower neighbours. */
function stepsThrough({ width, height, stride, upsideDown }: RawFrame, transform: number) {
  const line = upsideDown ? -stride : stride;
  const first = upsideDown ? (height - 1) * stride : 0;
  const [lastX, lastY] = [(width - 1) * 4, (height - 1) * line];
  // The picture is the frame with the output's turn undone.
  const steps = [
    { start: 0, right: 4, down: line },
    { start: lastX, right: line, down: -4 },
    { start: lastX + lastY, right: -4, down: -line },
    { start: lastY, right: -line, down: 4 },
    { start: lastX, right: -4, down: line },
    { start: 0, right: line, down: 4 },
    { start: lastY, right: 4, down: -line },
    { start: lastX + lastY, right: -line, down: -4 },
  ][transform] ?? { start: 0, right: 4, down: line };
  return { ...steps, start: first + steps.start };
}
