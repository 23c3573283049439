import type { XTree } from 'x11';
import { DesktopError, type Rect, type WindowState } from '../../desktop.js';
import { isSame } from '../../../base/rect.js';
import { openCloser, requireWindow } from '../closing.js';
import type { WindowActs } from '../display-server.js';
import {
  type XConnection,
  SUBSTRUCTURE_NOTIFY,
  SUBSTRUCTURE_REDIRECT,
  type Properties,
  whenMissing,
  words,
  PROPERTY_CHANGE,
  readProperties,
  STRUCTURE_NOTIFY,
} from './connection.js';
import { ICONIC, POINTER_ROOT, shrink } from './window-description.js';
import type { Windows, TopLevelWindow } from '../windows.js';
import { message } from '../../../messages/index.js';
import { delay } from '../../../base/poll.js';
import { endsWithin, restWithin } from '../process-rest.js';

export const FROM_PAGER = 2;
/** The window manager alone selects these of the root window. */
const TO_MANAGER = SUBSTRUCTURE_NOTIFY | SUBSTRUCTURE_REDIRECT;
const STATIC_GRAVITY = 10;
const REQUEST_TIMEOUT_MS = 2000;
const UNCHANGED_SETTLE_MS = 400;
/** After the first change of a frame whose final size is not known beforehand. */
const CHANGED_SETTLE_MS = 80;
const TILING_HINT = message('native.tiling');
const OTHER_DESKTOP_HINT = message('native.on_other_desktop');
const MAXIMIZED = ['_NET_WM_STATE_MAXIMIZED_VERT', '_NET_WM_STATE_MAXIMIZED_HORZ'];

/** Sends a client message of EWMH to the window manager. */
type SendToManager = (xid: number, type: string, data: number[]) => Promise<void>;

export function openManagerMessages(x: XConnection): SendToManager {
  return async (xid, type, data) => {
    const atom = await x.atom(type);
    await x.send((done) => x.client.SendClientMessage(x.root, xid, atom, 32, data, TO_MANAGER, done));
  };
}

