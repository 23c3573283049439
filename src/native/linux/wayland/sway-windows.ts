/** The windows of a sway session: where they are, which has the focus, and which is on top. */
import { type Display, type Rect, DesktopError, type Launched, type WindowState } from '../../desktop.js';
import type { TopLevelWindow, Windows } from '../windows.js';
import { boundingBox, contains, isSame } from '../../../base/rect.js';
import { delay } from '../../../base/poll.js';
import { createEmitter } from '../../../base/emitter.js';
import type { SwayIpc } from './sway-ipc.js';
import type { BackgroundStart } from '../application-start.js';
import { openCloser, requireWindow } from '../closing.js';
import type { WindowActs } from '../display-server.js';
import { message } from '../../../messages/index.js';

const DONE_MS = 2000;
/** An application may take another size than the one it is asked for, some steps later. */
const SETTLE_MS = 120;

/** Acts on windows of a sway session, by its commands. Tiled windows have no place of their own: what they cannot do is said. */
export function openSwayActs(ipc: SwayIpc, windows: SwayWindows): WindowActs {
  const find = (id: number): Promise<SwayWindow> => requireWindow(windows, id);
  const run = async (id: number, command: string): Promise<void> => {
    await ipc.run(`[con_id=${id}] ${command}`);
    windows.changed();
  };
  const closer = openCloser(windows, (id) => run(id, 'kill'));

  const focus = async (id: number, signal: AbortSignal): Promise<void> => {
    const { minimized } = await find(id);
    await run(id, minimized ? 'scratchpad show' : 'focus');
    const isActive = async (): Promise<true | null> => ((await windows.active()) === id ? true : null);
    if ((await windows.waitFor(isActive, DONE_MS, signal)) !== null) return;
    await find(id);
    throw new DesktopError('failed', message('native.focus_not_given'));
  };

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

  const setFrame = async (id: number, frame: Partial<Rect>, signal: AbortSignal): Promise<Rect> => {
    const before = await find(id);
    requireFloating(before);
    const rounded = Object.entries({ ...before.frame, ...frame }).map(([key, value]) => [key, Math.round(value)]);
    const wanted: Rect = { ...before.frame, ...Object.fromEntries(rounded) };
    const [width, height] = [Math.max(1, wanted.width), Math.max(1, wanted.height)];
    const resized = width !== before.frame.width || height !== before.frame.height;
    if (resized) await run(id, `resize set width ${width} px height ${height} px`);
    const granted = resized ? await settled(id, { ...before.frame, width, height }, signal) : before.frame;
    // sway keeps the middle where it was.
    await run(id, `move absolute position ${wanted.x} px ${wanted.y} px`);
    return settled(id, { ...granted, x: wanted.x, y: wanted.y }, signal);
  };

  const setMinimized = async (id: number, minimized: boolean, signal: AbortSignal): Promise<void> => {
    const before = await find(id);
    if (before.minimized === minimized) return;
    if (minimized) requireFloating(before);
    await run(id, minimized ? 'move scratchpad' : 'scratchpad show');
    const isDone = async (): Promise<true | null> => ((await find(id)).minimized === minimized ? true : null);
    if ((await windows.waitFor(isDone, DONE_MS, signal)) === null)
      throw new DesktopError('failed', message('native.not_restored'));
    if (!minimized) await settled(id, null, signal);
  };

  const setMaximized = async (id: number): Promise<void> => {
    await find(id);
    throw new DesktopError('unsupported', message('native.sway_maximises_none'));
  };

  const state = async (id: number): Promise<WindowState> => {
    const { floating, focused, fullscreen, minimized, shown } = await find(id);
    return {
      ...{ resizable: floating, minimizable: floating, closable: true, modal: null, floating: null },
      ...{ hidden: !shown && !minimized, minimized, maximized: null, fullscreen, focused },
    };
  };

  const kill = async (id: number, signal: AbortSignal): Promise<void> => {
    const { pid, isX } = await find(id);
    // A program of XWayland says itself which process it is.
    if (isX || pid <= 1) throw new DesktopError('unsupported', message('native.kills_no_x'));
    await closer.kill(id, async () => void process.kill(pid, 'SIGKILL'), signal);
  };

  return { focus, setFrame, setMinimized, setMaximized, state, close: closer.close, quit: closer.quit, kill };
}

