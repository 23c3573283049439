import type { XGeometry } from 'x11';
import { type Capture, type CaptureTarget, DesktopError, type Rect, type WindowPaint } from '../../desktop.js';
import { abortable, delay } from '../../../base/poll.js';
import { isSame, overlaps } from '../../../base/rect.js';
import type { XConnection } from './connection.js';
import { createKeptPictures } from './kept-pictures.js';
import type { PaintWatch } from './paint-watch.js';
import { openPixelReader, type PixelReader } from './pixel-reader.js';
import { whenMissing } from './properties.js';
import { parseWindowId, type Windows, type TopLevelWindow } from '../windows.js';
import { message } from '../../../messages/index.js';
import { openScreenDamage } from './screen-damage.js';

export interface ScreenCapture {
  capture(target: CaptureTarget, signal: AbortSignal): Promise<Capture>;
  /** Whether the server lets us take pictures. Asked until it does: no X server takes that back from a connection. */
  isAllowed(): Promise<boolean>;
  windowPaint(xid: number, after: string | null, signal: AbortSignal): Promise<WindowPaint | null>;
  close(): void;
}

/** Time for covered windows to repaint after redirection; until then they hold pixels of what covered them. */
const REPAINT_MS = 500;

/** A screen that changes its size during so many pictures is not still. */
const MAX_ATTEMPTS = 3;

/** `call`: see `Windows`. */
type FindArea = (call: AbortSignal | undefined) => Promise<Rect>;

/** Captures the screen, and windows even where others cover them: with Composite, from now on. */
export async function openScreenCapture(
  x: XConnection,
  windows: Windows,
  paintWatch: PaintWatch,
  windowEvents: XConnection,
): Promise<ScreenCapture> {
  const composite = await x.extension('composite');
  if (composite !== null) {
    composite.RedirectSubwindows(x.root, composite.Redirect.Automatic);
    await x.sync();
  }
  const redirected = Date.now();
  const pixels = await openPixelReader(x);
  const areas = await openAreaPictures(windowEvents, windows, pixels);
  const ofWindows = createKeptPictures();

  /** The server gives no picture of what lies outside: where the screen got smaller meanwhile, of what is there now. */
  const captureArea = async (wanted: FindArea, signal: AbortSignal): Promise<Capture> => {
    const onScreen = async (call?: AbortSignal): Promise<Rect> => clip(await wanted(call), await windows.screen(call));
    let area = await onScreen(signal);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await areas.capture(area);
      } catch (error) {
        const now = await onScreen();
        if (isSame(now, area) || attempt === MAX_ATTEMPTS) throw error;
        area = now;
      }
    }
  };

  const frameOfDisplay = async (id: string | undefined, call: AbortSignal | undefined): Promise<Rect> => {
    const displays = await windows.displays(call);
    const display = displays.find((one) => (id === undefined ? one.main : one.id === id));
    if (display !== undefined) return display.frame;
    throw new DesktopError('not_found', message('error.no_such_display_list', { name: id ?? '' }));
  };

  let allowed = false;
  const isAllowed: ScreenCapture['isAllowed'] = async () => {
    const pixel = { x: 0, y: 0, width: 1, height: 1 };
    allowed ||= await pixels.read(x.root, pixel).then(
      () => true,
      () => false,
    );
    return allowed;
  };

  /** The frame is part of it: a window that is moved is not painted. */
  const paintOf = async ({
    top,
    frame: { x: left, y, width, height },
  }: TopLevelWindow): Promise<WindowPaint | null> => {
    const paint = composite === null ? null : await paintWatch.lastPaint(top);
    if (paint === null) return null;
    return { ...paint, generation: `${paint.generation} ${left},${y} ${width}x${height}` };
  };

  const captureWindow = async (xid: number, signal: AbortSignal): Promise<Capture> => {
    const found = await windows.find(xid);
    if (found === null) throw new DesktopError('not_found', message('native.window_gone'));
    if (!found.shown) {
      const why = found.minimized ? 'native.minimised_no_picture' : 'native.hidden_no_picture';
      throw new DesktopError('unsupported', message(why));
    }
    if (composite === null) {
      throw new DesktopError('unsupported', message('native.no_composite'));
    }
    const leftMs = redirected + REPAINT_MS - Date.now();
    if (leftMs > 0) await delay(leftMs, signal);
    const name = String(xid);
    const pixmap = x.client.AllocID();
    try {
      composite.NameWindowPixmap(found.top, pixmap);
      const [paint, geometry, outer] = await Promise.all([
        paintOf(found),
        x.query<XGeometry>((r) => x.client.GetGeometry(pixmap, r)).catch(whenMissing),
        x.query<XGeometry>((r) => x.client.GetGeometry(found.top, r)).catch(whenMissing),
      ]);
      if (geometry === null || outer === null) {
        throw new DesktopError('not_found', message('native.window_gone_meanwhile'));
      }
      const inPixmap = { ...found.frame, x: found.frame.x - outer.xPos, y: found.frame.y - outer.yPos };
      const part = clip(inPixmap, { x: 0, y: 0, width: geometry.width, height: geometry.height });
      const origin = { ...part, x: part.x + outer.xPos, y: part.y + outer.yPos };
      const generation = `${paint?.generation ?? ''} ${JSON.stringify([geometry, outer])}`;
      const known = paint === null ? null : ofWindows.find(name, generation);
      if (known !== null) return known;
      // Its calls and others have the picture, so its memory is never released.
      const taken = captureOf((await pixels.read(pixmap, part)).subarray(), origin);
      return paint === null ? taken : ofWindows.keep(name, generation, taken);
    } finally {
      x.send((done) => x.client.FreePixmap(pixmap, done)).catch(() => {});
      x.client.ReleaseID(pixmap);
    }
  };

  const shownWindow = async (xid: number): Promise<TopLevelWindow | null> => {
    const found = await windows.find(xid);
    return found?.shown === true ? found : null;
  };

  const windowPaint: ScreenCapture['windowPaint'] = async (xid, after, signal) => {
    const shown = await shownWindow(xid);
    if (shown === null) return null;
    let stop = (): void => {};
    const painted = new Promise<void>((resolve) => (stop = paintWatch.onPaint(shown.top, resolve)));
    try {
      const paint = await paintOf(shown);
      if (paint === null || paint.generation !== after) return paint;
      await abortable(painted, signal);
    } finally {
      stop();
    }
    const now = await shownWindow(xid);
    return now === null ? null : paintOf(now);
  };

  return {
    isAllowed,
    windowPaint,
    close() {
      areas.close();
      ofWindows.close();
      pixels.close();
    },
    capture: async (target, signal) => {
      if (target.kind === 'window') return captureWindow(parseWindowId(target.windowId), signal);
      if (target.kind === 'region') return captureArea(async () => target.rect, signal);
      return captureArea((call) => frameOfDisplay(target.displayId, call), signal);
    },
  };
}