export function openWindowActs(
  x: XConnection,
  windows: Windows,
  properties: Properties,
  managerHandled: (signal: AbortSignal) => Promise<void>,
): WindowActs {
  const sendToManager = openManagerMessages(x);
  const requireById = (xid: number): Promise<TopLevelWindow> => requireWindow(windows, xid);

  const allowed = async (xid: number): Promise<string[] | null> => {
    const raw = await properties.raw(xid, '_NET_WM_ALLOWED_ACTIONS');
    return raw === null ? null : Promise.all(words(raw).map((atom) => x.atomName(atom)));
  };

  const focus = async (xid: number, signal: AbortSignal): Promise<void> => {
    const before = await requireById(xid);
    if (before.onOtherDesktop) {
      const [desktop] = await properties.numbers(xid, '_NET_WM_DESKTOP');
      if (desktop !== undefined) await sendToManager(x.root, '_NET_CURRENT_DESKTOP', [desktop, 0]);
    }
    await sendToManager(xid, '_NET_ACTIVE_WINDOW', [FROM_PAGER, 0, 0]);
    // The window manager may tell the active window late: the focus may already be elsewhere, or on its way there.
    await managerHandled(signal);
    const isActive = async (): Promise<true | null> =>
      (await windows.active()) === xid && (await hasInputFocus(x, xid)) ? true : null;
    if ((await windows.waitFor(isActive, REQUEST_TIMEOUT_MS, signal)) === null) {
      await requireById(xid);
      throw new DesktopError('failed', message('native.focus_not_given'));
    }
    if (before.minimized) await waitUntilStill(xid, before.frame, signal);
  };

  const frameOtherThan = (xid: number, last: Rect, timeoutMs: number, signal: AbortSignal): Promise<Rect | null> =>
    windows.waitFor(
      async () => {
        const { frame } = await requireById(xid);
        return isSame(frame, last) ? null : frame;
      },
      timeoutMs,
      signal,
    );

  /** The frame once it is the wanted one, or no longer changes: the window manager may grant another one (size steps, limits, maximised). */
  const waitForFrame = async (xid: number, before: Rect, wanted: Rect | null, signal: AbortSignal): Promise<Rect> => {
    await managerHandled(signal);
    const deadline = performance.now() + REQUEST_TIMEOUT_MS;
    let { frame } = await requireById(xid);
    while (wanted === null || !isNear(frame, wanted)) {
      const settleMs = wanted === null && !isSame(frame, before) ? CHANGED_SETTLE_MS : UNCHANGED_SETTLE_MS;
      const next = await frameOtherThan(xid, frame, Math.min(settleMs, deadline - performance.now()), signal);
      if (next === null || performance.now() > deadline) return next ?? frame;
      frame = next;
    }
    return frame;
  };

  /** A window manager may animate a window that is minimised or restored: away from its place `home` it is on its way there, however long it rests. */
  const waitUntilStill = async (xid: number, home: Rect, signal: AbortSignal): Promise<void> => {
    const deadline = performance.now() + REQUEST_TIMEOUT_MS;
    let frame: Rect | null = (await requireById(xid)).frame;
    while (frame !== null && performance.now() < deadline) {
      const restMs = isSame(frame, home) ? CHANGED_SETTLE_MS : deadline - performance.now();
      frame = await frameOtherThan(xid, frame, restMs, signal);
    }
  };

  const setFrame = async (xid: number, frame: Partial<Rect>, signal: AbortSignal): Promise<Rect> => {
    const before = await requireById(xid);
    const wanted = { ...before.frame, ...frame };
    const client = shrink(wanted, before.borders);
    const flags = 0xf00 | STATIC_GRAVITY | (FROM_PAGER << 12);
    const size = [client.width, client.height].map((side) => Math.max(1, Math.round(side)));
    const place = [Math.round(client.x), Math.round(client.y), ...size];
    await sendToManager(xid, '_NET_MOVERESIZE_WINDOW', [flags, ...place]);
    return waitForFrame(xid, before.frame, wanted, signal);
  };

  const setMinimized = async (xid: number, minimized: boolean, signal: AbortSignal): Promise<void> => {
    const before = await requireById(xid);
    if (before.minimized === minimized) return;
    if (minimized) await sendToManager(xid, 'WM_CHANGE_STATE', [ICONIC]);
    // A window that the window manager has left mapped (GNOME does) cannot be restored by mapping it.
    else if (before.mapped) await focus(xid, signal);
    else await x.send((done) => x.client.MapWindow(xid, done));
    const isDone = async (): Promise<true | null> => {
      const now = await requireById(xid);
      return now.minimized === minimized && (minimized || now.viewable || now.onOtherDesktop) ? true : null;
    };
    const done = await windows.waitFor(isDone, REQUEST_TIMEOUT_MS, signal);
    if (done !== null || (await requireById(xid)).minimized === minimized)
      return waitUntilStill(xid, before.frame, signal);
    if (minimized) throw notMinimized(before);
    throw new DesktopError('failed', message('native.not_restored'));
  };

  const setMaximized = async (xid: number, maximized: boolean, signal: AbortSignal): Promise<void> => {
    const before = await requireById(xid);
    if (isMaximized(before) === maximized) return;
    const [vertical = 0, horizontal = 0] = await Promise.all(MAXIMIZED.map((name) => x.atom(name)));
    const known = await properties.numbers(x.root, '_NET_SUPPORTED');
    if (known.length > 0 && !known.includes(vertical))
      throw new DesktopError('unsupported', message('native.maximises_none', { hint: TILING_HINT }));
    const can = await allowed(xid);
    if (maximized && can !== null && !can.some((action) => action.startsWith('_NET_WM_ACTION_MAXIMIZE')))
      throw new DesktopError(
        'unsupported',
        before.onOtherDesktop
          ? message('native.unmaximisable_there', { hint: OTHER_DESKTOP_HINT })
          : message('native.size_fixed'),
      );
    await sendToManager(xid, '_NET_WM_STATE', [maximized ? 1 : 0, vertical, horizontal, FROM_PAGER]);
    const is = async (): Promise<true | null> => (isMaximized(await requireById(xid)) === maximized ? true : null);
    if ((await windows.waitFor(is, REQUEST_TIMEOUT_MS, signal)) === null)
      throw new DesktopError('failed', message('native.not_maximised', { to: maximized ? 'maximise' : 'other' }));
    await waitForFrame(xid, before.frame, null, signal);
  };

  const state = async (xid: number): Promise<WindowState> => {
    const [window, can] = await Promise.all([requireById(xid), allowed(xid)]);
    const may = (action: string): boolean | null => can?.includes(`_NET_WM_ACTION_${action}`) ?? null;
    const is = (name: string): boolean => window.states.includes(`_NET_WM_STATE_${name}`);
    return {
      resizable: may('RESIZE'),
      minimizable: may('MINIMIZE'),
      closable: may('CLOSE'),
      modal: is('MODAL'),
      floating: is('ABOVE'),
      hidden: !window.shown && !window.minimized,
      minimized: window.minimized,
      maximized: isMaximized(window),
      fullscreen: is('FULLSCREEN'),
      focused: window.focused,
    };
  };

  const closer = openCloser(windows, (xid) => sendToManager(xid, '_NET_CLOSE_WINDOW', [0, FROM_PAGER]));
  const kill = async (xid: number, signal: AbortSignal): Promise<void> => {
    await requireById(xid);
    await closer.kill(xid, () => x.send((done) => x.client.KillClient(xid, done)), signal);
  };

  return { focus, setFrame, setMinimized, setMaximized, state, close: closer.close, quit: closer.quit, kill };
}

