/** What the person does by hand on a desktop that they took over: pointer, keys and text of their page, in order. Nothing of it is kept. */
import type { DesktopBackend, MouseButton } from '../../../native/desktop.js';
import type { DesktopInput } from '../../protocol/index.js';

const TIMEOUT_MS = 5_000;
const always = async (): Promise<void> => undefined;

export class Hand {
  #last: Promise<void> = Promise.resolve();
  readonly #desktop: DesktopBackend;
  readonly #mayAct: () => boolean;

  /** `mayAct`: asked again before each act, for what waits in line. */
  constructor(desktop: DesktopBackend, mayAct: () => boolean) {
    this.#desktop = desktop;
    this.#mayAct = mayAct;
  }

  /** Does it once all before it is done. Never rejects. */
  do(input: DesktopInput): Promise<void> {
    const act = async (): Promise<void> => {
      if (this.#mayAct()) await this.#act(input, AbortSignal.timeout(TIMEOUT_MS));
    };
    this.#last = this.#last.then(act).catch(() => undefined);
    return this.#last;
  }

  /** Lets go of what is still held. */
  release(): Promise<void> {
    this.#last = this.#last.then(() => this.#desktop.releaseAll()).catch(() => undefined);
    return this.#last;
  }

  async #act(input: DesktopInput, signal: AbortSignal): Promise<void> {
    if (input.kind === 'text') return this.#desktop.typeText(input.text, always, signal);
    if (input.kind === 'keys') return this.#press(input.keys, signal);
    await this.#move(input, signal);
    if (input.kind === 'scroll') await this.#desktop.scroll({ x: 0, y: input.lines }, always, signal);
    if (input.kind === 'button')
      await this.#desktop.button(input.button satisfies MouseButton, input.down, always, signal);
  }

  async #press(keys: readonly string[], signal: AbortSignal): Promise<void> {
    for (const key of keys) await this.#desktop.key(key, true, always, signal);
    for (const key of keys.toReversed()) await this.#desktop.key(key, false, always, signal);
  }

  /** Places come as parts of the picture, which has the form of the display. */
  async #move({ x, y }: { x: number; y: number }, signal: AbortSignal): Promise<void> {
    const [display] = await this.#desktop.displays(signal);
    if (display === undefined) return;
    const { frame } = display;
    const at = { x: Math.round(frame.x + x * (frame.width - 1)), y: Math.round(frame.y + y * (frame.height - 1)) };
    await this.#desktop.movePointer(at, signal);
  }
}
