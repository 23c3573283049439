/** What a component asks the host for when it is shown. */
import { useEffect, useState } from 'react';
import { NoAnswer } from '../net/host-questions.js';
import { createEmitter } from '../../base/emitter.js';

export type Loaded<T> =
  { state: 'loading' } | { state: 'failed'; code: string; message: string } | { state: 'done'; value: T };

const LOADING = { state: 'loading' } as const;

/**
 * Loads when `key` or `again` changes or `load` is no longer null. What was loaded for this key stays until the next answer, also
 * while `load` is null; what comes for an earlier key is dropped.
 */
export function useLoaded<T>(load: (() => Promise<T>) | null, key: string, refreshKey = ''): Loaded<T> {
  const [found, setFound] = useState<{ key: string; loaded: Loaded<T> }>({ key, loaded: LOADING });
  useEffect(() => {
    if (load === null) return undefined;
    let wanted = true;
    load().then(
      (value) => wanted && setFound({ key, loaded: { state: 'done', value } }),
      (failure: unknown) =>
        wanted &&
        setFound((last) =>
          last.key === key && last.loaded.state === 'done' ? last : { key, loaded: failed(failure) },
        ),
    );
    return () => {
      wanted = false;
    };
    // `load` is a new function in every render.
  }, [key, refreshKey, load === null]);
  return found.key === key ? found.loaded : LOADING;
}

/** null until it is loaded. */
export function valueOf<T>(loaded: Loaded<T> | null): T | null {
  return loaded?.state === 'done' ? loaded.value : null;
}

function failed(failure: unknown): Loaded<never> {
  const code = failure instanceof NoAnswer ? failure.code : 'failed';
  return { state: 'failed', code, message: failure instanceof Error ? failure.message : String(failure) };
}

// Code in a file of its own, fetched when it is first asked for, and again where it could not be had.

interface LoadedOnce<T> {
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
