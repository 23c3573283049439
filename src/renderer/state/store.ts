/** Holds the state and notifies listeners of changes. */
import { createEmitter } from '../../base/emitter.js';
import { reduce, type PageEvent } from './reduce.js';
import { initialState, type PageState } from './state.js';

export interface PageStore {
  get(): PageState;
  dispatch(event: PageEvent): void;
  subscribe(listener: () => void): () => void;
  /** Called before each change, while the old state is still rendered. */
  beforeChange(listener: () => void): () => void;
}

export function createPageStore(): PageStore {
  let state = initialState;
  const after = createEmitter<void>();
  const before = createEmitter<void>();
  return {
    get: () => state,
    dispatch: (event) => {
      const next = reduce(state, event);
      if (next === state) return;
      before.emit();
      state = next;
      after.emit();
    },
    subscribe: after.on,
    beforeChange: before.on,
  };
}
