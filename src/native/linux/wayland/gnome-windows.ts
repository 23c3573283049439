/** The windows of a GNOME session, as the extension in the shell tells them, and acts on them. */
import { boundingBox, contains, isSame } from '../../../base/rect.js';
import { createEmitter } from '../../../base/emitter.js';
import { poll } from '../../../base/poll.js';
import { DesktopError, type Display, type Rect, type WindowState } from '../../desktop.js';
import { openCloser, requireWindow } from '../closing.js';
import type { WindowActs } from '../display-server.js';
import type { TopLevelWindow, Windows } from '../windows.js';
import type { GnomeShell } from './gnome-shell.js';
import { message } from '../../../messages/index.js';

export interface GnomeWindow extends TopLevelWindow {
  fullscreen: boolean;
  maximized: boolean;
  /** What it has when it is maximised. */
  room: Rect;
  modal: boolean;
  resizable: boolean;
  movable: boolean;
  minimizable: boolean;
  closable: boolean;
  /** It is one of XWayland's: its process is what it claims. */
  isX: boolean;
  /** A bar, menu or dialog of the shell itself. */
  isShell: boolean;
}

type Node = Readonly<Record<string, unknown>>;

const NOWHERE: Rect = { x: 0, y: 0, width: 0, height: 0 };
const NO_BORDERS = { left: 0, right: 0, top: 0, bottom: 0 };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const nodesIn = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);
const numberIn = (node: Node, key: string): number => (typeof node[key] === 'number' ? node[key] : 0);
const textIn = (node: Node, key: string): string => (typeof node[key] === 'string' ? node[key] : '');
const is = (node: Node, key: string): boolean => node[key] === true;

function rectIn(node: Node, key: string): Rect {
  const rect = node[key];
  if (!isNode(rect)) return NOWHERE;
  const [x, y] = [numberIn(rect, 'x'), numberIn(rect, 'y')];
  return { x, y, width: numberIn(rect, 'width'), height: numberIn(rect, 'height') };
}

/** Topmost first; then those on other workspaces, then minimised ones. */
export function windowsIn(answer: unknown): GnomeWindow[] {
  const rank = (one: GnomeWindow): number => (one.minimized ? 2 : one.onOtherDesktop ? 1 : 0);
  return nodesIn(answer)
    .toReversed()
    .map(describe)
    .toSorted((one, other) => rank(one) - rank(other));
}

function describe(node: Node): GnomeWindow {
  const [id, kind, frame] = [numberIn(node, 'id'), textIn(node, 'kind'), rectIn(node, 'frame')];
  const [minimized, isX, here] = [is(node, 'minimized'), is(node, 'isX'), is(node, 'here')];
  const shown = here && !minimized;
  const application = textIn(node, 'application');
  return {
    ...{ id, top: id, frame, client: frame, minimized, isX, shown, viewable: shown, borders: NO_BORDERS },
    title: textIn(node, 'title'),
    instance: application === '' ? textIn(node, 'instance') : application,
    className: textIn(node, 'wmClass'),
    pid: numberIn(node, 'pid'),
    focused: is(node, 'focused'),
    ...(isX ? {} : { origin: { x: frame.x, y: frame.y }, surface: rectIn(node, 'surface') }),
    ...{ normal: is(node, 'normal'), tooltip: kind === 'TOOLTIP', dragged: kind === 'DND', mapped: true },
    ...{ onOtherDesktop: !here, states: [], inside: [], crowded: false, isShell: kind === 'SHELL' },
    ...{
      room: rectIn(node, 'room'),
      fullscreen: is(node, 'fullscreen'),
      maximized: is(node, 'maximized'),
      modal: is(node, 'modal'),
    },
    ...{ resizable: is(node, 'resizable'), movable: is(node, 'movable') },
    ...{ minimizable: is(node, 'minimizable'), closable: is(node, 'closable') },
  };
}

/** Main one first. */
function displaysIn(answer: unknown): Display[] {
  const found = nodesIn(answer).map((node) => {
    const [id, scale] = [textIn(node, 'id'), numberIn(node, 'scale')];
    return { id, name: id, frame: rectIn(node, 'frame'), scale: scale > 0 ? scale : 1, main: is(node, 'main') };
  });
  return found.toSorted((one, other) => Number(other.main) - Number(one.main));
}

export class GnomeWindows implements Windows {
  readonly #shell: GnomeShell;
  readonly #changes = createEmitter<void>();
  /** What one call was answered with is what it goes on with. */
  readonly #ofCalls = new WeakMap<AbortSignal, Promise<GnomeWindow[]>>();
  readonly #stop: () => void;

  constructor(shell: GnomeShell) {
    this.#shell = shell;
    this.#stop = shell.onChange(() => this.#changes.emit());
  }

  get onChange(): Windows['onChange'] {
    return this.#changes.on;
  }

