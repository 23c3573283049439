/** The window of the self-test on X11: a client with a connection of its own. */
import { hostname } from 'node:os';
import x11, { type XEvent } from 'x11';
import type { MouseButton, Point } from '../../desktop.js';
import { modernKeysym } from '../keysyms.js';
import { GROUND, marksOf, SIZE, type Heard, type TestWindow, type WindowState } from '../self-test/window.js';
import { connectX, readCookie, type XConnection } from './connection.js';
import { openSelection } from './selection.js';

const { KeyPress, KeyRelease, ButtonPress, ButtonRelease, EnterWindow, LeaveWindow, PointerMotion } = x11.eventMask;
const { StructureNotify, FocusChange } = x11.eventMask;
const EVENTS = KeyPress | KeyRelease | ButtonPress | ButtonRelease | EnterWindow | LeaveWindow | PointerMotion | StructureNotify | FocusChange; // prettier-ignore
const BUTTONS: ReadonlyMap<number, MouseButton> = new Map([
  [1, 'left'], [2, 'middle'], [3, 'right'], [8, 'back'], [9, 'forward'],
]); // prettier-ignore
/** A wheel is buttons here. */
const WHEEL: ReadonlyMap<number, Point> = new Map([
  [4, { x: 0, y: -1 }], [5, { x: 0, y: 1 }], [6, { x: -1, y: 0 }], [7, { x: 1, y: 0 }],
]); // prettier-ignore
/** How FocusIn and FocusOut came about. */
const MODE = { grab: 1, ungrab: 2, whileGrabbed: 3 };
/** Of LeaveNotify. */
const INTO_A_MARK = 2;
/** The focus is where the pointer is, and not on a window. */
const FIRST_POINTER_DETAIL = 5;
const [SHIFT, ALTGR] = [1, 0x80];
const SUBSTRUCTURE = 0x180000;

export async function openX11TestWindow(
  display: string,
  env: Record<string, string | undefined>,
  title: string,
): Promise<TestWindow> {
  const x = await connectX(display, await readCookie(display, env), () => {});
  try {
    return await openOn(x, title);
  } catch (error) {
    await x.close();
    throw error;
  }
}

async function openOn(x: XConnection, title: string): Promise<TestWindow> {
  const window = await createWindow(x, title);
  const marks = await createMarks(x, window);
  const selection = await openSelection(x);
  const listening = listen(x, window, marks.place);
  await x.send((done) => x.client.MapWindow(window, done));
  return {
    title,
    takeHeard: () => listening.heard.splice(0),
    state: () => listening.state,
    settle: async () => {
      await x.sync();
      await listening.handled();
    },
    origin: async () => {
      const at = await x.query<{ destX: number; destY: number }>((reply) =>
        x.client.TranslateCoordinates(window, x.root, 0, 0, reply),
      );
      return { x: at.destX, y: at.destY };
    },
    paste: async (signal) => (await selection.fetch('UTF8_STRING', signal))?.data.toString('utf8') ?? null,
    close: async () => {
      await selection.close();
      await x.close();
    },
  };
}

async function createWindow(x: XConnection, title: string): Promise<number> {
  const window = x.client.AllocID();
  const values = { eventMask: EVENTS, backgroundPixel: pixelOf(GROUND) };
  const { width, height } = SIZE;
  await x.send((done) => x.client.CreateWindow(window, x.root, 60, 60, width, height, 0, 0, 1, 0, values, done));
  const [deletes, ping] = await Promise.all([x.atom('WM_DELETE_WINDOW'), x.atom('_NET_WM_PING')]);
  const set = async (name: string, type: string, format: number, data: Buffer): Promise<void> => {
    const [property, kind] = await Promise.all([x.atom(name), x.atom(type)]);
    await x.send((done) => x.client.ChangeProperty(0, window, property, kind, format, data, done));
  };
  const words = (...values: number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer);
  await Promise.all([
    set('_NET_WM_NAME', 'UTF8_STRING', 8, Buffer.from(title)),
    set('WM_NAME', 'UTF8_STRING', 8, Buffer.from(title)),
    set('WM_CLASS', 'STRING', 8, Buffer.from('chaperone-self-test\0Chaperone self-test\0')),
    set('WM_CLIENT_MACHINE', 'STRING', 8, Buffer.from(hostname())),
    set('_NET_WM_PID', 'CARDINAL', 32, words(process.pid)),
    set('WM_PROTOCOLS', 'ATOM', 32, words(deletes, ping)),
  ]);
  return window;
}

