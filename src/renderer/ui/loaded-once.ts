/** Code in a file of its own, fetched when it is first asked for, and again where it could not be had. */
import { createEmitter } from '../../base/emitter.js';

export interface LoadedOnce<T> {
  /** null until it is here. */
  get(): T | null;
  load(): Promise<void>;
  /** Calls the listener once it is here. */
  readonly on: (listener: () => void) => () => void;
}

export function loadedOnce<T>(fetch: () => Promise<T>): LoadedOnce<T> {
  let found: T | null = null;
  const arrived = createEmitter<void>();
  return {
    get: () => found,
    async load() {
      if (found !== null) return;
      found = await fetch();
      arrived.emit();
    },
    on: arrived.on,
  };
}
