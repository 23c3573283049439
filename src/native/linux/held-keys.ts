import { PressTimes } from './press-times.js';

export interface Keycodes {
  press(keycode: number): void;
  release(keycode: number): void;
}

/** Fewer than a keyboard of a person can tell at once. */
const MOST = 6;

/** Keys that stay down for a frame while the next ones are pressed, as fast typists do it. */
export class HeldKeys {
  readonly #keycodes: Keycodes;
  readonly #times = new PressTimes<number>();
  readonly #down: number[] = [];

  constructor(keycodes: Keycodes) {
    this.#keycodes = keycodes;
  }

  /** Resolves once this key can be pressed: it has been up for a frame, and not too many are down. */
  async makeRoom(keycode: number, signal: AbortSignal): Promise<void> {
    if (this.#down.includes(keycode)) await this.#up(keycode, signal);
    const [first] = this.#down;
    if (first !== undefined && this.#down.length >= MOST) await this.#up(first, signal);
    await this.#times.lasted(keycode, signal);
  }

  press(keycode: number): void {
    this.#keycodes.press(keycode);
    this.#times.changed(keycode);
    this.#down.push(keycode);
  }

  /** Each after its frame. */
  async releaseAll(signal: AbortSignal): Promise<void> {
    for (const keycode of [...this.#down]) await this.#up(keycode, signal);
  }

  releaseNow(): void {
    for (const keycode of this.#down.splice(0)) this.#keycodes.release(keycode);
  }

  async #up(keycode: number, signal: AbortSignal): Promise<void> {
    await this.#times.lasted(keycode, signal);
    this.#keycodes.release(keycode);
    this.#times.changed(keycode);
    this.#down.splice(this.#down.indexOf(keycode), 1);
  }
}
