/**
 * Who works on a desktop of an agent's own: the agent, or the person, who took it over. While the person has it, nothing that the agent
 * began does anything there or sees anything of it, however late it comes.
 */
import { DESKTOP_METHODS, type DesktopBackend, type InputGuard } from '../../../native/desktop.js';
import { message, type Message } from '../../../messages/index.js';
import { Stopped } from '../../pipeline/failures.js';
import { WireError } from '../../protocol/index.js';

/** These tell nothing of what is there. */
const OPEN: ReadonlySet<string> = new Set(['platform', 'version', 'permissions', 'displays', 'onClipboardChange', 'onChange']); // prettier-ignore

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
    const guarded: Record<string, unknown> = { ...desktop };
    for (const [name, part] of Object.entries(DESKTOP_METHODS)) {
      const method: unknown = Reflect.get(desktop, name);
      if (part === 'host' || OPEN.has(name) || typeof method !== 'function') continue;
      guarded[name] = async (...given: unknown[]) => {
        this.assertAgents();
        const result: unknown = await Reflect.apply(
          method,
          desktop,
          part === 'input' ? this.#guardedArguments(given) : given,
        );
        // What was read meanwhile may show what the person does.
        if (part === 'reader') this.assertAgents();
        return result;
      };
    }
    return Object.assign({}, desktop, guarded);
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
