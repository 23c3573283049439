/** Pictures of a GNOME session, which the shell itself takes: of areas, and of windows without what covers them. */
import { boundingBox, intersect } from '../../../base/rect.js';
import { type Capture, type CaptureTarget, DesktopError, type Rect } from '../../desktop.js';
import { requireWindow } from '../closing.js';
import type { Pictures } from '../display-server.js';
import { parseWindowId } from '../windows.js';
import type { GnomeShell } from './gnome-shell.js';
import type { GnomeWindows } from './gnome-windows.js';
import { message } from '../../../messages/index.js';

export class GnomePictures implements Pictures {
  constructor(
    private readonly shell: GnomeShell,
    private readonly windows: GnomeWindows,
  ) {}

  /** The extension that answers is the one that takes them. */
  isAllowed = async (): Promise<boolean> => true;
  /** Nothing tells when a window was painted. */
  windowPaint = async (): Promise<null> => null;
  lastPaint = async (): Promise<null> => null;

  capture = async (target: CaptureTarget): Promise<Capture> => {
    if (target.kind === 'window') return this.#window(parseWindowId(target.windowId));
    if (target.kind === 'region') return this.#area(target.rect);
    const { displayId: id } = target;
    const displays = await this.windows.displays();
    const display = displays.find((one) => (id === undefined ? one.main : one.id === id));
    if (display !== undefined) return this.#area(display.frame);
    throw new DesktopError('not_found', message('error.no_such_display_list', { name: id ?? '' }));
  };

  async #window(id: number): Promise<Capture> {
    const { frame, minimized, isShell } = await requireWindow(this.windows, id);
    if (isShell) return this.#area(frame);
    if (minimized) throw new DesktopError('unsupported', message('native.minimised_no_picture'));
    return this.#take({ window: id }, frame);
  }

  async #area(wanted: Rect): Promise<Capture> {
    const displays = await this.windows.displays();
    const whole = outwards(wanted);
    const parts = displays.flatMap(({ frame }) => intersect(whole, frame) ?? []);
    if (parts.length === 0) throw new DesktopError('failed', message('native.region_outside'));
    const area = boundingBox(parts);
    return this.#take({ area }, area);
  }

  async #take(asked: object, { x, y, width }: Rect): Promise<Capture> {
    const png = await this.shell.bytes('Picture', 's', JSON.stringify(asked));
    const { default: sharp } = await import('sharp');
    const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const scale = width > 0 ? info.width / width : 1;
    return { width: info.width, height: info.height, rgb: new Uint8Array(data), origin: { x, y }, scale };
  }
}

function outwards({ x, y, width, height }: Rect): Rect {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  return { x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
}
