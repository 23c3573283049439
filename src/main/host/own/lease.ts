/**
 * Who works on a desktop of an agent's own: the agent, or the person, who took it over. While the person has it, nothing that the agent
 * began does anything there or sees anything of it, however late it comes.
 */
import type { DesktopBackend, InputGuard, MouseButton } from '../../../native/desktop.js';
import { methodOf, withRule } from '../../../native/methods.js';
import { message, type Message } from '../../../messages/index.js';
import { Stopped } from '../../pipeline/failures.js';
import { WireError, type DesktopInput } from '../../protocol/index.js';

export class Lease {
  #holder: string | null = null;
  #handedBack: Message | null = null;

  /** The page that has it; null: the agent. */
  get holder(): string | null {
    return this.#holder;
  }

  take(holder: string): void {
    this.#holder = holder;
    this.#handedBack = null;
  }

  /** The agent's next call fails once with these words, so that it looks before it goes on. */
  handBack(words: string): void {
    if (this.#holder === null) return;
    this.#holder = null;
    this.#handedBack = message('error.handed_back', { said: words === '' ? 'other' : 'yes', words });
  }

  /** Throws for the first call after the person gave it back. */
  assertTold(): void {
    const told = this.#handedBack;
    this.#handedBack = null;
    if (told !== null) throw new WireError('DESKTOP_TARGET_CHANGED', told, { reason: 'handed_back' });
  }

  assertAgents(): void {
    if (this.#holder !== null) throw new Stopped('person', message('stopped.taken_over'));
  }

  /** The desktop as the agent's calls get it. */
  guard(desktop: DesktopBackend): DesktopBackend {
    return withRule(desktop, (name, method) => {
      const known = methodOf(name);
      if (known?.kind === 'host') return null;
      // These tell nothing of what is there.
      if (known?.kind === 'reader' && (known.reveals === 'machine' || known.reveals === 'changes')) return null;
      return async (...given) => {
        this.assertAgents();
        const result = await method(...(known?.kind === 'input' ? this.#guardedArguments(given) : given));
        // What was read meanwhile may show what the person does.
        if (known?.kind === 'reader') this.assertAgents();
        return result;
      };
    });
  }

  /** The guard of an input, last but one, runs before each event. */
  #guardedArguments(given: unknown[]): unknown[] {
    return given.map((one, index) => (index === given.length - 2 && isGuard(one) ? this.#both(one) : one));
  }

  #both(guard: InputGuard): InputGuard {
    return async () => {
      await guard();
      this.assertAgents();
    };
  }
}

const isGuard = (given: unknown): given is InputGuard => typeof given === 'function';

const TIMEOUT_MS = 5_000;
const always = async (): Promise<void> => undefined;

/** What the person does by hand on a desktop that they took over: pointer, keys and text of their page, in order. Nothing of it is kept. */
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
    if (input.kind === 'button') await this.#button(input, signal);
  }

  async #button(
    { button, down, held = [] }: Extract<DesktopInput, { kind: 'button' }>,
    signal: AbortSignal,
  ): Promise<void> {
    if (down) for (const key of held) await this.#desktop.key(key, true, always, signal);
    await this.#desktop.button(button satisfies MouseButton, down, always, signal);
    if (!down) for (const key of held.toReversed()) await this.#desktop.key(key, false, always, signal);
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
