/** Word that the world may have changed: after each of the calls that can change it, once a burst. */
import { createEmitter } from '../../base/emitter.js';
import type { ChangeHint } from '../desktop.js';

const KINDS: readonly ChangeHint['kind'][] = ['windows', 'applications', 'elements'];

export interface Hints {
  on(listener: (hint: ChangeHint) => void): () => void;
  /** The same hands; whoever listens hears when they have done something. */
  after<T extends object>(hands: T): T;
  close(): void;
}

export function createHints(): Hints {
  const hints = createEmitter<ChangeHint>();
  let due = false;

  function tell(): void {
    due = false;
    for (const kind of KINDS) hints.emit({ kind, pid: null });
  }

  function changed(): void {
    if (due || hints.size === 0) return;
    due = true;
    setImmediate(tell);
  }

  function after<T extends object>(hands: T): T {
    return new Proxy(hands, {
      get(target, name) {
        const found: unknown = Reflect.get(target, name);
        if (typeof found === 'object' && found !== null) return after(found);
        if (typeof found !== 'function') return found;
        return (...given: unknown[]): unknown => {
          const result: unknown = Reflect.apply(found, target, given);
          if (result instanceof Promise) void result.then(changed, changed);
          else changed();
          return result;
        };
      },
    });
  }

  return {
    on: hints.on,
    after,
    close: hints.clear,
  };
}
