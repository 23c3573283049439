import { createEmitter } from '../../base/emitter.js';

/** What is known of the record since the start. `changed` stays: it is not as it was written, or could not be checked. */
export type Integrity = { state: 'unchanged' | 'changed' } | { state: 'checking'; percent: number };

export interface IntegrityWatch {
  now(): Integrity;
  /** Fires for each change, and for each percent. Returns a dispose function. */
  on(listener: (integrity: Integrity) => void): () => void;
  checking(share: number): void;
  ended(found: 'unchanged' | 'changed'): void;
}

export function createIntegrityWatch(onError: (thrown: unknown) => void): IntegrityWatch {
  const changes = createEmitter<Integrity>(onError);
  let now: Integrity = { state: 'checking', percent: 0 };
  return {
    now: () => now,
    on: changes.on,
    checking(share) {
      const percent = Math.min(99, Math.floor(share * 100));
      if (now.state !== 'checking' || now.percent === percent) return;
      now = { state: 'checking', percent };
      changes.emit(now);
    },
    ended(state) {
      if (now.state === 'changed') return;
      now = { state };
      changes.emit(now);
    },
  };
}
