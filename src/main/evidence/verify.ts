/** Checks the record: the chain of lines, its head, the index, and every evidence file. Works beside a running host. */
import { lstat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { RecoveredEntry } from './audit-entries.js';
import { logPath, readHead, type Head } from './audit-head.js';
import type { EvidenceProblem } from './folder-check.js';
import { passOver, removeProgress, type LogPass, type Recovery, type IndexFaults } from './log-pass.js';
import { indexPath, removeIndex } from './index-database.js';
import { type ChainBreak, type LogScan, isSamePoint, type ChainPoint, type LogFile } from './log-lines.js';
import { message, type Message } from '../../messages/index.js';

interface VerifyProblem {
  kind: ChainBreak['kind'] | EvidenceProblem['kind'] | 'truncated' | 'head' | 'torn' | 'ahead' | 'index';
  /** What is wrong, and where. */
  description: Message;
  path: string | null;
  line: number | null;
}

export interface VerifyResult {
  ok: boolean;
  lines: number;
  problems: VerifyProblem[];
  /** Damage that was repaired, such as a line cut off by a crash. */
  notes: Message[];
}

interface VerifyOptions {
  stateDir: string;
  /** Only the files of this workspace; the chain is always checked whole. */
  workspace?: string;
  /** False: checks the log and its index only. */
  files?: boolean;
  /** False where no host can be writing it: what the first pass finds is so. */
  inUse?: boolean;
  /** Goes on where an earlier run was stopped, unless `fromStart`; deletes an index that differs, so that the next start makes it anew. */
  keep?: { fromStart: boolean; everyMs?: number };
  onProgress?: (share: number) => void;
}

interface Found extends Omit<LogPass, 'index' | 'files'> {
  problems: VerifyProblem[];
}

const VERIFY_PROGRESS = 'audit.verify';
const MAX_PASSES = 3;
const PASS_INTERVAL_MS = 150;

/**
 * Finds any edit, gap, truncation, reordering, missing or edited file. A running host may be between writing a folder and its
 * line, or a line and the head, so only problems that every pass finds are reported.
 */
export async function verifyEvidence(options: VerifyOptions): Promise<VerifyResult> {
  const { stateDir, keep } = options;
  const progress = keep === undefined ? null : VERIFY_PROGRESS;
  let found = await runPass(options, progress, keep?.fromStart === false);
  // The lines before could have changed as well.
  if (found.from !== null && found.problems.length > 0) found = await runPass(options, progress, false);
  const most = options.inUse === false ? 1 : MAX_PASSES;
  for (let passes = 1; passes < most && found.problems.length > 0; passes++) {
    await delay(PASS_INTERVAL_MS);
    const before = new Set(found.problems.map(problemKey));
    const again = await runPass(options, null, false);
    found = { ...again, problems: again.problems.filter((problem) => before.has(problemKey(problem))) };
  }
  if (progress !== null) await removeProgress(stateDir, progress);
  if (progress !== null && isOnlyIndex(found.problems)) await removeIndex(indexPath(stateDir));
  return toResult(found);
}

/** Where the log was changed too, the index may be what tells of it. */
const isOnlyIndex = (problems: readonly VerifyProblem[]): boolean =>
  problems.length > 0 && problems.every(({ kind }) => kind === 'index');

/** The head's line changes while a host runs, so it is not part of the key. */
function problemKey({ kind, path, line }: VerifyProblem): string {
  return JSON.stringify([kind, path, kind === 'head' ? null : line]);
}

async function runPass(options: VerifyOptions, progress: string | null, resumes: boolean): Promise<Found> {
  const { stateDir, workspace, files = true, keep, onProgress } = options;
  const head = await readHead(stateDir);
  const file = await lstat(logPath(stateDir)).catch(() => ({ ino: 0, size: 0 }));
  const onPart = ({ bytes }: LogScan) => onProgress?.(file.size === 0 ? 1 : Math.min(1, bytes / file.size));
  const pass = await passOver({
    ...{ stateDir, file, head, workspace, files, progress, resumes, onPart },
    saveEveryMs: keep?.everyMs,
  });
  const problems = [
    ...pass.scan.breaks.map((it): VerifyProblem => ({ ...it, path: null })),
    ...headProblems(head, pass.scan),
    ...pass.recoveries.flatMap(({ recovered, seq }) => recoveredProblems(recovered, seq)),
    ...indexProblems(pass.index),
    ...pass.files.map((fault): VerifyProblem => ({ ...fault, line: null })),
  ];
  return { ...pass, problems };
}

const indexProblems = ({ count, line }: IndexFaults): VerifyProblem[] =>
  count === 0 ? [] : [problem('index', message('record.index_differs', { rows: count }), line)];

const problem = (kind: VerifyProblem['kind'], description: Message, line: number | null = null): VerifyProblem => ({
  kind,
  description,
  path: null,
  line,
});

function headProblems(head: Head | 'unreadable' | null, scan: LogScan): VerifyProblem[] {
  if (head === 'unreadable') return [problem('head', message('record.head_unreadable'))];
  if (head === null) return scan.exists ? [problem('head', message('record.head_missing'))] : [];
  const problems: VerifyProblem[] = [];
  if (scan.incomplete !== null)
    problems.push(problem('torn', message('record.torn', { bytes: scan.incomplete.length }), scan.lines + 1));
  if (scan.lines < head.count)
    problems.push(
      problem('truncated', message('record.lines_missing', { missing: head.count - scan.lines, lines: head.count })),
    );
  if (scan.marked !== null && scan.marked !== head.hash)
    problems.push(problem('head', message('record.other_line_in_head', { line: head.count }), head.count));
  if (scan.lines > head.count)
    problems.push(problem('ahead', message('record.lines_ahead', { lines: scan.lines - head.count }), head.count + 1));
  return problems;
}

function recoveredProblems(found: RecoveredEntry, seq: number): VerifyProblem[] {
  const where = { line: seq, at: found.at };
  const problems: VerifyProblem[] = [];
  if (found.lost > 0)
    problems.push(problem('truncated', message('record.were_missing', { lines: found.lost, ...where }), seq));
  if (found.headMissing) problems.push(problem('head', message('record.head_was_missing', where), seq));
  if (found.damaged > 0)
    problems.push(problem('edited', message('record.breaks', { breaks: found.damaged, ...where }), seq));
  return problems;
}

function recoveredNotes({ recovered, seq }: Recovery): Message[] {
  const where = { line: seq, at: recovered.at };
  const notes: Message[] = [];
  if (recovered.torn) notes.push(message('record.cut_off', { bytes: recovered.torn.bytes, ...where }));
  if (recovered.ahead > 0) notes.push(message('record.not_counted', { lines: recovered.ahead, ...where }));
  return notes;
}

function toResult({ scan, recoveries, problems, from }: Found): VerifyResult {
  const resumed = from && [message('record.resumed', { lines: from.point.lines, at: from.at })];
  return {
    ok: problems.length === 0,
    lines: scan.lines,
    problems,
    notes: [...(resumed ?? []), ...recoveries.flatMap(recoveredNotes)],
  };
}

// Checks the lines before the place that a start reads on from once more while the host runs, slowly, and compares the index with
// them. It goes on where the last host was stopped, and then from the first line up to there: only then is the record called unchanged.

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
