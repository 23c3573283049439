/** Checks the record: the chain of lines, its head, and every evidence file. Read-only; works beside a running host. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Recovered } from './entries.js';
import { logPath, readHead, type Head } from './head.js';
import { inspectFolder, strangers, type Fault } from './inspect.js';
import { createLedger, type Ledger } from './ledger.js';
import { scanLog, type Break, type Scan } from './scan.js';
import { message, type Message } from '../../messages/index.js';

interface Problem {
  kind: Break['kind'] | Fault['kind'] | 'truncated' | 'head' | 'torn' | 'ahead';
  /** What is wrong, and where. */
  said: Message;
  path: string | null;
  line: number | null;
}

export interface Verdict {
  ok: boolean;
  lines: number;
  problems: Problem[];
  /** What happened and was put right, e.g. a crash in the middle of a line. */
  notes: Message[];
}

export interface VerifyOptions {
  stateDir: string;
  /** Only the files of this workspace; the chain is always checked whole. */
  workspace?: string;
  /** False: only the log is looked at. */
  files?: boolean;
}

interface Pass {
  scan: Scan;
  ledger: Ledger;
  problems: Problem[];
}

const LOOKS = 3;
const BETWEEN_LOOKS_MS = 150;

/**
 * Finds any edit, gap, truncation, reordering, missing or edited file. A running host is at any moment between a folder and its
 * line, or a line and the head; so a problem counts when every look finds it.
 */
export async function verifyEvidence(options: VerifyOptions): Promise<Verdict> {
  let found = await look(options);
  for (let looks = 1; looks < LOOKS && found.problems.length > 0; looks++) {
    await delay(BETWEEN_LOOKS_MS);
    const before = new Set(found.problems.map(identity));
    const again = await look(options);
    found = { ...again, problems: again.problems.filter((problem) => before.has(identity(problem))) };
  }
  return verdict(found);
}

/** Where the head stands moves on while a host runs; that it does not fit is one problem wherever it is. */
function identity({ kind, path, line }: Problem): string {
  return JSON.stringify([kind, path, kind === 'head' ? null : line]);
}

async function look(options: VerifyOptions): Promise<Pass> {
  const head = await readHead(options.stateDir);
  const ledger = createLedger();
  const mark = head === null || head === 'unreadable' ? 0 : head.count;
  const scan = await scanLog(logPath(options.stateDir), { mark, onEntry: ledger.apply });
  const problems = [
    ...scan.breaks.map((it): Problem => ({ ...it, path: null })),
    ...headProblems(head, scan),
    ...ledger.recoveries().flatMap(({ recovered, seq }) => recoveredProblems(recovered, seq)),
    ...(options.files === false ? [] : await fileProblems(ledger, options.workspace)),
  ];
  return { scan, ledger, problems };
}

const problem = (kind: Problem['kind'], said: Message, line: number | null = null): Problem => ({
  kind,
  said,
  path: null,
  line,
});

function headProblems(head: Head | 'unreadable' | null, scan: Scan): Problem[] {
  if (head === 'unreadable') return [problem('head', message('record.head_unreadable'))];
  if (head === null) return scan.exists ? [problem('head', message('record.head_missing'))] : [];
  const problems: Problem[] = [];
  if (scan.torn !== null)
    problems.push(problem('torn', message('record.torn', { bytes: scan.torn.length }), scan.lines + 1));
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

function recoveredProblems(found: Recovered, seq: number): Problem[] {
  const where = { line: seq, at: found.at };
  const problems: Problem[] = [];
  if (found.lost > 0)
    problems.push(problem('truncated', message('record.were_missing', { lines: found.lost, ...where }), seq));
  if (found.headMissing) problems.push(problem('head', message('record.head_was_missing', where), seq));
  if (found.damaged > 0)
    problems.push(problem('edited', message('record.breaks', { breaks: found.damaged, ...where }), seq));
  return problems;
}

function recoveredNotes({ recovered, seq }: { recovered: Recovered; seq: number }): Message[] {
  const where = { line: seq, at: recovered.at };
  const notes: Message[] = [];
  if (recovered.torn) notes.push(message('record.cut_off', { bytes: recovered.torn.bytes, ...where }));
  if (recovered.ahead > 0) notes.push(message('record.not_counted', { lines: recovered.ahead, ...where }));
  return notes;
}

async function fileProblems(ledger: Ledger, workspace: string | undefined): Promise<Problem[]> {
  const faults: Fault[] = [];
  const places = new Set<string>(workspace === undefined ? [] : [workspace]);
  const known = new Set<string>();
  for (const folder of ledger.folders()) {
    known.add(folder.dir);
    if (workspace !== undefined && folder.execution.workspace !== workspace) continue;
    places.add(folder.execution.workspace);
    if (folder.state !== 'deleted') faults.push(...(await inspectFolder(folder)));
    faults.push(
      ...folder.damage.map((what): Fault => ({
        kind: 'missing',
        path: folder.dir,
        said: message('record.before_deletion', { what }),
      })),
    );
  }
  for (const place of places) faults.push(...(await strangers(place, known)));
  return faults.map((fault) => ({ ...fault, line: null }));
}

function verdict({ scan, ledger, problems }: Pass): Verdict {
  return { ok: problems.length === 0, lines: scan.lines, problems, notes: ledger.recoveries().flatMap(recoveredNotes) };
}
