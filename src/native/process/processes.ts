/** Which processes belong to a command: those that descend from its supervisor, and those that carry its mark. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { COMMAND_MARK, readCommandMark } from '../peer/command-mark.js';
import { readStat } from '../peer/proc-files.js';
import type { FoundProcess } from './supervisor-messages.js';

export interface TableEntry extends FoundProcess {
  parentPid: number;
  groupId: number;
  /** It has exited and only waits for its parent to take note. */
  zombie: boolean;
}

interface ProcessSource {
  table(): TableEntry[];
  /** Whether a process carries this command's mark. */
  marked(executionId: string): (pid: number) => boolean;
}

interface CommandScope {
  executionId: string;
  /** The supervisor; null where it is gone. */
  root: number | null;
  /** Process group of the command; null where there is none. */
  groupId: number | null;
}

/** The living processes of a command, without the supervisor itself. */
export function findCommandProcesses(source: ProcessSource, scope: CommandScope): FoundProcess[] {
  const table = source.table();
  const descendants = scope.root === null ? new Set<number>() : descendantsOf(scope.root, table);
  const marked = source.marked(scope.executionId);
  return table
    .filter(({ pid, groupId, zombie }) => {
      if (zombie || pid <= 1 || pid === scope.root || pid === process.pid) return false;
      return descendants.has(pid) || groupId === scope.groupId || marked(pid);
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

/** Throws where this platform has no list of processes. */
export function createProcessSource(platform: string = process.platform): ProcessSource {
  if (platform === 'linux') return procSource('/proc');
  if (platform === 'darwin')
    return psSource((args) => execFileSync('/bin/ps', args, { encoding: 'utf8', maxBuffer: PS_BYTES }));
  throw new Error(`Commands cannot be supervised on ${platform}.`);
}

const PS_BYTES = 64 * 1024 * 1024;

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
  const { name, parentPid, group, state } = stat;
  return { pid, name, parentPid, groupId: group, zombie: state === 'Z' || state === 'X' };
}

/** macOS: `ps` shows the environment of the user's own processes, but not of those that System Integrity Protection covers. */
function psSource(ps: (args: string[]) => string): ProcessSource {
  return {
    table: () =>
      ps(['-axo', 'pid=,ppid=,pgid=,stat=,comm='])
        .split('\n')
        .map((line) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line))
        .filter((match) => match !== null)
        .map(([, pid, parentPid, groupId, state = '', name = '']) => ({
          pid: Number(pid),
          parentPid: Number(parentPid),
          groupId: Number(groupId),
          zombie: state.startsWith('Z'),
          name: name.slice(name.lastIndexOf('/') + 1),
        })),
    marked(executionId) {
      const mark = ` ${COMMAND_MARK}=${executionId}`;
      const lines = ps(['-axEwwo', 'pid=,command=']).split('\n');
      const pids = new Set(lines.filter((line) => line.includes(mark)).map((line) => Number.parseInt(line, 10)));
      return (pid) => pids.has(pid);
    },
  };
}
