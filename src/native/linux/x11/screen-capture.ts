import type { XArea, XDamage, XFixes, XGeometry } from 'x11';
import {
  type Capture,
  type Pixels,
  type Rect,
  type CaptureTarget,
  DesktopError,
  type WindowPaint,
} from '../../desktop.js';
import { type XConnection, whenMissing } from './connection.js';
import { abortable, delay } from '../../../base/poll.js';
import { isSame, overlaps } from '../../../base/rect.js';
import type { PaintWatch } from './paint-watch.js';
import { openPixelReader, type PixelReader } from './pixel-reader.js';
import { parseWindowId, type Windows, type TopLevelWindow } from '../windows.js';
import { message } from '../../../messages/index.js';

/** One of the largest screens. */
const MAX_BYTES = 24 * 1024 * 1024;
/** Without pictures for so long, none is kept. */
const IDLE_MS = 1_000;

type SharedPicture = ReturnType<typeof sharePicture>;

/** Pictures that are given out again where nothing in them was painted since: always the same object, which nobody changes. `idle`: called when none is kept any more. */
export function createKeptPictures(idle: () => void = () => {}) {
  const kept = new Map<string, SharedPicture & { generation: string }>();
  let timer: NodeJS.Timeout | null = null;

  const drop = (name: string): void => {
    kept.get(name)?.drop();
    kept.delete(name);
  };
  const dropAll = (): void => [...kept.keys()].forEach(drop);

  const close = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    dropAll();
    idle();
  };

  const used = (): void => {
    if (timer === null) timer = setTimeout(close, IDLE_MS).unref();
    else timer.refresh();
  };

  const makeRoom = (bytes: number): void => {
    let left = MAX_BYTES - bytes;
    for (const [name, { picture }] of [...kept].toReversed()) {
      left -= picture.rgb.length;
      if (left < 0) drop(name);
    }
  };

  return {
    /** `generation`: of what it shows, as of now. null where the picture is of another one. */
    find(name: string, generation: string): Capture | null {
      used();
      const known = kept.get(name);
      if (known?.generation !== generation) return null;
      // The last one asked for is the last of the map.
      kept.delete(name);
      kept.set(name, known);
      return known.giveOut();
    },
    /** In the place of an older one with this name. Returns what is to be given out. */
    keep(name: string, generation: string, picture: Capture): Capture {
      used();
      drop(name);
      if (picture.rgb.length > MAX_BYTES) return picture;
      makeRoom(picture.rgb.length);
      const shared = sharePicture(picture);
      kept.set(name, { generation, ...shared });
      return shared.giveOut();
    },
    dropWhere(isOld: (picture: Capture) => boolean): void {
      for (const [name, { picture }] of [...kept]) if (isOld(picture)) drop(name);
    },
    /** As after a while without pictures. */
    close,
  };
}

function sharePicture(own: Capture) {
  const { release } = own.rgb;
  let users = 0;
  let dropped = false;
  const freeUnused = (): void => {
    if (users === 0 && dropped) release?.();
  };
  const rgb: Pixels = own.rgb.subarray();
  if (release !== undefined)
    rgb.release = () => {
      users -= 1;
      freeUnused();
    };
  const picture = { ...own, rgb };
  return {
    picture,
    giveOut(): Capture {
      users += 1;
      return picture;
    },
    /** Its memory is used again once it is dropped, and released as often as it was given out. */
    drop(): void {
      dropped = true;
      freeUnused();
    },
  };
}

// What of the screen was painted, whoever did it: a window that appears, moves or goes paints, too. Comes in: the DAMAGE and XFIXES
// extensions on the root window. Goes out: areas.

interface ScreenDamage {
  /** What was painted since it was asked the last time, by all that the server had done when asked now; null where that is not known. */
  paintedAreas(): Promise<Rect[] | null>;
  /** Until it is asked again, the server collects nothing. */
  rest(): void;
}

/** Regions came with this one. */
const XFIXES_VERSION = 2;
const INCLUDE_INFERIORS = 1;

/**
 * null where the server lacks an extension. Nobody may ask for pictures over `x`: for one, the server puts the screen together, and
 * it sends its report of that in the middle of the picture.
 */
export async function openScreenDamage(x: XConnection): Promise<ScreenDamage | null> {
  const [damage, fixes] = await Promise.all([x.extension('damage'), x.extension('fixes')]);
  if (damage === null || fixes === null || fixes.major < XFIXES_VERSION) return null;
  let watched: Watched | null = null;
  return {
    async paintedAreas() {
      if (watched !== null) return readAreas(x, damage, fixes, watched);
      watched = watchScreen(x, damage, fixes);
      await x.sync();
      return null;
    },
    rest() {
      if (watched === null) return;
      stopWatching(x, damage, fixes, watched);
      watched = null;
    },
  };
}

interface Watched {
  damage: number;
  region: number;
  /** One pixel, and what copies a pixel of all windows to it. */
  pixel: number;
  copying: number;
}

function watchScreen({ client, root, screen }: XConnection, extension: XDamage, fixes: XFixes): Watched {
  const [damage, region, pixel, copying] = [client.AllocID(), client.AllocID(), client.AllocID(), client.AllocID()];
  extension.Create(damage, root, extension.ReportLevel.NonEmpty);
  // At first all of the screen is damaged.
  extension.Subtract(damage, 0, 0);
  fixes.CreateRegion(region, []);
  client.CreatePixmap(pixel, root, screen.root_depth, 1, 1);
  client.CreateGC(copying, root, { subwindowMode: INCLUDE_INFERIORS, graphicsExposures: 0 });
  return { damage, region, pixel, copying };
}

async function readAreas(x: XConnection, damage: XDamage, fixes: XFixes, watched: Watched): Promise<Rect[]> {
  const { client, root } = x;
  // What was painted in windows with memory of their own is the screen's only once the server puts them together, as it does for a copy.
  client.CopyArea(root, watched.pixel, watched.copying, 0, 0, 0, 0, 1, 1);
  damage.Subtract(watched.damage, 0, watched.region);
  return (await x.query<{ rectangles: XArea[] }>((reply) => fixes.FetchRegion(watched.region, reply))).rectangles;
}

function stopWatching(x: XConnection, extension: XDamage, fixes: XFixes, watched: Watched): void {
  extension.Destroy(watched.damage);
  fixes.DestroyRegion(watched.region);
  x.client.FreeGC(watched.copying);
  x.send((done) => x.client.FreePixmap(watched.pixel, done)).catch(() => {});
  for (const id of Object.values(watched)) x.client.ReleaseID(id);
}

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
