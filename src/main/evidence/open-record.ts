/**
 * Opens the audit log with its index. A start reads the lines after the place that the index is made up to. Of a long log without one
 * it looks at the calls that had not ended, reads the latest lines, and has the others indexed beside the host. Where the head does
 * not fit the log, that is read whole: until then nothing is recorded, so that no call can run.
 */
import { createRecentActivities, MAX_RECENT, type RecentActivities } from './activities.js';
import { logPath, readHead, type HeadKey } from './audit-head.js';
import { NOTHING_RECOVERED, openAuditLog, prepareLog, type AuditLog, createLateLog } from './audit-log.js';
import { checkInBackground, type BackgroundCheckOptions } from './verify.js';
import { storageError, type Logger } from './sealed-file.js';
import type { IndexFaults } from './log-pass.js';
import { indexPath, removeIndex } from './index-database.js';
import type { OpenCalls } from './index-state.js';
import { RecordIndex, type RecordIndexOptions } from './record-index.js';
import { readActivities } from './recorded-folder.js';
import { scanLog } from './log-lines.js';
import { message } from '../../messages/index.js';
import { createEmitter } from '../../base/emitter.js';

interface OpenRecordOptions {
  stateDir: string;
  now: () => Date;
  log: Logger;
  headKey?: HeadKey;
  checkRest?: number;
}

/** So much is read before the host has started. */
const MAX_BYTES_AT_START = 1 << 20;

export async function openRecord({ stateDir, now, log, headKey, checkRest }: OpenRecordOptions) {
  const file = await prepareLog(stateDir);
  const head = await readHead(stateDir, headKey);
  const index = await openIndex({ stateDir, file, head, log, rest: checkRest });
  const recent = createRecentActivities();
  const shownUpTo = await showLatest(stateDir, index, recent);
  const integrity = createIntegrityWatch((thrown) => log.warn({ reason: String(thrown) }, 'a listener failed'));
  const ending = new AbortController();
  const from = index.begin;
  const late = createLateLog();

  async function openLog(): Promise<void> {
    await index.learnCalls(ending.signal);
    const audit = await openAuditLog({
      ...{ stateDir, now, head, headKey, from, signal: ending.signal },
      onEntry(entry, seq, place, after) {
        index.apply(entry, seq, place, after);
        if (seq > shownUpTo) recent.apply(entry, seq);
      },
      onPart: async ({ bytes }) => integrity.checking(bytes / file.size),
      onDelayed: (lines, error) =>
        log.warn({ lines, reason: error.message }, 'lines of the audit log wait to be written'),
    });
    late.opened(audit);
    index.setLogFile(audit.ino);
    if (audit.recovered !== null) log.warn({ found: audit.recovered }, 'the audit log was not as it was left');
    if (audit.recovered !== null) integrity.ended('changed');
    else if (from.bytes === 0) integrity.ended('unchanged');
    await recordAbandoned(index.calls, audit, now);
  }

  const opened = openLog().catch((error: unknown) => {
    const failure = storageError(error, message('error.part_log'), logPath(stateDir));
    late.failed(failure);
    throw failure;
  });
  const whole = opened.then(() => index.indexOlder(integrity.checking));
  const checked = whole
    .then(async (built) => {
      if (built !== null) await told(built.breaks, { count: 0, line: null });
      else if (from.bytes > 0)
        await checkBefore({
          ...{ stateDir, file, head, end: from },
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
    await told(breaks, index);
  }

  async function told(breaks: number, index: IndexFaults): Promise<void> {
    if (breaks > 0) {
      log.warn({ breaks }, 'earlier lines of the audit log were changed');
      await late.log.append({ ...NOTHING_RECOVERED, at: now().toISOString(), damaged: breaks });
    }
    if (index.count > 0) {
      log.warn({ ...index }, 'the index of the audit log differs from the log; the next start makes it anew');
      await removeIndex(indexPath(stateDir));
    }
    integrity.ended(breaks + index.count > 0 ? 'changed' : 'unchanged');
  }

  async function close(): Promise<void> {
    ending.abort();
    index.stop();
    await Promise.allSettled([opened, checked]);
  }

  if (file.size - from.bytes <= MAX_BYTES_AT_START && index.lacks() === null)
    await opened.catch(async (error: unknown) => {
      await index.close();
      throw error;
    });
  return {
    ...{ index, recent },
    audit: late.log,
    opened,
    /** Resolves when all lines are indexed. */
    whole,
    integrity,
    recovered: late.recovered,
    stopReading: close,
    async close() {
      await close();
      await late.log.close();
      await index.close();
    },
  };
}

const openIndex = (options: RecordIndexOptions): Promise<RecordIndex> =>
  RecordIndex.open(options).catch((error: unknown) => {
    throw storageError(error, message('error.part_log'), indexPath(options.stateDir));
  });

/** Before the log is opened. Returns the number of the last line that is shown already. */
async function showLatest(stateDir: string, index: RecordIndex, recent: RecentActivities): Promise<number> {
  const { rows } = await index.find(null, {}, MAX_RECENT);
  recent.begin((await readActivities(stateDir, rows.reverse())).flatMap(({ activity }) => activity ?? []));
  if (index.lacks() === null) return 0;
  const { seq } = await scanLog(logPath(stateDir), { mark: 0, from: index.begin, onEntry: recent.apply });
  return seq;
}

async function recordAbandoned(calls: OpenCalls, audit: AuditLog, now: () => Date): Promise<void> {
  for (const { execution, started } of calls.unended()) {
    await audit.append({ kind: 'abandoned', at: now().toISOString(), execution, started });
  }
}

/** What is known of the record since the start. `changed` stays: it is not as it was written, or could not be checked. */
export type Integrity = { state: 'unchanged' | 'changed' } | { state: 'checking'; percent: number };

interface IntegrityWatch {
  now(): Integrity;
  /** Fires for each change, and for each percent. Returns a dispose function. */
  on(listener: (integrity: Integrity) => void): () => void;
  checking(share: number): void;
  ended(found: 'unchanged' | 'changed'): void;
}

function createIntegrityWatch(onError: (thrown: unknown) => void): IntegrityWatch {
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
