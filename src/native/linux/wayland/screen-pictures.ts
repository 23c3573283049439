/** Pictures of the desktop and of windows: parts of what the outputs show. */
import { intersect, overlaps } from '../../../base/rect.js';
import { type Capture, type CaptureTarget, DesktopError, type Display, type Rect } from '../../desktop.js';
import { requireWindow } from '../closing.js';
import type { Pictures } from '../display-server.js';
import { parseWindowId } from '../windows.js';
import type { FrameSource, Outputs } from './frames.js';
import type { SwayWindows } from './sway-windows.js';
import { message } from '../../../messages/index.js';

export class ScreenPictures implements Pictures {
  constructor(
    private readonly windows: SwayWindows,
    private readonly outputs: Outputs,
    private readonly frames: FrameSource,
  ) {}

  /** The compositor offers it. */
  isAllowed = async (): Promise<boolean> => true;
  /** Nothing tells when a window was painted. */
  windowPaint = async (): Promise<null> => null;
  lastPaint = async (): Promise<null> => null;

  capture = async (target: CaptureTarget, signal: AbortSignal): Promise<Capture> => {
    if (target.kind === 'window') return this.#window(parseWindowId(target.windowId), signal);
    const displays = await this.windows.displays();
    if (target.kind === 'region') return this.#area(target.rect, displays, signal);
    const { displayId: id } = target;
    const display = displays.find((one) => (id === undefined ? one.main : one.id === id));
    if (display !== undefined) return this.#area(display.frame, [display], signal);
    throw new DesktopError('not_found', message('error.no_such_display_list', { name: id ?? '' }));
  };

  /** What covers it would be in the picture, so then there is none. */
  async #window(id: number, signal: AbortSignal): Promise<Capture> {
    const found = await requireWindow(this.windows, id);
    if (!found.shown) {
      const why = found.minimized ? 'native.minimised_no_picture' : 'native.hidden_no_picture';
      throw new DesktopError('unsupported', message(why));
    }
    const taken = await this.#area(found.frame, await this.windows.displays(), signal);
    const all = await this.windows.list();
    const above = all.slice(
      0,
      all.findIndex((one) => one.id === id),
    );
    if (above.some((one) => one.shown && overlaps(one.frame, found.frame)))
      throw new DesktopError('unsupported', message('native.covered_no_picture'));
    return taken;
  }

  async #area(wanted: Rect, displays: readonly Display[], signal: AbortSignal): Promise<Capture> {
    const whole = outwards(wanted);
    const parts = displays.flatMap((display) => {
      const part = intersect(whole, display.frame);
      return part === null ? [] : [{ display, part }];
    });
    const [first] = parts;
    if (first === undefined) throw new DesktopError('failed', message('native.region_outside'));
    const taken = await Promise.all(parts.map(({ display, part }) => this.#part(display, part, signal)));
    const [only] = taken;
    return taken.length === 1 && only !== undefined ? only : joined(taken, boxOf(parts.map(({ part }) => part)));
  }

  async #part({ name, frame, scale }: Display, part: Rect, signal: AbortSignal): Promise<Capture> {
    const output = await this.outputs.find(name);
    if (output === null) throw new DesktopError('failed', message('native.region_outside'));
    const inside = { ...part, x: part.x - frame.x, y: part.y - frame.y };
    const taken = await this.frames.capture(output, { part: inside, size: frame, scale }, signal);
    const { width, height, rgb, left, above } = taken;
    const isCut = left !== 0 || above !== 0;
    // A cut is at a pixel, which need not be a whole point.
    const origin = isCut ? { x: frame.x + left / scale, y: frame.y + above / scale } : { x: part.x, y: part.y };
    return { width, height, rgb, origin, scale };
  }
}

function outwards({ x, y, width, height }: Rect): Rect {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  return { x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
}

function boxOf(rects: readonly Rect[]): Rect {
  const [x, y] = [Math.min(...rects.map((one) => one.x)), Math.min(...rects.map((one) => one.y))];
  const right = Math.max(...rects.map((one) => one.x + one.width));
  return { x, y, width: right - x, height: Math.max(...rects.map((one) => one.y + one.height)) - y };
}

/** Of several outputs, as fine as the finest. */
function joined(parts: readonly Capture[], { x, y, width, height }: Rect): Capture {
  const scale = Math.max(...parts.map((one) => one.scale));
  const [wide, high] = [Math.round(width * scale), Math.round(height * scale)];
  const rgb = new Uint8Array(wide * high * 3);
  for (const part of parts) {
    const factor = part.scale / scale;
    const [left, top] = [Math.round((part.origin.x - x) * scale), Math.round((part.origin.y - y) * scale)];
    const [columns, rows] = [Math.round(part.width / factor), Math.round(part.height / factor)];
    for (let row = 0; row < rows && top + row < high; row += 1) {
      const line = Math.min(part.height - 1, Math.floor((row + 0.5) * factor)) * part.width;
      for (let column = 0; column < columns && left + column < wide; column += 1) {
        const from = (line + Math.min(part.width - 1, Math.floor((column + 0.5) * factor))) * 3;
        const to = ((top + row) * wide + left + column) * 3;
        for (let byte = 0; byte < 3; byte += 1) rgb[to + byte] = part.rgb[from + byte] ?? 0;
      }
    }
  }
  return { width: wide, height: high, rgb, origin: { x, y }, scale };
}
