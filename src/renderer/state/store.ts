/** Holds the state and tells whoever listens. */
import { createEmitter } from '../../base/emitter.js';
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
  const after = createEmitter<void>();
  const before = createEmitter<void>();
  return {
    get: () => state,
    tell: (happening) => {
      const next = reduce(state, happening);
      if (next === state) return;
      before.emit();
      state = next;
      after.emit();
    },
    subscribe: after.on,
    beforeChange: before.on,
  };
}
