/** An X server as the backend's display: two connections, and what is opened on them. */
import type { XKeyboardExtension, XTest } from 'x11';
import { DesktopError, type Provision } from '../../desktop.js';
import type { DisplayServer } from '../display-server.js';
import { readCookie, connectX, type Properties, type XConnection, readProperties } from './connection.js';
import { prepareBackgroundStart } from './background-start.js';
import { openClipboard } from './clipboard.js';
import { openDragAndDrop, openPointer } from './pointer.js';
import { openKeyboard } from './keyboard.js';
import { openPaintWatch } from './paint-watch.js';
import { openInputEvents } from './person-input.js';
import { openPing, openWindowManagerSync, watchWindows, openWindowActs } from './window-ops.js';
import { releaseButtons } from '../release-buttons.js';
import { openScreenCapture } from './screen-capture.js';
import { openWindows } from './window-lookup.js';
import { message } from '../../../messages/index.js';

interface Log {
  info(message: string): void;
  warn(message: string): void;
}

type Environment = Record<string, string | undefined>;
type Connect = () => Promise<XConnection>;

/** Rejects with `unsupported` where the server lacks an extension or is Wayland's own, `permission` or `lost` where it cannot be reached. */
export async function openX11(display: string, env: Environment, log: Log): Promise<DisplayServer> {
  const connect: Connect = async () => connectX(display, await readCookie(display, env), (said) => log.info(said));
  const [x, windowEvents] = await connectTwice(connect);
  try {
    return await openOn(x, windowEvents, await demandExtensions(x, display), connect, log);
  } catch (error) {
    await Promise.allSettled([x.close(), windowEvents.close()]);
    throw error;
  }
}

/** Both at once; none stays open where one is refused. */
async function connectTwice(connect: Connect): Promise<[XConnection, XConnection]> {
  const both = [connect(), connect()] as const;
  try {
    return await Promise.all(both);
  } catch (error) {
    for (const one of await Promise.allSettled(both)) if (one.status === 'fulfilled') await one.value.close();
    throw error;
  }
}

interface Extensions {
  xtest: XTest;
  xkb: XKeyboardExtension;
}

async function demandExtensions(x: XConnection, display: string): Promise<Extensions> {
  const xtest = await x.extension('xtest');
  if (xtest === null) throw new DesktopError('unsupported', message('display.no_xtest', { display }));
  const xkb = await x.extension('xkb');
  if (xkb === null) throw new DesktopError('unsupported', message('display.no_xkb', { display }));
  if ((await x.query<{ present: number }>((reply) => x.client.QueryExtension('XWAYLAND', reply))).present !== 0) {
    throw new DesktopError('unsupported', message('display.wayland'));
  }
  return { xtest, xkb };
}

/** X.Org leaves out the first digit of its version since 21. */
function serverVersion({ vendor, release }: XConnection['display']): string {
  const [minor, patch, more] = [Math.floor(release / 100_000) % 100, Math.floor(release / 1000) % 100, release % 1000];
  const version = minor >= 21 ? `${minor}.${patch}.${more}` : `1.${minor}.${patch}`;
  return /X\.Org/.test(vendor) ? `X.Org ${version}` : vendor;
}

const SUPPORTING = '_NET_SUPPORTING_WM_CHECK';
const START_MANAGER = 'openbox --sm-disable &';

/** How this server gives each ability, and what it lacks. */
async function provisionsOf(
  { numbers, text }: Properties,
  has: { person: boolean; copies: boolean },
  root: number,
): Promise<Provision[]> {
  const [check = 0] = await numbers(root, SUPPORTING);
  // The root's outlives the manager.
  const isThere = check !== 0 && (await numbers(check, SUPPORTING))[0] === check;
  const manager = isThere ? ((await text(check, '_NET_WM_NAME')) ?? '') : null;
  const rows: (Partial<Provision> & Pick<Provision, 'ability' | 'by'>)[] = [
    manager === null
      ? { ability: 'windows', by: null, lacks: message('display.no_manager'), command: START_MANAGER }
      : { ability: 'windows', by: `EWMH, ${manager}` },
    { ability: 'screenshots', by: 'MIT-SHM' },
    { ability: 'pointer', by: 'XTEST' },
    { ability: 'keys', by: 'XTEST, XKB' },
    has.copies
      ? { ability: 'clipboard', by: 'XFIXES' }
      : { ability: 'clipboard', by: 'CLIPBOARD', lacks: message('display.no_copies_noticed') },
    has.person
      ? { ability: 'person', by: 'XInput2' }
      : { ability: 'person', by: null, lacks: message('display.no_input_events') },
  ];
  return rows.map((row) => ({ lacks: null, command: null, ...row }));
}

/** `windowEvents`: a connection of its own, so that no event mask replaces another one. */
async function openOn(
  x: XConnection,
  windowEvents: XConnection,
  { xtest, xkb }: Extensions,
  connect: Connect,
  log: Log,
): Promise<DisplayServer> {
  const properties = readProperties(x);
  const windows = await openWindows(windowEvents);
  const managerSync = await openWindowManagerSync(x, properties);
  const acts = openWindowActs(x, windows, properties, managerSync.wait);
  const pointer = openPointer(x, xtest, managerSync.wait);
  const ping = await openPing(x, properties);
  const inputRead = async (signal: AbortSignal) => void (await ping(await windows.active(), signal));
  const keyboard = await openKeyboard(x, { xtest, xkb }, inputRead);
  const clipboard = await openClipboard(x, windows, keyboard);
  if (!clipboard.watches) log.warn('This X server has no XFIXES: what other programs copy cannot be noticed.');
  const dragAndDrop = await openDragAndDrop(x, windows, properties, pointer);
  const paintWatch = await openPaintWatch(x);
  const screenCapture = await openScreenCapture(x, windows, paintWatch, windowEvents);
  const inputEvents = await openInputEvents(x, pointer);
  if (inputEvents === null) log.warn('This X server has no XInput2: input by the person cannot be noticed.');
  const held = { pointer, keyboard, windows };
  return {
    name: `${serverVersion(x.display)}, X11`,
    provides: await provisionsOf(properties, { person: inputEvents !== null, copies: clipboard.watches }, x.root),
    ...{ windows, acts, pointer, keyboard, clipboard, inputEvents },
    pictures: { ...screenCapture, lastPaint: paintWatch.lastPaint },
    dropFiles: dragAndDrop.drop,
    hasRead: async (id, signal) => {
      // It gets each press of a button first.
      await managerSync.wait(signal);
      return ping(id, signal);
    },
    release: async (keep) => {
      // A modifier first: with it, Escape would be another command.
      await keyboard.release(keep?.keys).catch(() => {});
      await releaseButtons(held, keep?.buttons);
    },
    watchWindows: (changed) => watchWindows(connect, changed),
    prepareBackgroundStart: async () => prepareBackgroundStart(await connect(), windows, acts),
    onLost: (listener) => {
      const stops = [x, windowEvents].map((connection) => connection.onLost(listener));
      return () => stops.forEach((stop) => stop());
    },
    close: async () => {
      paintWatch.close();
      screenCapture.close();
      await Promise.allSettled([
        releaseButtons(held).finally(() => keyboard.close()),
        clipboard.close(),
        dragAndDrop.close(),
        managerSync.close(),
      ]);
      await Promise.allSettled([x.close(), windowEvents.close()]);
    },
  };
}
