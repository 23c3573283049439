/**
 * Opens the audit log with its index. A start reads the lines after the place that the index is made up to. Where there is none, or
 * it does not fit the log, the whole log is read: a long one beside the start, and until then nothing is recorded, so that no call can run.
 */
import { createRecentActivities, MAX_RECENT } from './activities.js';
import { logPath, readHead, type HeadKey } from './audit-head.js';
import { NOTHING_RECOVERED, openAuditLog, prepareLog, type AuditLog } from './audit-log.js';
import { checkInBackground, type BackgroundCheckOptions } from './background-check.js';
import { storageError } from './errors.js';
import { indexPath, removeIndex } from './index-database.js';
import { createIntegrityWatch } from './integrity.js';
import { createLateLog } from './late-log.js';
import type { Logger } from './logger.js';
import type { OpenCalls } from './open-calls.js';
import { RecordIndex } from './record-index.js';
import { readActivities } from './recorded-folder.js';
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
  const head = await readHead(stateDir, headKey);
  const index = await RecordIndex.open({ stateDir, file, head, log }).catch((error: unknown) => {
    throw storageError(error, message('error.part_log'), indexPath(stateDir));
  });
  const recent = createRecentActivities();
  const { rows } = await index.find(null, {}, MAX_RECENT);
  recent.begin((await readActivities(stateDir, rows.reverse())).flatMap(({ activity }) => activity ?? []));
  const integrity = createIntegrityWatch((thrown) => log.warn({ reason: String(thrown) }, 'a listener failed'));
  const ending = new AbortController();
  const from = index.begin;
  const late = createLateLog();

  async function openLog(): Promise<void> {
    const audit = await openAuditLog({
      ...{ stateDir, now, head, headKey, from, signal: ending.signal },
      onEntry(entry, seq, place, after) {
        index.apply(entry, seq, place, after);
        recent.apply(entry, seq);
      },
      async onPart({ bytes }) {
        integrity.checking(bytes / file.size);
        index.flush();
      },
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
    late.failed(storageError(error, message('error.part_log'), logPath(stateDir)));
    throw error;
  });
  const checked = opened
    .then(async () => {
      if (from.bytes > 0)
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
    await Promise.allSettled([opened, checked]);
  }

  if (file.size - from.bytes <= MAX_BYTES_AT_START)
    await opened.catch(async (error: unknown) => {
      await index.close();
      throw error;
    });
  return {
    ...{ index, recent },
    audit: late.log,
    opened,
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

async function recordAbandoned(calls: OpenCalls, audit: AuditLog, now: () => Date): Promise<void> {
  for (const { execution, started } of calls.unended()) {
    await audit.append({ kind: 'abandoned', at: now().toISOString(), execution, started });
  }
}
