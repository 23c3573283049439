/**
 * What every other folder may use: small helpers without knowledge of this program, pure (neither Node nor DOM). This one: listeners of
 * an event. Comes in: values. Goes out: each value to every listener.
 */

/** Registers a listener; returns a function that removes it. */
type Subscribe<T> = (listener: (value: T) => void) => () => void;

export interface Emitter<T> {
  readonly on: Subscribe<T>;
  /** One listener that throws does not keep the others from being called. */
  emit(value: T): void;
  /** The number of listeners. */
  readonly size: number;
  /** Removes all listeners. */
  clear(): void;
}

/** `onError` gets what listeners throw. Without it the first error is thrown to the caller of `emit`, after all listeners were called. */
export function createEmitter<T>(onError?: (thrown: unknown) => void): Emitter<T> {
  const listeners = new Set<{ call(value: T): void }>();
  return {
    on(listener) {
      const own = { call: listener };
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    emit(value) {
      let failed: { thrown: unknown } | null = null;
      for (const own of [...listeners]) {
        try {
          if (listeners.has(own)) own.call(value);
        } catch (thrown) {
          if (onError === undefined) failed ??= { thrown };
          else onError(thrown);
        }
      }
      if (failed !== null) throw failed.thrown;
    },
    get size() {
      return listeners.size;
    },
    clear: () => listeners.clear(),
  };
}
