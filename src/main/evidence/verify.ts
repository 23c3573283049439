/** Checks the record: the chain of lines, its head, and every evidence file. Read-only; works beside a running host. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Recovered } from './entries.js';
import { headStanding, logPath, readHead, type Head } from './head.js';
import { inspectFolder, strangers, type Fault } from './inspect.js';
import { createLedger, type Ledger } from './ledger.js';
import { scanLog, type Break, type Scan } from './scan.js';

interface Problem {
  kind: Break['kind'] | Fault['kind'] | 'truncated' | 'head' | 'torn' | 'ahead';
  /** For people: what is wrong, and where. */
  message: string;
  path: string | null;
  line: number | null;
}

export interface Verdict {
  ok: boolean;
  lines: number;
  problems: Problem[];
  /** What happened and was put right, e.g. a crash in the middle of a line. */
  notes: string[];
  /** A key vouches for the head, and did so all along. */
  authenticated: boolean;
}

export interface VerifyOptions {
  stateDir: string;
  /** Only the files of this workspace; the chain is always checked whole. */
  workspace?: string;
  /** False: only the log is looked at. */
  files?: boolean;
  key?: Buffer;
}

interface Pass {
  head: Head | 'unreadable' | null;
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
  return verdict(found, options);
}

/** Where the head stands moves on while a host runs; that it does not fit is one problem wherever it is. */
function identity({ kind, path, line }: Problem): string {
  return JSON.stringify([kind, path, kind === 'head' ? null : line]);
}

async function look(options: VerifyOptions): Promise<Pass> {
  const head = await readHead(options.stateDir);
  const ledger = createLedger();
  const mark = head === null || head === 'unreadable' ? 0 : head.count;
  const scan = await scanLog(logPath(options.stateDir), { mark, key: options.key, onEntry: ledger.apply });
  const problems = [
    ...scan.breaks.map((it): Problem => ({ ...it, path: null })),
    ...headProblems(head, scan, options.key),
    ...ledger.recoveries().flatMap(({ recovered, seq }) => recoveredProblems(recovered, seq)),
    ...(options.files === false ? [] : await fileProblems(ledger, options.workspace)),
  ];
  return { head, scan, ledger, problems };
}

const problem = (kind: Problem['kind'], message: string, line: number | null = null): Problem => ({
  kind,
  message,
  path: null,
  line,
});

function headProblems(head: Head | 'unreadable' | null, scan: Scan, key: Buffer | undefined): Problem[] {
  if (head === 'unreadable') return [problem('head', 'the saved head cannot be read')];
  if (head === null)
    return scan.exists ? [problem('head', 'the saved head is missing: lines may have been cut off')] : [];
  if (headStanding(head, key) === 'forged') return [problem('head', 'the saved head was not made with the key')];
  const problems: Problem[] = [];
  if (scan.torn !== null)
    problems.push(
      problem(
        'torn',
        `the last line is unfinished (${scan.torn.length} bytes): Chaperone was stopped while writing, or it was cut`,
        scan.lines + 1,
      ),
    );
  if (scan.lines < head.count)
    problems.push(problem('truncated', `${head.count - scan.lines} of ${head.count} lines are missing`));
  if (scan.marked !== null && scan.marked !== head.hash)
    problems.push(problem('head', `line ${head.count} is not the one the saved head names`, head.count));
  if (scan.lines > head.count)
    problems.push(
      problem(
        'ahead',
        `${scan.lines - head.count} lines follow the saved head: Chaperone was stopped while writing, or they were added`,
        head.count + 1,
      ),
    );
  return problems;
}

function recoveredProblems(found: Recovered, seq: number): Problem[] {
  const where = `found at line ${seq} (${found.at})`;
  const problems: Problem[] = [];
  if (found.lost > 0) problems.push(problem('truncated', `${found.lost} lines were missing, ${where}`, seq));
  if (found.headMissing) problems.push(problem('head', `the saved head was missing or not ours, ${where}`, seq));
  if (found.unauthenticated > 0)
    problems.push(problem('head', `${found.unauthenticated} lines were added without the key, ${where}`, seq));
  if (found.damaged > 0) problems.push(problem('edited', `${found.damaged} breaks in the lines before, ${where}`, seq));
  return problems;
}

function recoveredNotes({ recovered, seq }: { recovered: Recovered; seq: number }): string[] {
  const notes: string[] = [];
  if (recovered.torn)
    notes.push(
      `line ${seq}: an unfinished line of ${recovered.torn.bytes} bytes was cut off after a stop (${recovered.at})`,
    );
  if (recovered.ahead > 0)
    notes.push(
      `line ${seq}: ${recovered.ahead} lines had been written and not yet counted when Chaperone stopped (${recovered.at})`,
    );
  if (recovered.unsigned) notes.push(`line ${seq}: no key vouches for the lines before this one (${recovered.at})`);
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
      ...folder.damage.map((message): Fault => ({
        kind: 'missing',
        path: folder.dir,
        message: `before it was deleted on schedule: ${message}`,
      })),
    );
  }
  for (const place of places) faults.push(...(await strangers(place, known)));
  return faults.map((fault) => ({ ...fault, line: null }));
}

function verdict({ head, scan, ledger, problems }: Pass, { key }: VerifyOptions): Verdict {
  const recoveries = ledger.recoveries();
  const standing = head === null || head === 'unreadable' ? 'unknown' : headStanding(head, key);
  const unsigned = recoveries.some(({ recovered }) => recovered.unsigned);
  return {
    ok: problems.length === 0,
    lines: scan.lines,
    problems,
    notes: recoveries.flatMap(recoveredNotes),
    authenticated: standing === 'authentic' && scan.unauthenticated === 0 && !unsigned,
  };
}
