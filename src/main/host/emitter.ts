/** A value others watch. A listener that throws does not keep the others from hearing. */
export interface Emitter<T> {
  on(listener: (value: T) => void): () => void;
  tell(value: T): void;
}

export function createEmitter<T>(failed: (thrown: unknown) => void): Emitter<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell(value) {
      for (const listener of [...listeners]) {
        try {
          listener(value);
        } catch (thrown) {
          failed(thrown);
        }
      }
    },
  };
}