/** Whether keys go to the window, or to one inside it. */
async function hasInputFocus(x: XConnection, xid: number): Promise<boolean> {
  let { focus: at } = await x.query<{ focus: number }>((reply) => x.client.GetInputFocus(reply));
  while (at > POINTER_ROOT && at !== xid) {
    const window = at;
    const tree = await x.query<XTree>((reply) => x.client.QueryTree(window, reply)).catch(whenMissing);
    at = tree?.parent ?? 0;
  }
  return at === xid;
}

function notMinimized({ onOtherDesktop }: TopLevelWindow): DesktopError {
  const hint = onOtherDesktop ? OTHER_DESKTOP_HINT : TILING_HINT;
  return new DesktopError('failed', message('native.not_minimised', { hint }));
}

const isMaximized = ({ states }: TopLevelWindow): boolean => MAXIMIZED.every((name) => states.includes(name));

function isNear(a: Rect, b: Rect): boolean {
  const near = (one: number, other: number): boolean => Math.abs(one - other) < 1;
  return near(a.x, b.x) && near(a.y, b.y) && near(a.width, b.width) && near(a.height, b.height);
}

const SCREEN_PROPERTIES = ['_NET_CLIENT_LIST', '_NET_CLIENT_LIST_STACKING', '_NET_ACTIVE_WINDOW'];
/** Other properties change with every key press, or are not part of a window list. */
const WINDOW_PROPERTIES = [
  'WM_NAME',
  '_NET_WM_NAME',
  'WM_STATE',
  '_NET_WM_STATE',
  '_NET_FRAME_EXTENTS',
  '_GTK_FRAME_EXTENTS',
];
const LIFECYCLE_EVENTS = new Set(['CreateNotify', 'DestroyNotify', 'MapNotify', 'UnmapNotify', 'ReparentNotify']);
const MOVED = 'ConfigureNotify';

/**
 * Calls `changed` when a top-level window has appeared, gone, moved or got another title or state; with true where an
 * application may have started or ended too.
 */
export function watchWindows(
  connect: () => Promise<XConnection>,
  changed: (applications: boolean) => void,
): { stop(): Promise<void> } {
  let stopped = false;
  const opened = connect().then(
    async (x) => {
      // The loss of the display is reported by the backend's own connection.
      if (!stopped) await select(x, changed).catch(() => {});
      return x;
    },
    () => null,
  );
  return {
    stop: async () => {
      stopped = true;
      await (await opened)?.close();
    },
  };
}

async function select(x: XConnection, changed: (applications: boolean) => void): Promise<void> {
  const properties = readProperties(x);
  const [screen, window] = await Promise.all(
    [SCREEN_PROPERTIES, WINDOW_PROPERTIES].map(
      async (names) => new Set(await Promise.all(names.map((name) => x.atom(name)))),
    ),
  );
  let known = new Set<number>();

  const watchNewClients = async (): Promise<void> => {
    const clients = new Set(await properties.numbers(x.root, '_NET_CLIENT_LIST'));
    const added = [...clients].filter((xid) => !known.has(xid));
    known = clients;
    await Promise.allSettled(
      added.map((xid) => x.send((done) => x.client.ChangeWindowAttributes(xid, { eventMask: PROPERTY_CHANGE }, done))),
    );
    // Changes before the events were selected are covered by this one.
    if (added.length > 0) changed(false);
  };

  x.onEvent((event) => {
    if (event.name === MOVED) return changed(false);
    if (LIFECYCLE_EVENTS.has(event.name)) return changed(true);
    if (event.name !== 'PropertyNotify' || event.atom === undefined) return;
    const isScreen = event.wid === x.root;
    if ((isScreen ? screen : window)?.has(event.atom) !== true) return;
    changed(isScreen);
    if (isScreen) watchNewClients().catch(() => {});
  });
  const eventMask = SUBSTRUCTURE_NOTIFY | PROPERTY_CHANGE;
  await x.send((done) => x.client.ChangeWindowAttributes(x.root, { eventMask }, done));
  await watchNewClients();
}

