/** Checks the record: the chain of lines, its head, and every evidence file. Read-only; works beside a running host. */
import { setTimeout as delay } from 'node:timers/promises';
import type { RecoveredEntry } from './audit-entries.js';
import { logPath, readHead, type Head } from './audit-head.js';
import { inspectFolder, findUnrecordedFolders, type EvidenceProblem } from './inspect-folder.js';
import { createRecordedFolders, type RecordedFolders } from './recorded-folders.js';
import { scanLog, type ChainBreak, type LogScan } from './scan-log.js';
import { message, type Message } from '../../messages/index.js';

interface VerifyProblem {
  kind: ChainBreak['kind'] | EvidenceProblem['kind'] | 'truncated' | 'head' | 'torn' | 'ahead';
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
  /** False: checks the log only. */
  files?: boolean;
  /** False where no host can be writing it: what the first pass finds is so. */
  inUse?: boolean;
}

interface Pass {
  scan: LogScan;
  folders: RecordedFolders;
  problems: VerifyProblem[];
}

const MAX_PASSES = 3;
const PASS_INTERVAL_MS = 150;

/**
 * Finds any edit, gap, truncation, reordering, missing or edited file. A running host may be between writing a folder and its
 * line, or a line and the head, so only problems that every pass finds are reported.
 */
export async function verifyEvidence(options: VerifyOptions): Promise<VerifyResult> {
  let found = await runPass(options);
  const most = options.inUse === false ? 1 : MAX_PASSES;
  for (let passes = 1; passes < most && found.problems.length > 0; passes++) {
    await delay(PASS_INTERVAL_MS);
    const before = new Set(found.problems.map(problemKey));
    const again = await runPass(options);
    found = { ...again, problems: again.problems.filter((problem) => before.has(problemKey(problem))) };
  }
  return toResult(found);
}

/** The head's line changes while a host runs, so it is not part of the key. */
function problemKey({ kind, path, line }: VerifyProblem): string {
  return JSON.stringify([kind, path, kind === 'head' ? null : line]);
}

async function runPass(options: VerifyOptions): Promise<Pass> {
  const head = await readHead(options.stateDir);
  const folders = createRecordedFolders();
  const mark = head === null || head === 'unreadable' ? 0 : head.count;
  const scan = await scanLog(logPath(options.stateDir), { mark, onEntry: folders.apply });
  const problems = [
    ...scan.breaks.map((it): VerifyProblem => ({ ...it, path: null })),
    ...headProblems(head, scan),
    ...folders.recoveries().flatMap(({ recovered, seq }) => recoveredProblems(recovered, seq)),
    ...(options.files === false ? [] : await fileProblems(folders, options.workspace)),
  ];
  return { scan, folders, problems };
}

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

function recoveredNotes({ recovered, seq }: { recovered: RecoveredEntry; seq: number }): Message[] {
  const where = { line: seq, at: recovered.at };
  const notes: Message[] = [];
  if (recovered.torn) notes.push(message('record.cut_off', { bytes: recovered.torn.bytes, ...where }));
  if (recovered.ahead > 0) notes.push(message('record.not_counted', { lines: recovered.ahead, ...where }));
  return notes;
}

async function fileProblems(recorded: RecordedFolders, workspace: string | undefined): Promise<VerifyProblem[]> {
  const faults: EvidenceProblem[] = [];
  const places = new Set<string>(workspace === undefined ? [] : [workspace]);
  const known = new Set<string>();
  for (const folder of recorded.folders()) {
    known.add(folder.dir);
    if (workspace !== undefined && folder.execution.workspace !== workspace) continue;
    places.add(folder.execution.workspace);
    if (folder.state !== 'deleted') faults.push(...(await inspectFolder(folder)));
    faults.push(
      ...folder.damage.map((what): EvidenceProblem => ({
        kind: 'missing',
        path: folder.dir,
        description: message('record.before_deletion', { what }),
      })),
    );
  }
  for (const place of places) faults.push(...(await findUnrecordedFolders(place, known)));
  return faults.map((fault) => ({ ...fault, line: null }));
}

function toResult({ scan, folders, problems }: Pass): VerifyResult {
  return {
    ok: problems.length === 0,
    lines: scan.lines,
    problems,
    notes: folders.recoveries().flatMap(recoveredNotes),
  };
}
