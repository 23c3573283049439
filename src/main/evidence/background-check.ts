/**
 * Checks the lines before a checkpoint once more while the host runs, slowly, and compares the index with them. It goes on where
 * the last host was stopped, and then from the first line up to there: only then is the record called unchanged.
 */
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { logPath } from './audit-head.js';
import {
  createIndexCheck,
  INDEX_START,
  indexCheckStateSchema,
  type IndexCheck,
  type IndexCheckState,
  type IndexFaults,
} from './index-check.js';
import type { StoredRows } from './row-file.js';
import { LOG_START, chainPointSchema, scanLog, type ChainPoint, type LogScan } from './scan-log.js';
import type { SealedFiles } from './sealed-file.js';

const progressSchema = z.object({
  v: z.literal(2),
  ino: z.number(),
  point: chainPointSchema,
  index: indexCheckStateSchema,
});

const CHECK_PROGRESS = 'audit.check';
const LINES_A_SAVE = 16_384;
const REST = 3;

export interface BackgroundCheckOptions {
  stateDir: string;
  sealed: SealedFiles;
  ino: number;
  /** The checkpoint's place, and the rows of the index up to there. */
  end: ChainPoint;
  rows: number;
  stored: StoredRows;
  signal: AbortSignal;
  /** For each millisecond of checking, as many of rest. Default 3. */
  rest?: number;
  /** Lines checked, of all those before the end. */
  onProgress(lines: number): void;
}

interface Begin {
  point: ChainPoint;
  index: IndexCheckState;
}

interface Checked {
  /** Of the chain. */
  breaks: number;
  index: IndexFaults;
}

const BEGINNING: Begin = { point: LOG_START, index: INDEX_START };

/** Rejects when it is aborted, or the log cannot be read. */
export async function checkInBackground(options: BackgroundCheckOptions): Promise<Checked> {
  const { stateDir, sealed, end, rows, stored, onProgress } = options;
  const begin = await savedPlace(options);
  const done = begin.point.lines;
  const index = createIndexCheck({ stateDir, rows: stored, end: { bytes: end.bytes, rows } });
  let breaks = await checkPart(options, index, begin, end, (lines) => onProgress(lines - done));
  // Deletions since then are in the index as well.
  await readPart(options, index, end, undefined, () => index.compare());
  if (done > 0)
    breaks += await checkPart(options, index, BEGINNING, begin.point, (lines) => onProgress(end.lines - done + lines));
  const faults = await index.finish();
  await sealed.remove(CHECK_PROGRESS);
  return { breaks, index: faults };
}

async function savedPlace({ sealed, ino, end, rows }: BackgroundCheckOptions): Promise<Begin> {
  const read = progressSchema.safeParse(await sealed.read(CHECK_PROGRESS));
  const fits = read.success && read.data.ino === ino && read.data.point.bytes < end.bytes;
  return fits && read.data.index.rows <= rows ? read.data : BEGINNING;
}

async function checkPart(
  options: BackgroundCheckOptions,
  index: IndexCheck,
  begin: Begin,
  to: ChainPoint,
  onLines: (lines: number) => void,
): Promise<number> {
  const { sealed, ino, signal, rest = REST } = options;
  let resumed = performance.now();
  let saved = begin.point.lines;
  index.continueAt(begin.index);
  const scan = await readPart(options, index, begin.point, to.bytes, async ({ lines, seq, hash, bytes }) => {
    onLines(lines);
    await index.compare();
    if (lines - saved >= LINES_A_SAVE) {
      saved = lines;
      await sealed.write(CHECK_PROGRESS, { v: 2, ino, point: { lines, seq, hash, bytes }, index: index.state() });
    }
    await delay((performance.now() - resumed) * rest, undefined, { signal });
    resumed = performance.now();
  });
  return scan.breaks.length + (isSamePoint(scan, to) ? 0 : 1);
}

const readPart = (
  { stateDir, signal }: BackgroundCheckOptions,
  index: IndexCheck,
  from: ChainPoint,
  to: number | undefined,
  onPart: (scan: LogScan) => Promise<void>,
): Promise<LogScan> =>
  scanLog(logPath(stateDir), {
    from,
    ...(to === undefined ? {} : { to }),
    mark: 0,
    onEntry: index.apply,
    onPart,
    signal,
  });

const isSamePoint = (one: ChainPoint, other: ChainPoint): boolean =>
  one.lines === other.lines && one.seq === other.seq && one.hash === other.hash && one.bytes === other.bytes;