function requireFloating({ floating, fullscreen }: SwayWindow): void {
  if (!floating || fullscreen) throw new DesktopError('unsupported', message('native.tiled_window'));
}

/** A compositor gives a new window the focus; it is given back here. */
export async function openBackgroundStart(
  windows: Pick<Windows, 'active' | 'find'>,
  acts: Pick<WindowActs, 'focus'>,
): Promise<BackgroundStart> {
  const before = await windows.active();
  const finish = async (_: unknown, signal: AbortSignal): Promise<Launched['focus']> => {
    const now = await windows.active();
    if (now === before) return 'kept';
    if (before === 0 || (await windows.find(before)) === null) return 'moved';
    await acts.focus(before, signal);
    return 'given_back';
  };
  return { env: {}, follow: () => {}, finish, close: async () => {} };
}

// The windows that sway tells of. Comes in: the answers to `get_tree` and `get_outputs`. Goes out: windows, topmost first, and displays.

export interface SwayWindow extends TopLevelWindow {
  floating: boolean;
  fullscreen: boolean;
  /** It is one of XWayland's: its process is what it claims. */
  isX: boolean;
  workspace: string;
}

type Node = Readonly<Record<string, unknown>>;

/** The workspace of what is hidden in the scratchpad. */
const SCRATCHPAD = '__i3_scratch';

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const nodesIn = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);
const numberIn = (node: Node, key: string): number => (typeof node[key] === 'number' ? node[key] : 0);
const textIn = (node: Node, key: string): string => (typeof node[key] === 'string' ? node[key] : '');

function rectIn(node: Node, key: string): Rect {
  const rect = node[key];
  if (!isNode(rect)) return { x: 0, y: 0, width: 0, height: 0 };
  return {
    x: numberIn(rect, 'x'),
    y: numberIn(rect, 'y'),
    width: numberIn(rect, 'width'),
    height: numberIn(rect, 'height'),
  };
}

/** Topmost first: what fills a screen, floating windows, tiled ones; then those on other workspaces, then hidden ones. */
export function windowsIn(tree: unknown): SwayWindow[] {
  const workspaces = isNode(tree) ? nodesIn(tree['nodes']).flatMap((output) => nodesIn(output['nodes'])) : [];
  const found = workspaces.flatMap((workspace) => {
    const tiled = nodesIn(workspace['nodes']).flatMap((node) => leavesOf(node, false));
    // The one drawn last is on top.
    const floating = nodesIn(workspace['floating_nodes']).flatMap((node) => leavesOf(node, true));
    const ordered = [...floating.toReversed(), ...tiled];
    return ordered.map((leaf) => describe(leaf.node, leaf.floating, textIn(workspace, 'name')));
  });
  const rank = (one: SwayWindow): number =>
    one.minimized ? 5 : !one.shown ? 4 : one.fullscreen ? 0 : one.floating ? 1 : one.focused ? 2 : 3;
  return found.toSorted((one, other) => rank(one) - rank(other));
}

function leavesOf(node: Node, floating: boolean): { node: Node; floating: boolean }[] {
  const children = [...nodesIn(node['nodes']), ...nodesIn(node['floating_nodes'])];
  if (children.length > 0) return children.flatMap((child) => leavesOf(child, floating));
  return typeof node['pid'] === 'number' ? [{ node, floating }] : [];
}

function describe(node: Node, floating: boolean, workspace: string): SwayWindow {
  const id = numberIn(node, 'id');
  const properties = isNode(node['window_properties']) ? node['window_properties'] : {};
  const app = textIn(node, 'app_id');
  const [rect, inner, title] = [rectIn(node, 'rect'), rectIn(node, 'window_rect'), rectIn(node, 'deco_rect')];
  const client = { x: rect.x + inner.x, y: rect.y + inner.y, width: inner.width, height: inner.height };
  const frame =
    floating && title.height > 0 ? { ...rect, y: rect.y - title.height, height: rect.height + title.height } : rect;
  const isX = textIn(node, 'shell') === 'xwayland';
  const minimized = workspace === SCRATCHPAD;
  const shown = node['visible'] === true && !minimized;
  return {
    ...{ id, top: id, workspace, floating, minimized, shown, frame, client },
    title: textIn(node, 'name'),
    instance: app === '' ? textIn(properties, 'instance') : app,
    className: app === '' ? textIn(properties, 'class') : app,
    pid: numberIn(node, 'pid'),
    borders: bordersOf(frame, client),
    focused: node['focused'] === true,
    ...(isX ? {} : { origin: { x: client.x, y: client.y } }),
    ...{ normal: true, tooltip: false, dragged: false, mapped: true, crowded: false },
    viewable: shown,
    onOtherDesktop: !shown && !minimized,
    states: [],
    inside: [],
    fullscreen: numberIn(node, 'fullscreen_mode') !== 0,
    isX,
  };
}