function clip(rect: Rect, bounds: Rect): Rect {
  const left = Math.max(bounds.x, Math.floor(rect.x));
  const top = Math.max(bounds.y, Math.floor(rect.y));
  const right = Math.min(bounds.x + bounds.width, Math.ceil(rect.x + rect.width));
  const bottom = Math.min(bounds.y + bounds.height, Math.ceil(rect.y + rect.height));
  if (right > left && bottom > top) return { x: left, y: top, width: right - left, height: bottom - top };
  throw new DesktopError('failed', message('native.region_outside'));
}

// Pictures of parts of the screen. One in which nothing was painted since it was taken is given out again.

/** Nobody may ask for pictures over `events`; those of `pixels` come over another connection. */
export async function openAreaPictures(events: XConnection, windows: Pick<Windows, 'onChange'>, pixels: PixelReader) {
  const damage = await openScreenDamage(events);
  const kept = createKeptPictures(() => damage?.rest());
  // What changes there is painted, too; this holds also where a server does not report it.
  let changes = 0;
  const stopListening = windows.onChange(() => {
    changes += 1;
    kept.dropWhere(() => true);
  });

  const findOrRead = async (area: Rect): Promise<Capture> => {
    // What is painted from now on is told before the next picture.
    const painted = (await damage?.paintedAreas()) ?? null;
    kept.dropWhere((picture) => painted?.some((part) => overlaps(part, rectOf(picture))) ?? true);
    const name = JSON.stringify(area);
    // A picture that was begun before a change is not given out after it.
    const generation = String(changes);
    return (
      kept.find(name, generation) ?? kept.keep(name, generation, captureOf(await pixels.read(events.root, area), area))
    );
  };

  let last: Promise<unknown> = Promise.resolve();
  return {
    /** One after another, so that the same picture is not read twice at once. */
    /** Shows all that the server had done when it was asked for. `area`: in whole pixels, on the screen. */
    capture(area: Rect): Promise<Capture> {
      const captured = last.then(() => findOrRead(area));
      last = captured.catch(() => {});
      return captured;
    },
    close(): void {
      stopListening();
      kept.close();
    },
  };
}

/** X has one coordinate system in pixels. */
function captureOf(rgb: Capture['rgb'], { x, y, width, height }: Rect): Capture {
  return { width, height, rgb, origin: { x, y }, scale: 1 };
}

const rectOf = ({ origin, width, height }: Capture): Rect => ({ ...origin, width, height });