const MAX_WAIT_MS = 1000;
const FALLBACK_WAIT_MS = 60;
const MAX_MANAGER_MS = 500;
const NO_REQUEST_MS = 15;
/** Where it should be sent, and where Qt 5 sends it. */
const ANSWER = SUBSTRUCTURE_NOTIFY | STRUCTURE_NOTIFY;

/**
 * Waits until a window's application has read all input sent so far: it returns `_NET_WM_PING` in order with the other events.
 * One that does not support the ping has read them once it sleeps. False where neither is so before the limit, null where nothing
 * tells.
 */
type Ping = (window: number, signal: AbortSignal) => Promise<boolean | null>;

export async function openPing(x: XConnection, properties: Properties): Promise<Ping> {
  const [protocols, ping] = await Promise.all([x.atom('WM_PROTOCOLS'), x.atom('_NET_WM_PING')]);
  /** Applications return the ping to the root window, whose other events are not needed: selected only during a wait. */
  const selectAnswers = (eventMask: number): Promise<void> =>
    x.send((done) => x.client.ChangeWindowAttributes(x.root, { eventMask }, done));
  let waiting = 0;
  let last = 0x70000000;

  return async (window, signal) => {
    if (window === 0 || !(await properties.numbers(window, 'WM_PROTOCOLS')).includes(ping)) {
      const [pid] = window === 0 ? [] : await properties.numbers(window, '_NET_WM_PID');
      await delay(FALLBACK_WAIT_MS, signal);
      return pid === undefined ? null : restWithin(pid, MAX_WAIT_MS, signal);
    }
    const stamp = (last += 1);
    let stop: () => void = () => {};
    const answered = new Promise<void>((resolve) => {
      stop = x.onEvent((event) => {
        if (event.name !== 'ClientMessage' || event.rawData === undefined) return;
        const [type, serial] = [event.rawData.readUInt32LE(8), event.rawData.readUInt32LE(16)];
        if (type === protocols && serial === stamp && event.rawData.readUInt32LE(4) === x.root) resolve();
      });
    });
    try {
      waiting += 1;
      await selectAnswers(ANSWER);
      await x.send((done) => x.client.SendClientMessage(window, window, protocols, 32, [ping, stamp, window], 0, done));
      return await endsWithin(MAX_WAIT_MS, signal, () => answered);
    } finally {
      stop();
      waiting -= 1;
      if (waiting === 0) await selectAnswers(0).catch(() => {});
    }
  };
}

/**
 * Waits until the window manager has handled all events sent to it so far. It gets each button press first, and pointer
 * events are frozen until it replays the press, but keys are not: without this wait a key could overtake a click.
 */
export async function openWindowManagerSync(
  x: XConnection,
  properties: Properties,
): Promise<{ wait(signal: AbortSignal): Promise<void>; close(): Promise<void> }> {
  const [request, extents] = await Promise.all([x.atom('_NET_REQUEST_FRAME_EXTENTS'), x.atom('_NET_FRAME_EXTENTS')]);
  const window = x.client.AllocID();
  await x.send((done) =>
    x.client.CreateWindow(window, x.root, 0, 0, 1, 1, 0, 0, 1, 0, { eventMask: PROPERTY_CHANGE }, done),
  );

  const wait = async (signal: AbortSignal): Promise<void> => {
    if (!(await properties.numbers(x.root, '_NET_SUPPORTED')).includes(request)) return delay(NO_REQUEST_MS, signal);
    const answered = new AbortController();
    const stop = x.onEvent((event) => {
      if (event.name === 'PropertyNotify' && event.wid === window && event.atom === extents) answered.abort();
    });
    try {
      await x.send((done) => x.client.SendClientMessage(x.root, window, request, 32, [], TO_MANAGER, done));
      await delay(MAX_MANAGER_MS, AbortSignal.any([signal, answered.signal])).catch(() => {});
      signal.throwIfAborted();
    } finally {
      stop();
    }
  };
  return { wait, close: () => x.send((done) => x.client.DestroyWindow(window, done)) };
}
