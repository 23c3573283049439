/** A virtual pointer. Comes in: places on the desktop. Goes out: events of zwlr_virtual_pointer_v1. */
import { DesktopError, type InputGuard, type MouseButton, type Point, type Rect } from '../../desktop.js';
import type { Pointer } from '../display-server.js';
import { PressTimes } from '../release-buttons.js';
import { now } from './keyboard.js';
import type { WireConnection } from './wire.js';
import { message } from '../../../messages/index.js';

export const POINTER_MANAGER = 'zwlr_virtual_pointer_manager_v1';
const REQUEST = { motionAbsolute: 1, button: 2, frame: 4, axisSource: 5, axisDiscrete: 7 };
/** Of linux/input-event-codes.h. */
const BUTTONS: ReadonlyMap<MouseButton, number> = new Map([
  ['left', 0x110], ['right', 0x111], ['middle', 0x112], ['back', 0x113], ['forward', 0x114],
]); // prettier-ignore
const AXES = [['y', 0], ['x', 1]] as const; // prettier-ignore
const WHEEL = 0;
/** What a step of a wheel is for compositors. */
const STEP = 15;
/** Places have fractions of a point. */
const FINENESS = 100;

interface PointerOptions {
  wire: WireConnection;
  manager: number;
  seat: number;
  /** All displays together. */
  screen(): Promise<Rect>;
  sent(): void;
}

export class VirtualPointer implements Pointer {
  readonly #options: PointerOptions;
  readonly #id: number;
  readonly #held = new Map<MouseButton, Point | null>();
  readonly #times = new PressTimes<MouseButton>();
  #at: Point | null = null;

  constructor(options: PointerOptions) {
    this.#options = options;
    this.#id = options.wire.newObject();
    options.wire.send(options.manager, 0, options.seat, this.#id);
  }

  /** No compositor of this kind tells where the pointer is: this is where it was moved to last. */
  async position(): Promise<Point> {
    if (this.#at === null) throw new DesktopError('unsupported', message('native.pointer_untold'));
    return this.#at;
  }

  async move(to: Point, signal: AbortSignal): Promise<void> {
    const screen = await this.#options.screen();
    signal.throwIfAborted();
    const at = { x: clamp(to.x, screen.x, screen.width), y: clamp(to.y, screen.y, screen.height) };
    // The middle of the pixel, so that no rounding moves it to the next one.
    const [x, y] = [at.x - screen.x + 0.5, at.y - screen.y + 0.5].map((one) => Math.round(one * FINENESS));
    const extents = [screen.width * FINENESS, screen.height * FINENESS];
    this.#send(REQUEST.motionAbsolute, now(), x ?? 0, y ?? 0, ...extents);
    this.#at = at;
    await this.#frame(signal);
  }

  async button(button: MouseButton, down: boolean, guard: InputGuard, signal: AbortSignal): Promise<void> {
    await this.#times.lasted(button, signal);
    await guard();
    signal.throwIfAborted();
    this.#set(button, down);
    await this.#frame(signal);
  }

  async scroll(delta: Point, guard: InputGuard, signal: AbortSignal): Promise<void> {
    for (const [side, axis] of AXES) {
      const direction = Math.sign(delta[side]);
      for (let line = Math.round(Math.abs(delta[side])); line > 0; line -= 1) {
        await guard();
        signal.throwIfAborted();
        this.#send(REQUEST.axisSource, WHEEL);
        this.#send(REQUEST.axisDiscrete, now(), axis, { fixed: STEP * direction }, direction);
        await this.#frame(signal);
      }
    }
  }

  async release(keep: readonly MouseButton[] = []): Promise<void> {
    for (const button of [...this.#held.keys()]) if (!keep.includes(button)) this.#set(button, false);
    await this.#frame();
  }

  /** Where the first held button that is not in `keep` was pressed; null where none is held. */
  pressedAt(keep: readonly MouseButton[] = []): Point | null {
    return [...this.#held].find(([button]) => !keep.includes(button))?.[1] ?? null;
  }

  #set(button: MouseButton, down: boolean): void {
    if (down) this.#held.set(button, this.#at ?? { x: 0, y: 0 });
    else this.#held.delete(button);
    this.#times.changed(button);
    this.#send(REQUEST.button, now(), BUTTONS.get(button) ?? 0, down ? 1 : 0);
  }

  #send(request: number, ...given: readonly (number | { fixed: number })[]): void {
    this.#options.sent();
    this.#options.wire.send(this.#id, request, ...given);
  }

  async #frame(signal?: AbortSignal): Promise<void> {
    this.#options.wire.send(this.#id, REQUEST.frame);
    await this.#options.wire.roundtrip(signal);
  }
}

const clamp = (value: number, from: number, length: number): number =>
  Math.floor(Math.min(Math.max(value, from), from + length - 1));
