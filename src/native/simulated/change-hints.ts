/** Hints that the desktop may have changed: after each call that can change it, once in a burst. */
import { createEmitter } from '../../base/emitter.js';
import type { ChangeHint } from '../desktop.js';

const KINDS: readonly ChangeHint['kind'][] = ['windows', 'applications', 'elements'];

interface CallHints {
  on(listener: (hint: ChangeHint) => void): () => void;
  /** The same methods; listeners are called after each of them. */
  after<T extends object>(methods: T): T;
  close(): void;
}

export function createCallHints(): CallHints {
  const hints = createEmitter<ChangeHint>();
  let scheduled = false;

  function emitHints(): void {
    scheduled = false;
    for (const kind of KINDS) hints.emit({ kind, pid: null });
  }

  function changed(): void {
    if (scheduled || hints.size === 0) return;
    scheduled = true;
    setImmediate(emitHints);
  }

  function after<T extends object>(methods: T): T {
    return new Proxy(methods, {
      get(target, name) {
        const found: unknown = Reflect.get(target, name);
        if (typeof found === 'object' && found !== null) return after(found);
        if (typeof found !== 'function') return found;
        return (...args: unknown[]): unknown => {
          const result: unknown = Reflect.apply(found, target, args);
          if (result instanceof Promise) void result.then(changed, changed);
          else changed();
          return result;
        };
      },
    });
  }

  return { on: hints.on, after, close: hints.clear };
}
