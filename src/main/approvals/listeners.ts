/** Those who want to know. One that throws is logged and harms nobody: not the others, and not the decision. */
export interface Listeners<T> {
  add(listener: (event: T) => void): () => void;
  tell(event: T): void;
}

export function createListeners<T>(onFailure: (thrown: unknown) => void): Listeners<T> {
  const all = new Set<(event: T) => void>();
  return {
    add(listener) {
      const own = (event: T) => listener(event);
      all.add(own);
      return () => all.delete(own);
    },
    tell(event) {
      for (const listener of all) {
        try {
          listener(event);
        } catch (thrown) {
          onFailure(thrown);
        }
      }
    },
  };
}
