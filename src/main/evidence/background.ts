import type { Logger } from './logger.js';
import { deleteExpired, type RetentionParts } from './retention.js';
import type { Retention } from '../protocol/index.js';

interface Background {
  /** One after another. A step that fails is logged. */
  run(step: () => Promise<void>): void;
  /** Resolves when all steps given so far have ended. Never rejects. */
  idle(): Promise<void>;
}

export function createBackground(log: Logger): Background {
  let last: Promise<void> = Promise.resolve();
  return {
    run(step) {
      last = last
        .then(step)
        .catch((error: unknown) => log.warn({ reason: String(error) }, 'recording in the background failed'));
    },
    idle: () => last,
  };
}

interface Sweep {
  setRetention(settings: Retention): void;
  /** Nothing is deleted before. */
  start(): void;
  /** Deletes what has expired, soon; nothing where no limit is set. */
  schedule(): void;
}

export function createSweep(background: Background, parts: RetentionParts, initial: Retention): Sweep {
  let retention = initial;
  let due = false;
  let isStarted = false;

  function schedule(): void {
    if (!isStarted || due || (retention.maxAgeDays === null && retention.maxBytes === null)) return;
    due = true;
    background.run(async () => {
      due = false;
      await deleteExpired(parts, retention);
    });
  }

  return {
    setRetention(settings) {
      retention = settings;
    },
    start() {
      isStarted = true;
      schedule();
    },
    schedule,
  };
}
