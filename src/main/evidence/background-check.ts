/**
 * Checks the lines before a checkpoint once more while the host runs, slowly. It goes on where the last host was stopped, and
 * then from the first line up to there: only then is the record called unchanged.
 */
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { logPath } from './audit-head.js';
import { LOG_START, chainPointSchema, scanLog, type ChainPoint, type LogScan } from './scan-log.js';
import type { SealedFiles } from './sealed-file.js';

const progressSchema = z.object({ v: z.literal(1), ino: z.number(), point: chainPointSchema });

export const CHECK_PROGRESS = 'audit.check';
const LINES_A_SAVE = 16_384;
/** For each millisecond of checking, as many of rest. */
const REST = 3;

export interface BackgroundCheckOptions {
  stateDir: string;
  sealed: SealedFiles;
  ino: number;
  /** The checkpoint's place. */
  end: ChainPoint;
  signal: AbortSignal;
  /** Lines checked, of all those before the end. */
  onProgress(lines: number): void;
}

/** Resolves with the number of breaks of the chain. Rejects when it is aborted, or the log cannot be read. */
export async function checkInBackground(options: BackgroundCheckOptions): Promise<number> {
  const { sealed, end, onProgress } = options;
  const begin = await savedPoint(options);
  let breaks = await checkPart(options, begin, end, (lines) => onProgress(lines - begin.lines));
  if (begin.lines > 0)
    breaks += await checkPart(options, LOG_START, begin, (lines) => onProgress(end.lines - begin.lines + lines));
  await sealed.remove(CHECK_PROGRESS);
  return breaks;
}

async function savedPoint({ sealed, ino, end }: BackgroundCheckOptions): Promise<ChainPoint> {
  const read = progressSchema.safeParse(await sealed.read(CHECK_PROGRESS));
  return read.success && read.data.ino === ino && read.data.point.bytes < end.bytes ? read.data.point : LOG_START;
}

async function checkPart(
  { stateDir, sealed, ino, signal }: BackgroundCheckOptions,
  from: ChainPoint,
  to: ChainPoint,
  onLines: (lines: number) => void,
): Promise<number> {
  let resumed = performance.now();
  let saved = from.lines;
  const onPart = async ({ lines, seq, hash, bytes }: LogScan): Promise<void> => {
    onLines(lines);
    if (lines - saved >= LINES_A_SAVE) {
      saved = lines;
      await sealed.write(CHECK_PROGRESS, { v: 1, ino, point: { lines, seq, hash, bytes } });
    }
    await delay((performance.now() - resumed) * REST, undefined, { signal });
    resumed = performance.now();
  };
  const scan = await scanLog(logPath(stateDir), {
    from,
    to: to.bytes,
    mark: 0,
    onEntry: () => undefined,
    onPart,
    signal,
  });
  return scan.breaks.length + (isSamePoint(scan, to) ? 0 : 1);
}

const isSamePoint = (one: ChainPoint, other: ChainPoint): boolean =>
  one.lines === other.lines && one.seq === other.seq && one.hash === other.hash && one.bytes === other.bytes;
