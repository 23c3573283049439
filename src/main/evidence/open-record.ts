/**
 * Opens the audit log with what is kept of its entries. A start reads the lines after the checkpoint. Where there is none, or it
 * does not fit, the whole log is read: a long one beside the start, and until then nothing is recorded, so that no call can run.
 */
import { rm } from 'node:fs/promises';
import { createActivityIndex, type ActivityIndex } from './activity-index.js';
import { createRecentActivities } from './activities.js';
import { logPath, readHead, type HeadKey } from './audit-head.js';
import { NOTHING_RECOVERED, openAuditLog, prepareLog, type AuditLog } from './audit-log.js';
import { checkInBackground, type BackgroundCheckOptions } from './background-check.js';
import { readCheckpoint, type Checkpoint, CHECKPOINT } from './checkpoint.js';
import { storageError } from './errors.js';
import { EMPTY_INDEX } from './index-state.js';
import { createIntegrityWatch } from './integrity.js';
import { createLateLog } from './late-log.js';
import { createLeftovers } from './leftovers.js';
import type { Logger } from './logger.js';
import { createOpenCalls, type OpenCalls } from './open-calls.js';
import { indexPath, openRowFile, type RowFile } from './row-file.js';
import { LOG_START, type OnEntry, type ChainPoint, type LinePosition } from './scan-log.js';
import { createSealedFiles, type SealedFiles } from './sealed-file.js';
import { message } from '../../messages/index.js';

interface OpenRecordOptions {
  stateDir: string;
  now: () => Date;
  log: Logger;
  headKey?: HeadKey;
  checkRest?: number;
}

/** So much is read before the host has started. */
const MAX_BYTES_AT_START = 1 << 20;

export type OpenRecord = Awaited<ReturnType<typeof openRecord>>;

export async function openRecord({ stateDir, now, log, headKey, checkRest }: OpenRecordOptions) {
  const file = await prepareLog(stateDir);
  const sealed = createSealedFiles(stateDir);
  const head = await readHead(stateDir, headKey);
  const { stored, checkpoint } = await openRows(
    stateDir,
    await readCheckpoint(sealed, stateDir, file, head).catch(() => null),
  );
  const kept = createKept({ stored, sealed, checkpoint, ino: file.ino, log });
  const integrity = createIntegrityWatch((thrown) => log.warn({ reason: String(thrown) }, 'a listener failed'));
  const ending = new AbortController();
  const from = checkpoint?.point ?? LOG_START;
  const late = createLateLog();

  async function openLog(): Promise<void> {
    const audit = await openAuditLog({
      ...{ stateDir, now, head, headKey, from, onEntry: kept.onEntry, signal: ending.signal },
      async onPart({ bytes }) {
        integrity.checking(bytes / file.size);
        await kept.checkpoints.keepUp();
      },
      onDelayed: (lines, error) =>
        log.warn({ lines, reason: error.message }, 'lines of the audit log wait to be written'),
    });
    late.opened(audit);
    kept.checkpoints.caughtUp(audit.ino);
    if (audit.recovered !== null) log.warn({ found: audit.recovered }, 'the audit log was not as it was left');
    if (audit.recovered !== null) integrity.ended('changed');
    else if (from.bytes === 0) integrity.ended('unchanged');
    await recordAbandoned(kept.calls, audit, now);
  }

  const opened = openLog().catch((error: unknown) => {
    late.failed(storageError(error, message('error.part_log'), logPath(stateDir)));
    throw error;
  });
  const checked = opened
    .then(async () => {
      if (from.bytes > 0)
        await checkBefore({
          ...{ stateDir, sealed, stored, ino: file.ino, end: from, rows: checkpoint?.index.rows ?? 0 },
          signal: ending.signal,
          ...(checkRest === undefined ? {} : { rest: checkRest }),
        });
    })
    .catch((error: unknown) => {
      integrity.ended('changed');
      if (!ending.signal.aborted) log.warn({ reason: String(error) }, 'the audit log could not be checked');
    });

  async function checkBefore(part: Omit<BackgroundCheckOptions, 'onProgress'>): Promise<void> {
    const onProgress = (lines: number) => integrity.checking(lines / from.lines);
    const { breaks, index } = await checkInBackground({ ...part, onProgress });
    if (breaks > 0) {
      log.warn({ breaks }, 'earlier lines of the audit log were changed');
      await late.log.append({ ...NOTHING_RECOVERED, at: now().toISOString(), damaged: breaks });
    }
    if (index.count > 0) {
      log.warn({ ...index }, 'the index of the audit log differs from the log; the next start makes it anew');
      await rm(indexPath(stateDir), { force: true });
    }
    integrity.ended(breaks + index.count > 0 ? 'changed' : 'unchanged');
  }

  async function close(): Promise<void> {
    ending.abort();
    await Promise.allSettled([opened, checked]);
  }

  if (file.size - from.bytes <= MAX_BYTES_AT_START)
    await opened.catch(async (error: unknown) => {
      await stored.close();
      throw error;
    });
  return {
    ...kept,
    audit: late.log,
    opened,
    integrity,
    recovered: late.recovered,
    stopReading: close,
    async close() {
      await close();
      await late.log.close();
      await kept.checkpoints.idle();
      await stored.close();
    },
  };
}

/** Drops a checkpoint that counts more rows than there are. */
async function openRows(
  stateDir: string,
  checkpoint: Checkpoint | null,
): Promise<{ stored: RowFile; checkpoint: Checkpoint | null }> {
  const path = indexPath(stateDir);
  try {
    if (checkpoint !== null) return { stored: await openRowFile(path, checkpoint.index.rows), checkpoint };
  } catch {
    // Made anew from the log.
  }
  try {
    await rm(path, { force: true });
    return { stored: await openRowFile(path, 0), checkpoint: null };
  } catch (error) {
    throw storageError(error, message('error.part_log'), path);
  }
}

interface KeptOptions {
  stored: RowFile;
  sealed: SealedFiles;
  checkpoint: Checkpoint | null;
  ino: number;
  log: Logger;
}

/** What is kept of the lines: in memory of the latest, of all others on disk. */
function createKept({ stored, sealed, checkpoint, ino, log }: KeptOptions) {
  const calls = createOpenCalls(checkpoint?.calls);
  const activities = createActivityIndex({ stored, state: checkpoint?.index ?? EMPTY_INDEX, calls });
  const recent = createRecentActivities();
  const leftovers = createLeftovers(checkpoint?.leftovers ?? []);
  const checkpoints = createCheckpoints({
    sealed,
    index: activities,
    calls,
    stored,
    leftovers: leftovers.list,
    ino,
    log,
  });
  const onEntry: OnEntry = (entry, seq, place, after) => {
    activities.apply(entry, seq, place);
    calls.apply(entry, place);
    recent.apply(entry, seq);
    leftovers.apply(entry);
    checkpoints.passed(place, after);
  };
  return { calls, activities, recent, leftovers, checkpoints, onEntry };
}

async function recordAbandoned(calls: OpenCalls, audit: AuditLog, now: () => Date): Promise<void> {
  for (const { execution, started } of calls.unended()) {
    await audit.append({ kind: 'abandoned', at: now().toISOString(), execution, started });
  }
}

/** Writes a checkpoint every few hundred lines: of the place before the latest such one, so that a start reads the latest actions anew. */
interface Checkpoints {
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

function createCheckpoints(options: CheckpointsOptions): Checkpoints {
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
