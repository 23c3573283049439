/** The windows of a sway session: where they are, which has the focus, and which is on top. */
import { boundingBox, contains } from '../../../base/rect.js';
import { delay } from '../../../base/poll.js';
import { createEmitter } from '../../../base/emitter.js';
import type { Display, Rect } from '../../desktop.js';
import type { Windows } from '../windows.js';
import type { SwayIpc } from './sway-ipc.js';
import { outputsIn, windowsIn, type SwayWindow } from './sway-tree.js';

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
