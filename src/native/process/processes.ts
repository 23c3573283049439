/** Which processes belong to a command: those that descend from its supervisor, and those that carry its mark. */
import { readdirSync } from 'node:fs';
import { readCommandMark } from '../peer/command-mark.js';
import { loadMacosCalls, createMacosCommandMarks, readMacosProcess } from '../peer/macos-calls.js';
import { readStat } from '../peer/proc-files.js';
import type { FoundProcess } from './supervisor-messages.js';
import { setTimeout as delay } from 'node:timers/promises';

export interface TableEntry extends FoundProcess {
  parentPid: number;
  /** Pids by which it belongs to others: of its group's leader, its session's, and on macOS of the process that answers for it. */
  leaders: readonly number[];
  /** It has exited and only waits for its parent to take note. */
  zombie: boolean;
}

export interface ProcessSource {
  table(): TableEntry[];
  /** Whether a process carries this command's mark. */
  marked(executionId: string): (pid: number) => boolean;
}

interface CommandScope {
  executionId: string;
  /** The supervisor; null where it is gone. */
  root: number | null;
  /** The command's own process, whose group, session and what it answers for are searched too; null: not searched. */
  leader: number | null;
}

/** The living processes of a command, without the supervisor itself. */
export function findCommandProcesses(source: ProcessSource, scope: CommandScope): FoundProcess[] {
  const table = source.table();
  const descendants = scope.root === null ? new Set<number>() : descendantsOf(scope.root, table);
  const marked = source.marked(scope.executionId);
  return table
    .filter(({ pid, leaders, zombie }) => {
      if (zombie || pid <= 1 || pid === scope.root || pid === process.pid) return false;
      return descendants.has(pid) || (scope.leader !== null && leaders.includes(scope.leader)) || marked(pid);
    })
    .map(({ pid, name }) => ({ pid, name }));
}

function descendantsOf(root: number, table: readonly TableEntry[]): Set<number> {
  const children = new Map<number, number[]>();
  for (const { pid, parentPid } of table) children.set(parentPid, [...(children.get(parentPid) ?? []), pid]);
  const found = new Set<number>();
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop())
    for (const child of children.get(pid) ?? []) {
      if (found.has(child)) continue;
      found.add(child);
      open.push(child);
    }
  return found;
}

/** Throws where this platform has no list of processes. `library` is that of a stand-in in tests. */
export function createProcessSource(platform: string = process.platform, library?: string): ProcessSource {
  if (platform === 'linux') return procSource('/proc');
  if (platform === 'darwin') return macosSource(loadMacosCalls(library));
  throw new Error(`Commands cannot be supervised on ${platform}.`);
}

function procSource(proc: string): ProcessSource {
  return {
    table: () =>
      readdirSync(proc)
        .filter((name) => /^\d+$/.test(name))
        .map((name) => readEntry(proc, Number(name)))
        .filter((entry) => entry !== null),
    marked: (executionId) => (pid) => {
      const mark = readCommandMark(pid, proc, 'linux');
      return mark.kind === 'marked' && mark.executionId === executionId;
    },
  };
}

function readEntry(proc: string, pid: number): TableEntry | null {
  const stat = readStat(proc, pid);
  if (stat === null) return null;
  const { name, parentPid, group, session, state } = stat;
  return { pid, name, parentPid, leaders: [group, session], zombie: state === 'Z' || state === 'X' };
}

/** The system tells the environment of the user's own programs, but not of its own. */
function macosSource(calls: ReturnType<typeof loadMacosCalls>): ProcessSource {
  const mark = createMacosCommandMarks(calls, { executionOf: () => null });
  return {
    table: () =>
      calls.pids().flatMap((pid) => {
        const found = readMacosProcess(calls, pid);
        if (found === null) return [];
        const { name, parentPid, group } = found;
        const leaders = [group, calls.session(pid), calls.responsible(pid)].filter((one) => one !== null);
        return [{ pid, name, parentPid, leaders, zombie: false }];
      }),
    marked: (executionId) => (pid) => {
      const found = mark(pid);
      return found.kind === 'marked' && found.executionId === executionId;
    },
  };
}

export interface EndResult {
  ended: FoundProcess[];
  /** Could not be ended: of another user, or in an uninterruptible wait. */
  remaining: FoundProcess[];
}

const STEP_MS = 10;
const MAX_STEP_MS = 100;
/** Processes that fork while they are killed are found by a later scan; those that remain after this time are reported. */
const KILL_TIMEOUT_MS = 2000;

interface EndOptions {
  find(): FoundProcess[];
  /** How long they may take after TERM, before they are killed. */
  graceMs: number;
  /** False where the signal was not delivered. */
  send?(pid: number, signal: NodeJS.Signals): boolean;
}

/**
 * Sends TERM to the processes that run now, and KILL to those that remain after `graceMs`. What they start in between is how they
 * clean up: it is reported, and killed with them.
 */
export async function endProcesses({ find, graceMs, send = sendSignal }: EndOptions): Promise<EndResult> {
  const seen = new Map<number, FoundProcess>();
  const deadline = performance.now() + graceMs;
  for (let step = STEP_MS; performance.now() < deadline; step = Math.min(2 * step, MAX_STEP_MS)) {
    const left = find();
    if (left.length === 0) return { ended: [...seen.values()], remaining: [] };
    if (seen.size === 0) for (const one of left) send(one.pid, 'SIGTERM');
    for (const one of left) seen.set(one.pid, one);
    await delay(Math.min(step, Math.max(1, deadline - performance.now())));
  }
  const remaining = await killAll(find, send, seen);
  for (const { pid } of remaining) seen.delete(pid);
  return { ended: [...seen.values()], remaining };
}

async function killAll(
  find: () => FoundProcess[],
  send: (pid: number, signal: NodeJS.Signals) => boolean,
  seen: Map<number, FoundProcess>,
): Promise<FoundProcess[]> {
  const deadline = performance.now() + KILL_TIMEOUT_MS;
  for (;;) {
    const left = find();
    if (left.length === 0 || performance.now() > deadline) return left;
    for (const one of left) {
      send(one.pid, 'SIGKILL');
      seen.set(one.pid, one);
    }
    await delay(STEP_MS);
  }
}

/** 0 and below would mean whole groups, 1 is init. */
function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  if (pid <= 1) return false;
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