  async list(call?: AbortSignal): Promise<GnomeWindow[]> {
    if (call === undefined) return windowsIn(await this.#shell.json('Windows'));
    const known = this.#ofCalls.get(call) ?? this.list();
    this.#ofCalls.set(call, known);
    return [...(await known)];
  }

  stack: Windows['stack'] = async () =>
    (await this.list())
      .filter(({ shown }) => shown)
      .map(({ pid, title, frame, focused, normal }) => ({
        ...{ pid, title, frame, focused, areas: [frame], managed: normal },
      }));

  async find(id: number, call?: AbortSignal): Promise<GnomeWindow | null> {
    return (await this.list(call)).find((window) => window.id === id) ?? null;
  }

  async front(call?: AbortSignal): Promise<GnomeWindow | null> {
    return (await this.list(call)).find(({ focused }) => focused) ?? null;
  }

  async active(): Promise<number> {
    return (await this.front())?.id ?? 0;
  }

  at: Windows['at'] = async (point, call) =>
    (await this.list(call)).find(({ shown, frame, dragged }) => shown && !dragged && contains(frame, point)) ?? null;

  /** No window of another program can be inside one here. */
  insideAt: Windows['insideAt'] = async () => [];
  focusInside: Windows['focusInside'] = async () => [];

  async pidOf(id: number): Promise<number> {
    return (await this.find(id))?.pid ?? 0;
  }

  screen: Windows['screen'] = async () => {
    const frames = (await this.displays()).map(({ frame }) => frame);
    return frames.length === 0 ? NOWHERE : boundingBox(frames);
  };

  async displays(): Promise<Display[]> {
    return displaysIn(await this.#shell.json('Displays'));
  }

  waitFor: Windows['waitFor'] = (probe, timeoutMs, signal) => poll(probe, timeoutMs, signal, LOOK_AGAIN_MS);

  close(): void {
    this.#stop();
    this.#changes.clear();
  }
}

const LOOK_AGAIN_MS = 20;
const DONE_MS = 2000;
/** An application may take another size than the one it is asked for, some steps later. */
const SETTLE_MS = 200;

type Act = 'focus' | 'frame' | 'minimize' | 'unminimize' | 'maximize' | 'unmaximize' | 'close';

export function openGnomeActs(shell: GnomeShell, windows: GnomeWindows): WindowActs {
  const find = (id: number): Promise<GnomeWindow> => requireWindow(windows, id);
  const run = async (id: number, act: Act, given: object = {}): Promise<void> => {
    const { isShell } = await find(id);
    if (isShell) throw new DesktopError('unsupported', message('native.shell_window'));
    await shell.call('Act', 'sus', act, id, JSON.stringify(given));
  };
  const closer = openCloser(windows, (id) => run(id, 'close'));
  const until = async (id: number, done: (now: GnomeWindow) => boolean, signal: AbortSignal): Promise<boolean> =>
    (await windows.waitFor(async () => (done(await find(id)) ? true : null), DONE_MS, signal)) !== null;

  /** The frame once it has not changed for a moment. */
  const settled = async (id: number, wanted: Rect | null, signal: AbortSignal): Promise<Rect> => {
    let { frame } = await find(id);
    for (const end = performance.now() + DONE_MS; performance.now() < end;) {
      if (wanted !== null && isSame(frame, wanted)) return frame;
      const before = frame;
      const other = async (): Promise<Rect | null> => {
        const now = (await find(id)).frame;
        return isSame(now, before) ? null : now;
      };
      const next = await windows.waitFor(other, SETTLE_MS, signal);
      if (next === null) return frame;
      frame = next;
    }
    return frame;
  };

  const focus = async (id: number, signal: AbortSignal): Promise<void> => {
    await run(id, 'focus');
    if (await until(id, ({ focused }) => focused, signal)) return;
    throw new DesktopError('failed', message('native.focus_not_given'));
  };

  const setFrame = async (id: number, frame: Partial<Rect>, signal: AbortSignal): Promise<Rect> => {
    const before = await find(id);
    const rounded = Object.entries({ ...before.frame, ...frame }).map(([key, value]) => [key, Math.round(value)]);
    const asked: Rect = { ...before.frame, ...Object.fromEntries(rounded) };
    const wanted = { ...asked, width: Math.max(1, asked.width), height: Math.max(1, asked.height) };
    const resizes = wanted.width !== before.frame.width || wanted.height !== before.frame.height;
    if (!before.movable || (resizes && !before.resizable))
      throw new DesktopError('unsupported', message('native.fixed_window'));
    await run(id, 'frame', wanted);
    return settled(id, wanted, signal);
  };

  const setMinimized = async (id: number, minimized: boolean, signal: AbortSignal): Promise<void> => {
    if ((await find(id)).minimized === minimized) return;
    await run(id, minimized ? 'minimize' : 'unminimize');
    if (await until(id, (now) => now.minimized === minimized, signal)) return;
    throw new DesktopError('failed', message('native.not_restored'));
  };

  const setMaximized = async (id: number, maximized: boolean, signal: AbortSignal): Promise<void> => {
    const before = await find(id);
    if (before.maximized === maximized) return;
    await run(id, maximized ? 'maximize' : 'unmaximize');
    if (!(await until(id, (now) => now.maximized === maximized, signal)))
      throw new DesktopError('unsupported', message('native.fixed_window'));
    // The application draws it in its new size later.
    await until(id, ({ frame }) => !isSame(frame, before.frame), signal);
    await settled(id, maximized ? before.room : null, signal);
  };

  const state = async (id: number): Promise<WindowState> => {
    const found = await find(id);
    const { resizable, minimizable, closable, modal, minimized, maximized, fullscreen, focused, shown } = found;
    const told = { resizable, minimizable, closable, modal, minimized, maximized, fullscreen, focused };
    return { ...told, floating: null, hidden: !shown && !minimized };
  };

  const kill = async (id: number, signal: AbortSignal): Promise<void> => {
    const { pid, isX, isShell } = await find(id);
    if (isShell) throw new DesktopError('unsupported', message('native.shell_window'));
    // A program of XWayland says itself which process it is.
    if (isX || pid <= 1) throw new DesktopError('unsupported', message('native.kills_no_x'));
    await closer.kill(id, async () => void process.kill(pid, 'SIGKILL'), signal);
  };

  return { focus, setFrame, setMinimized, setMaximized, state, close: closer.close, quit: closer.quit, kill };
}
