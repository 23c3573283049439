/**
 * Checks the lines before the place that a start reads on from once more while the host runs, slowly, and compares the index with
 * them. It goes on where the last host was stopped, and then from the first line up to there: only then is the record called unchanged.
 */
import type { Head } from './audit-head.js';
import type { IndexFaults } from './index-check.js';
import { passOver, removeProgress, type LogPass } from './log-pass.js';
import type { LogFile } from './log-place.js';
import { isSamePoint, type ChainPoint } from './scan-log.js';

const CHECK_PROGRESS = 'audit.check';
const SAVE_EVERY_MS = 1_000;
const REST = 3;

export interface BackgroundCheckOptions {
  stateDir: string;
  file: LogFile;
  head: Head | 'unreadable' | null;
  /** The place that this start read on from. */
  end: ChainPoint;
  signal: AbortSignal;
  /** For each millisecond of checking, as many of rest. Default 3. */
  rest?: number;
  /** Lines checked, of all those before the end. */
  onProgress(lines: number): void;
}

/** `breaks`: of the chain. Rejects when it is aborted, or the log cannot be read. */
export async function checkInBackground({
  end,
  onProgress,
  rest = REST,
  ...options
}: BackgroundCheckOptions): Promise<{ breaks: number; index: IndexFaults }> {
  const part = { ...options, rest, files: false, saveEveryMs: SAVE_EVERY_MS };
  const onLater = ({ lines }: ChainPoint, from: LogPass['from']) => onProgress(lines - (from?.point.lines ?? 0));
  const later = await passOver({ ...part, to: end, progress: CHECK_PROGRESS, resumes: true, onPart: onLater });
  const found = [{ pass: later, to: end }];
  if (later.from !== null) {
    const to = later.from.point;
    const onPart = ({ lines }: ChainPoint) => onProgress(end.lines - to.lines + lines);
    found.push({ pass: await passOver({ ...part, to, progress: null, resumes: false, onPart }), to });
  }
  await removeProgress(options.stateDir, CHECK_PROGRESS);
  const breaks = found.reduce(
    (sum, { pass, to }) => sum + pass.scan.breaks.length + Number(!isSamePoint(pass.scan, to)),
    0,
  );
  const index = found.map(({ pass }) => pass.index).reverse();
  const line = index.find((one) => one.line !== null)?.line ?? null;
  return { breaks, index: { count: index.reduce((sum, { count }) => sum + count, 0), line } };
}