function bordersOf(frame: Rect, client: Rect): TopLevelWindow['borders'] {
  const [left, top] = [client.x - frame.x, client.y - frame.y];
  return {
    ...{ left, top },
    right: frame.width - client.width - left,
    bottom: frame.height - client.height - top,
  };
}

/** How an output is placed. */
interface SwayOutput extends Display {
  transform: string;
}

/** sway knows no main one: the one at the top left corner stands for it. */
function outputsIn(answer: unknown): SwayOutput[] {
  const active = nodesIn(answer).filter((node) => node['active'] === true);
  const found = active.map((node) => {
    const name = textIn(node, 'name');
    const scale = numberIn(node, 'scale');
    return {
      id: name,
      name,
      frame: rectIn(node, 'rect'),
      scale: scale > 0 ? scale : 1,
      transform: textIn(node, 'transform'),
    };
  });
  const far = ({ frame }: Pick<Display, 'frame'>): number => Math.abs(frame.x) + Math.abs(frame.y);
  const [main] = found.toSorted((one, other) => far(one) - far(other));
  return found
    .map((one) => ({ ...one, main: one === main }))
    .toSorted((one, other) => Number(other.main) - Number(one.main));
}

export function versionIn(answer: unknown): string {
  return isNode(answer) ? textIn(answer, 'human_readable') : '';
}

/** sway tells of no moves and new sizes: a wait looks again after so long. */
const LOOK_AGAIN_MS = 20;

export class SwayWindows implements Windows {
  readonly #ipc: SwayIpc;
  readonly #changes = createEmitter<void>();
  /** What one call was answered with is what it goes on with. */
  readonly #ofCalls = new WeakMap<AbortSignal, Promise<SwayWindow[]>>();
  readonly #stop: () => void;

  constructor(ipc: SwayIpc) {
    this.#ipc = ipc;
    this.#stop = ipc.onEvent(() => this.changed());
  }

  /** Also for what sway does not tell of. */
  changed(): void {
    this.#changes.emit();
  }

  get onChange(): Windows['onChange'] {
    return this.#changes.on;
  }

  async list(call?: AbortSignal): Promise<SwayWindow[]> {
    if (call === undefined) return windowsIn(await this.#ipc.tree());
    const known = this.#ofCalls.get(call) ?? this.list();
    this.#ofCalls.set(call, known);
    return [...(await known)];
  }

  stack: Windows['stack'] = async () =>
    (await this.list())
      .filter(({ shown }) => shown)
      .map(({ pid, title, frame, focused }) => ({ pid, title, frame, focused, areas: [frame], managed: true }));

  async find(id: number, call?: AbortSignal): Promise<SwayWindow | null> {
    return (await this.list(call)).find((window) => window.id === id) ?? null;
  }

  async front(call?: AbortSignal): Promise<SwayWindow | null> {
    return (await this.list(call)).find(({ focused }) => focused) ?? null;
  }

  async active(): Promise<number> {
    return (await this.front())?.id ?? 0;
  }

  at: Windows['at'] = async (point, call) =>
    (await this.list(call)).find(({ shown, frame }) => shown && contains(frame, point)) ?? null;

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
    const found = outputsIn(await this.#ipc.outputs());
    return found.map(({ id, name, frame, scale, main }) => ({ id, name, frame, scale, main }));
  }

  waitFor: Windows['waitFor'] = async (probe, timeoutMs, signal) => {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      signal.throwIfAborted();
      const found = await probe();
      const left = deadline - performance.now();
      if (found !== null || left <= 0) return found;
      await delay(Math.min(LOOK_AGAIN_MS, left), signal);
    }
  };

  close(): void {
    this.#stop();
    this.#changes.clear();
  }
}

const NOWHERE: Rect = { x: 0, y: 0, width: 0, height: 0 };
