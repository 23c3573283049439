/** Holds the state and tells whoever listens. */
import { reduce, type Happening } from './reduce.js';
import { initialState, type PageState } from './state.js';

export interface Store {
  get(): PageState;
  tell(happening: Happening): void;
  subscribe(listener: () => void): () => void;
  /** Called right before each change, while the page still looks as it did. */
  beforeChange(listener: () => void): () => void;
}

export function createStore(): Store {
  let state = initialState;
  const listeners = new Set<() => void>();
  const early = new Set<() => void>();
  const register = (set: Set<() => void>, listener: () => void) => {
    set.add(listener);
    return () => void set.delete(listener);
  };
  return {
    get: () => state,
    tell: (happening) => {
      const next = reduce(state, happening);
      if (next === state) return;
      for (const listener of early) listener();
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => register(listeners, listener),
    beforeChange: (listener) => register(early, listener),
  };
}
