/** What the kernel reports of a process: session, process group, terminal, control group; and which processes hold a terminal. */
import { statSync } from 'node:fs';
import { attempt, listPids, readArgv, readLink, readNames, readStat, readTextFile, readUids } from './proc-files.js';

export interface ProcessDetails {
  pid: number;
  parentPid: number;
  /** A number, opaque but for its order; as in the process table. */
  startTime: string;
  sessionLeader: number;
  groupLeader: number;
  /** Device number of the controlling terminal; 0: none. */
  terminal: number;
  /** Effective user. */
  uid: number;
  /** Who started it, also where its file makes it another user's (setuid). */
  realUid: number;
  /** At most 15 bytes. A process may choose its own; nobody may choose that of another user's. */
  name: string;
  /** What a process shares with those it starts, whoever of them ends: the control group on Linux, on macOS the process that answers for it. */
  family: string;
  /** Opaque; other values inside a container or sandbox. '' where the system does not tell, or has none. */
  namespaces: { pid: string; mount: string };
}

interface RunningProgram {
  argv: readonly string[];
  /** Its file belongs to root, and nobody else may write it. */
  isInstalled: boolean;
}

interface TerminalHolders {
  /** Pids that read its output and write its input, such as a terminal emulator. */
  masters: number[];
  /** Pids that have it open as their terminal. */
  programs: number[];
}

export interface ProcessInspector {
  /** null where it cannot be read. */
  inspect(pid: number): ProcessDetails | null;
  /** Of a pseudoterminal; empty for other terminals. Processes whose files may not be read are left out. */
  terminalHolders(terminal: number): TerminalHolders;
  /** null where it cannot be read. */
  programOf(pid: number): RunningProgram | null;
  /** Every process: pid, parent and start. */
  list(): Pick<ProcessDetails, 'pid' | 'parentPid' | 'startTime'>[];
}

const NO_HOLDERS: TerminalHolders = { masters: [], programs: [] };
const PSEUDOTERMINAL_MAJOR = 136;

/** `proc` is the mount to read; tests give a made-up one. */
export function createLinuxInspector(proc = '/proc'): ProcessInspector {
  return {
    inspect: (pid) => readDetails(proc, pid),
    terminalHolders(terminal) {
      const index = pseudoterminalIndex(terminal);
      return index === null ? NO_HOLDERS : holdersOf(proc, index);
    },
    programOf(pid) {
      const file = attempt(() => statSync(`${proc}/${pid}/exe`));
      return file && { argv: readArgv(proc, pid), isInstalled: file.uid === 0 && (file.mode & 0o022) === 0 };
    },
    list: () =>
      listPids(proc).flatMap((pid) => {
        const stat = readStat(proc, pid);
        return stat === null ? [] : [{ pid, parentPid: stat.parentPid, startTime: String(stat.startTicks) }];
      }),
  };
}

function readDetails(proc: string, pid: number): ProcessDetails | null {
  const stat = readStat(proc, pid);
  const uids = readUids(proc, pid);
  const family = readTextFile(`${proc}/${pid}/cgroup`);
  if (stat === null || uids === null || family === null) return null;
  const { parentPid, startTicks, session, group: groupLeader, terminal, name } = stat;
  const of = { pid, parentPid, startTime: String(startTicks), sessionLeader: session, groupLeader, terminal, name };
  const namespace = (name: string) => readLink(`${proc}/${pid}/ns/${name}`) ?? '';
  const namespaces = { pid: namespace('pid'), mount: namespace('mnt') };
  return { ...of, uid: uids.effective, realUid: uids.real, family, namespaces };
}

/** The number in /dev/pts/<n>; null for any other device. */
function pseudoterminalIndex(device: number): number | null {
  const major = (device >> 8) & 0xfff;
  return major === PSEUDOTERMINAL_MAJOR ? (device & 0xff) | ((device >>> 12) & 0xfff00) : null;
}

function holdersOf(proc: string, index: number): TerminalHolders {
  const [masters, programs] = [new Set<number>(), new Set<number>()];
  for (const pid of listPids(proc)) {
    for (const fd of readNames(`${proc}/${pid}/fd`)) {
      const target = readLink(`${proc}/${pid}/fd/${fd}`) ?? '';
      if (target === `/dev/pts/${index}`) programs.add(pid);
      if (target.endsWith('/ptmx') && masterIndex(proc, pid, fd) === index) masters.add(pid);
    }
  }
  return { masters: [...masters], programs: [...programs] };
}

function masterIndex(proc: string, pid: number, fd: string): number | null {
  const found = /^tty-index:\s*(\d+)/m.exec(readTextFile(`${proc}/${pid}/fdinfo/${fd}`) ?? '')?.[1];
  return found === undefined ? null : Number(found);
}