/** Each a window inside, so that the server paints them. They take no events: those go to the window. */
async function createMarks(x: XConnection, window: number) {
  const ids = await Promise.all(
    marksOf(SIZE).map(async ({ colour, place }) => {
      const id = x.client.AllocID();
      const values = { backgroundPixel: pixelOf(colour) };
      const { width, height } = place;
      await x.send((done) =>
        x.client.CreateWindow(id, window, place.x, place.y, width, height, 0, 0, 1, 0, values, done),
      );
      await x.send((done) => x.client.MapWindow(id, done));
      return id;
    }),
  );
  return {
    place: (size: WindowState['size']): Promise<unknown> =>
      Promise.all(
        marksOf(size).map(({ place }, index) =>
          x.send((done) =>
            x.client.MoveResizeWindow(ids[index] ?? 0, place.x, place.y, place.width, place.height, done),
          ),
        ),
      ),
  };
}

const pixelOf = ([red, green, blue]: readonly [number, number, number]): number => (red << 16) | (green << 8) | blue;

/** What comes is handled in its order; what a key means is asked at once, as keys are given other meanings. */
function listen(x: XConnection, window: number, placeMarks: (size: WindowState['size']) => Promise<unknown>) {
  const heard: Heard[] = [];
  const state: WindowState = { focused: false, grabbed: false, pointer: null, size: SIZE };
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = (work: () => Promise<unknown>): void => void (last = last.then(work).catch(() => {}));

  const key = (event: XEvent, down: boolean): void =>
    inOrder(async () => heard.push({ kind: 'key', keysym: await keysymAt(x, event), down }));
  const pointer = (event: XEvent): Point => (state.pointer = { x: event.x ?? 0, y: event.y ?? 0 });
  const left = ({ detail }: XEvent): void => {
    if (detail === INTO_A_MARK) return;
    state.pointer = null;
    heard.push({ kind: 'leave' });
  };
  const button = (event: XEvent, down: boolean): void => {
    const at = pointer(event);
    const [named, wheel] = [BUTTONS.get(event.keycode ?? 0), WHEEL.get(event.keycode ?? 0)];
    if (named !== undefined) heard.push({ kind: 'button', button: named, down, at });
    if (wheel !== undefined && down) heard.push({ kind: 'scroll', ...wheel });
  };
  const resized = ({ wid1, width = 0, height = 0 }: XEvent): void => {
    if (wid1 !== window || (width === state.size.width && height === state.size.height)) return;
    state.size = { width, height };
    inOrder(() => placeMarks({ width, height }));
  };
  const handlers = new Map<string, (event: XEvent) => void>([
    ['KeyPress', (event) => key(event, true)],
    ['KeyRelease', (event) => key(event, false)],
    ['ButtonPress', (event) => button(event, true)],
    ['ButtonRelease', (event) => button(event, false)],
    ['MotionNotify', (event) => void heard.push({ kind: 'move', at: pointer(event) })],
    ['EnterNotify', (event) => void heard.push({ kind: 'move', at: pointer(event) })],
    ['LeaveNotify', left],
    ['FocusIn', (event) => focusTold(state, event, true)],
    ['FocusOut', (event) => focusTold(state, event, false)],
    ['ConfigureNotify', resized],
    ['ClientMessage', (event) => inOrder(() => answerManager(x, event, heard))],
  ]);
  x.onEvent((event) => {
    if (event.wid === window) handlers.get(event.name)?.(event);
  });
  return { heard, state, handled: () => last };
}

function focusTold(state: WindowState, { mode = 0, detail = 0 }: XEvent, focused: boolean): void {
  if (mode === MODE.grab) state.grabbed = true;
  else if (mode === MODE.ungrab) state.grabbed = false;
  else if (detail < FIRST_POINTER_DETAIL) {
    state.focused = focused;
    state.grabbed = mode === MODE.whileGrabbed;
  }
}

async function keysymAt(x: XConnection, { keycode = 0, buttons = 0 }: XEvent): Promise<number> {
  const [row = []] = await x.query<number[][]>((reply) => x.client.GetKeyboardMapping(keycode, 1, reply));
  const [shift, group] = [buttons & SHIFT, (buttons >> 13) & 3];
  const place = (buttons & ALTGR) === 0 ? group * 2 : 4;
  const found = [row[place + shift], row[place], row[0]].find((keysym) => keysym !== undefined && keysym !== 0);
  return modernKeysym(found ?? 0);
}

/** A ping says that all before it was handled. */
async function answerManager(x: XConnection, { message_type: type, data = [] }: XEvent, heard: Heard[]): Promise<void> {
  const names = ['WM_PROTOCOLS', 'WM_DELETE_WINDOW', '_NET_WM_PING'];
  const [protocols = 0, deletes, ping] = await Promise.all(names.map((name) => x.atom(name)));
  if (type !== protocols) return;
  if (data[0] === deletes) heard.push({ kind: 'close' });
  if (data[0] === ping)
    await x.send((done) => x.client.SendClientMessage(x.root, x.root, protocols, 32, [...data], SUBSTRUCTURE, done));
}
