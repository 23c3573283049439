/** What the checks share: the desktop that is tried, the window that judges it, and what has to hold before anything is sent. */
import { poll } from '../../../base/poll.js';
import { DesktopError, type DesktopBackend, type InputGuard, type Point, type Window } from '../../desktop.js';
import { message, MessageError, type Message } from '../../../messages/index.js';
import { keysymOf, isModifierKeysym } from '../keysyms.js';
import { cornerIn } from './picture.js';
import { marksOf, type Heard, type Mark, type TestObjects, type TestWindow } from './window.js';

export interface Scene {
  desktop: DesktopBackend;
  window: TestWindow;
  /** Opened when it is first wanted. Rejects where there is no accessibility bus. */
  objects(): Promise<TestObjects>;
  /** The window's corner, as the last picture showed it. */
  corner: Point | null;
  /** How long something that was sent may take to arrive, or to show. */
  arrivesMs: number;
  signal: AbortSignal;
}

/** Why a check is red: something is in the way, or nothing arrived. */
export class Red extends MessageError {}

/** Between pixels of the screen and points of the window. */
const NEAR = 1;

export async function ownWindow({ desktop, window, arrivesMs, signal }: Scene): Promise<Window> {
  const find = async (): Promise<Window | null> =>
    (await desktop.windows(signal)).find((one) => one.title === window.title && one.app.pid === process.pid) ?? null;
  const found = await poll(find, arrivesMs, signal, 50);
  if (found === null) throw new Red(message('self_test.not_listed'));
  return found;
}

/** Looks for the window where the backend says that it is. */
export async function look(scene: Scene): Promise<Point | null> {
  const { desktop, window, signal } = scene;
  const { frame } = await ownWindow(scene);
  const picture = await desktop.capture({ kind: 'region', rect: frame }, signal);
  return (scene.corner = cornerIn(picture, window.state().size));
}

export function centreOf(scene: Scene, name: Mark['name']): { within: Point; onScreen: Point } {
  const mark = marksOf(scene.window.state().size).find((one) => one.name === name);
  if (scene.corner === null || mark === undefined) throw new Red(message('self_test.covered'));
  const { x, y, width, height } = mark.place;
  const within = { x: x + Math.floor(width / 2), y: y + Math.floor(height / 2) };
  // Windows are at whole points; the picture's pixels need not be.
  const corner = { x: Math.round(scene.corner.x), y: Math.round(scene.corner.y) };
  return { within, onScreen: { x: corner.x + within.x, y: corner.y + within.y } };
}

/** Moves the pointer there, which presses nothing, and waits until the window itself was told so. */
export async function pointAt(scene: Scene, name: Mark['name']): Promise<Point> {
  const { desktop, window, arrivesMs, signal } = scene;
  const { within, onScreen } = centreOf(scene, name);
  await desktop.movePointer(onScreen, signal);
  const told = async (): Promise<true | null> => {
    await window.settle();
    return isNear(window.state().pointer, within) ? true : null;
  };
  if ((await poll(told, arrivesMs, signal, 20)) !== null) return within;
  const { pointer } = window.state();
  throw new Red(pointer === null ? message('self_test.pointer_elsewhere') : wrongPlace(within, pointer));
}

export const wrongPlace = (wanted: Point, seen: Point): Message =>
  message('self_test.wrong_place', { wanted: shownPoint(wanted), seen: shownPoint(seen) });

const shownPoint = ({ x, y }: Point): string => `${Math.round(x)}, ${Math.round(y)}`;

export const isNear = (at: Point | null, wanted: Point): boolean =>
  at !== null && Math.abs(at.x - wanted.x) <= NEAR && Math.abs(at.y - wanted.y) <= NEAR;

/** For each press of a button: the pointer is over the window, by what the window was told last. */
export const whileOver =
  ({ window }: Scene): InputGuard =>
  async () => {
    await window.settle();
    if (window.state().pointer === null) throw new Red(message('self_test.pointer_elsewhere'));
  };

/** For each key: the window has the keyboard, by what it was told last. */
export const whileFocused =
  ({ window }: Scene): InputGuard =>
  async () => {
    await window.settle();
    const { focused, grabbed } = window.state();
    if (grabbed) throw new Red(message('self_test.keyboard_grabbed'));
    if (!focused) throw new Red(message('self_test.no_focus'));
  };

/** Waits until what the window heard fits; red with what came instead. */
export async function untilHeard(
  { window, arrivesMs, signal }: Scene,
  sent: string,
  fits: (heard: readonly Heard[]) => boolean,
): Promise<readonly Heard[]> {
  const heard: Heard[] = [];
  const all = async (): Promise<true | null> => {
    await window.settle();
    heard.push(...window.takeHeard());
    return fits(heard) ? true : null;
  };
  if ((await poll(all, arrivesMs, signal, 20)) !== null) return heard;
  const arrived = heard.flatMap(shownEvent).join(' ');
  throw new Red(message('self_test.not_arrived', { sent, any: arrived === '' ? 'other' : 'yes', arrived }));
}

/** Drops what came before. */
export async function forget({ window }: Scene): Promise<void> {
  await window.settle();
  window.takeHeard();
}

const shownEvent = (heard: Heard): string[] => {
  if (heard.kind === 'key') return heard.down ? [`key ${heard.keysym.toString(16)}`] : [];
  if (heard.kind === 'button') return [`${heard.button} ${heard.down ? 'down' : 'up'}`];
  return heard.kind === 'scroll' ? [`scroll ${heard.x}, ${heard.y}`] : [];
};

/** Keys that went down, without those that only modify others. */
export const typedIn = (heard: readonly Heard[]): number[] =>
  heard.flatMap((one) => (one.kind === 'key' && one.down && !isModifierKeysym(one.keysym) ? [one.keysym] : []));

export const keysymsOf = (text: string): number[] => [...text].map(keysymOf);

export const isSameList = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((value, index) => value === other[index]);

export const isUnsupported = (thrown: unknown): thrown is DesktopError =>
  thrown instanceof DesktopError && thrown.code === 'unsupported';
