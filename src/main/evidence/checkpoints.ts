import type { ActivityIndex } from './activity-index.js';
import { CHECKPOINT, type Checkpoint } from './checkpoint.js';
import type { Logger } from './logger.js';
import type { OpenCalls } from './open-calls.js';
import type { RowFile } from './row-file.js';
import type { ChainPoint, LinePosition } from './scan-log.js';
import type { SealedFiles } from './sealed-file.js';

/** Writes a checkpoint every few hundred lines: of the place before the latest such one, so that a start reads the latest actions anew. */
export interface Checkpoints {
  /** After each line, when index and calls know it. */
  passed(place: LinePosition, after: ChainPoint): void;
  /** While existing lines are read: waits until what is due was stored. */
  keepUp(): Promise<void>;
  /** The existing lines are read. From now on each checkpoint is written. `ino`: of the log. */
  caughtUp(ino: number): void;
  /** Resolves when none is being written. Never rejects. */
  idle(): Promise<void>;
}

interface CheckpointsOptions {
  sealed: SealedFiles;
  index: ActivityIndex;
  calls: OpenCalls;
  stored: RowFile;
  leftovers(): string[];
  ino: number;
  log: Logger;
}

/** A start reads up to twice as many lines. As many actions are shown to a page that connects. */
const MIN_LINES = 256;
const MIN_ACTIONS = 100;
const MAX_LINES = 4_096;
/** Between two checkpoints while existing lines are read. */
const LINES_IN_BULK = 65_536;

export function createCheckpoints(options: CheckpointsOptions): Checkpoints {
  const { sealed, index, calls, stored, leftovers, log } = options;
  let ino = options.ino;
  let reading = true;
  let [lines, shownBefore, writtenLines] = [0, index.shown(), 0];
  let latest: Omit<Checkpoint, 'ino'> | null = null;
  let due: Omit<Checkpoint, 'ino'> | null = null;
  /** Stored, but not written while lines were read. */
  let skipped: Omit<Checkpoint, 'ino'> | null = null;
  let running: Promise<void> | null = null;

  async function write(): Promise<void> {
    while (due !== null) {
      const one = due;
      due = null;
      await index.store(one.index.rows);
      skipped = reading && one.point.lines - writtenLines < LINES_IN_BULK ? one : null;
      if (skipped !== null) continue;
      await index.storeChanges();
      await stored.sync();
      await sealed.write(CHECKPOINT, { ...one, ino });
      writtenLines = one.point.lines;
    }
  }

  function start(): void {
    running ??= write()
      .catch((error: unknown) => log.warn({ reason: String(error) }, 'the index of the audit log could not be written'))
      .finally(() => (running = null));
  }

  return {
    passed(place, point) {
      lines += 1;
      const enough = lines >= MIN_LINES && index.shown() - shownBefore >= MIN_ACTIONS;
      if (!enough && lines < MAX_LINES) return;
      [lines, shownBefore] = [0, index.shown()];
      due = latest ?? due;
      latest = {
        v: 1,
        point,
        lastBytes: place.bytes,
        index: index.snapshot(),
        calls: calls.snapshot(),
        leftovers: leftovers(),
      };
      if (due !== null) start();
    },
    keepUp: async () => running ?? undefined,
    caughtUp(own) {
      reading = false;
      ino = own;
      due ??= skipped;
      if (due !== null) start();
    },
    idle: async () => running ?? undefined,
  };
}
