/** Says that an application has sent events, and never more often than once a second, however many there are. */
import { createEmitter } from '../../base/emitter.js';

const INTERVAL_MS = 1_000;

interface News {
  /** An event has come. */
  add(): void;
  on(listener: () => void): () => void;
  close(): void;
}

export function createNews(): News {
  const told = createEmitter<void>(() => undefined);
  let timer: NodeJS.Timeout | null = null;
  let again = false;

  function tellNow(): void {
    again = false;
    timer = setTimeout(() => {
      timer = null;
      if (again) tellNow();
    }, INTERVAL_MS);
    timer.unref();
    told.emit();
  }

  return {
    on: told.on,
    add() {
      if (timer === null) tellNow();
      else again = true;
    },
    close() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
