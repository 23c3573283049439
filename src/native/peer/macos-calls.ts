/** The libSystem calls the macOS process table needs, through koffi. Only bytes cross; macos.ts reads them. */
import { basename } from 'node:path';
import koffi from 'koffi';
import { type StartedCommands } from './started-commands.js';
import { commandMarkIn, type CommandMark } from './command-mark.js';

export type MacosCalls = ReturnType<typeof loadMacosCalls>;

/** Where processes come between asking for their number and for themselves. */
const SPARE_PIDS = 64;
const PID_BYTES = 4;

const SOL_LOCAL = 0;
const SOL_SOCKET = 0xffff;
const SO_NREAD = 0x1020;
const PATH_BYTES = 4096;
const CTL_KERN = 1;
const KERN_PROCARGS2 = 49;
const ARGUMENT_BYTES = 1024 * 1024;

/** `library` is that of a stand-in in tests. */
export function loadMacosCalls(library = '/usr/lib/libSystem.B.dylib') {
  const system = koffi.load(library);
  const getsockopt = system.func(
    'int getsockopt(int fd, int level, int name, _Out_ uint8_t *value, _Inout_ uint32_t *length)',
  );
  const pidInfo = system.func('int proc_pidinfo(int pid, int flavor, uint64_t arg, _Out_ uint8_t *buffer, int size)');
  const pidPath = system.func('int proc_pidpath(int pid, _Out_ uint8_t *buffer, uint32_t size)');
  const sysctl = system.func(
    'int sysctl(int *name, uint32_t count, _Out_ uint8_t *value, _Inout_ size_t *length, void *next, size_t nextLength)',
  );
  const listAll = system.func('int proc_listallpids(_Out_ uint8_t *buffer, int size)');
  const countAll = system.func('int proc_listallpids(void *buffer, int size)');
  const getsid = system.func('int getsid(int pid)');
  const responsible = optional(() => system.func('int responsibility_get_pid_responsible_for_pid(int pid)'));
  const count = (value: unknown): number => (typeof value === 'number' ? value : Number(value));

  function readOption(fd: number, level: number, option: number, bytes: number): Buffer | null {
    const value = Buffer.alloc(bytes);
    const length = [bytes];
    return count(getsockopt(fd, level, option, value, length)) === 0 && length[0] === bytes ? value : null;
  }

  return {
    /** getsockopt(SOL_LOCAL, option); null when the kernel refuses. */
    socketOption: (fd: number, option: number, bytes: number): Buffer | null =>
      readOption(fd, SOL_LOCAL, option, bytes),
    /** How many bytes a socket holds that were not read yet; null when the kernel refuses. */
    waitingBytes: (fd: number): number | null => readOption(fd, SOL_SOCKET, SO_NREAD, 4)?.readInt32LE(0) ?? null,
    /** proc_pidinfo(pid, flavor, 0); null when it does not fill the structure. */
    processInfo(pid: number, flavor: number, bytes: number): Buffer | null {
      const value = Buffer.alloc(bytes);
      return count(pidInfo(pid, flavor, 0, value, bytes)) === bytes ? value : null;
    },
    /** proc_pidpath. */
    processPath(pid: number): string | null {
      const value = Buffer.alloc(PATH_BYTES);
      const length = count(pidPath(pid, value, PATH_BYTES));
      return length > 0 ? value.toString('utf8', 0, length) : null;
    },
    /** sysctl(KERN_PROCARGS2): program, arguments and environment. */
    processArguments(pid: number): Buffer | null {
      const value = Buffer.alloc(ARGUMENT_BYTES);
      const length: (number | bigint)[] = [ARGUMENT_BYTES];
      if (count(sysctl([CTL_KERN, KERN_PROCARGS2, pid], 3, value, length, null, 0)) !== 0) return null;
      return value.subarray(0, count(length[0]));
    },
    /** proc_listallpids. */
    pids(): number[] {
      const buffer = Buffer.alloc((count(countAll(null, 0)) + SPARE_PIDS) * PID_BYTES);
      const found = Math.min(count(listAll(buffer, buffer.length)), buffer.length / PID_BYTES);
      return Array.from({ length: Math.max(0, found) }, (_, at) => buffer.readInt32LE(at * PID_BYTES));
    },
    /** getsid: the pid of the session's leader; null where there is no such process. */
    session: (pid: number): number | null => positive(count(getsid(pid))),
    /** The process whose permissions count for this one, which its children share also once it has ended; null where the system does not tell. */
    responsible: (pid: number): number | null => (responsible === null ? null : positive(count(responsible(pid)))),
  };
}

const positive = (pid: number): number | null => (pid > 0 ? pid : null);

/** It is in no header. */
function optional<T>(bind: () => T): T | null {
  try {
    return bind();
  } catch {
    return null;
  }
}

// What macOS tells of one process. Layouts are those of <sys/proc_info.h>, and of KERN_PROCARGS2 in <sys/sysctl.h>.

export interface MacosProcess {
  pid: number;
  parentPid: number;
  uid: number;
  realUid: number;
  startTime: string;
  /** Pid of the process group's leader. */
  group: number;
  /** Device number of the controlling terminal; 0: none. */
  terminal: number;
  /** At most 15 bytes; a process may set its own. */
  name: string;
}

const PROC_PIDTBSDINFO = 3;
const BSD_INFO = {
  bytes: 136,
  parent: 16,
  uid: 20,
  realUid: 28,
  name: 48,
  nameEnd: 64,
  group: 100,
  terminal: 108,
  startSeconds: 120,
  startMicroseconds: 128,
};
const NO_DEVICE = 0xffff_ffff;

/** null where it has ended, also where only its parent has not taken note yet. */
export function readMacosProcess(calls: Pick<MacosCalls, 'processInfo'>, pid: number): MacosProcess | null {
  const info = calls.processInfo(pid, PROC_PIDTBSDINFO, BSD_INFO.bytes);
  if (info === null) return null;
  const microseconds = String(info.readBigUInt64LE(BSD_INFO.startMicroseconds)).padStart(6, '0');
  const terminal = info.readUInt32LE(BSD_INFO.terminal);
  return {
    pid,
    parentPid: info.readUInt32LE(BSD_INFO.parent),
    uid: info.readUInt32LE(BSD_INFO.uid),
    realUid: info.readUInt32LE(BSD_INFO.realUid),
    startTime: `${info.readBigUInt64LE(BSD_INFO.startSeconds)}.${microseconds}`,
    group: info.readUInt32LE(BSD_INFO.group),
    terminal: terminal === NO_DEVICE ? 0 : terminal,
    name: cString(info.subarray(BSD_INFO.name, BSD_INFO.nameEnd)),
  };
}

/**
 * Layout: argument count, executable path, padding zeros, then the arguments and the environment, each ended by a zero. The system
 * leaves the environment of its own programs out.
 */
export function readArguments(raw: Buffer | null): { argv: string[]; environment: string[] } {
  if (raw === null || raw.length < 4) return { argv: [], environment: [] };
  const count = raw.readInt32LE(0);
  let at = 4 + cBytes(raw, 4);
  while (at < raw.length && raw[at] === 0) at++;
  const found: string[] = [];
  while (at < raw.length) {
    const length = cBytes(raw, at);
    found.push(raw.toString('utf8', at, at + length));
    at += length + 1;
  }
  return { argv: found.slice(0, count), environment: found.slice(count).filter((entry) => entry !== '') };
}

function cBytes(raw: Buffer, at: number): number {
  const end = raw.indexOf(0, at);
  return (end < 0 ? raw.length : end) - at;
}

export function cString(raw: Buffer): string {
  return raw.toString('utf8', 0, cBytes(raw, 0));
}

/**
 * Whether an approved command started a process: by the environment it was started with, else by what it cannot leave by ending its
 * parent: its session, and the process that answers for it. A command answers for itself and all that it starts.
 */
export function createMacosCommandMarks(
  calls: MacosCalls,
  { executionOf }: Pick<StartedCommands, 'executionOf'>,
): (pid: number) => CommandMark {
  return (pid) => {
    if (readMacosProcess(calls, pid) === null) return { kind: 'gone' };
    const { environment } = readArguments(calls.processArguments(pid));
    const inEnvironment = commandMarkIn(environment);
    if (inEnvironment.kind === 'marked') return inEnvironment;
    const responsible = calls.responsible(pid);
    for (const leader of [calls.session(pid), responsible]) {
      const executionId = leader === null ? null : executionOf(leader);
      if (executionId !== null) return { kind: 'marked', executionId };
    }
    // Who answered for it has ended: it may be a command of an earlier run of the host.
    const hasEnded = responsible !== null && responsible !== pid && readMacosProcess(calls, responsible) === null;
    return hasEnded ? { kind: 'unreadable' } : { kind: 'none' };
  };
}

/** The program that the system's settings list for what a process is allowed. */
export interface Grantee {
  /** As the settings list it. */
  name: string;
  /** What can be dragged into that list: the app, or else the program itself. */
  path: string;
}

/** null where the system does not tell. Another program answers for what it has started, such as a terminal. */
export function readGrantee(calls: Pick<MacosCalls, 'responsible' | 'processPath'>, pid: number): Grantee | null {
  const responsible = calls.responsible(pid);
  const program = responsible === null ? null : calls.processPath(responsible);
  if (program === null) return null;
  const path = appOf(program);
  return { name: basename(path, '.app'), path };
}

/** An app's program and its helpers lie within it. */
export const appOf = (program: string): string => /^.*?\.app(?=\/)/.exec(program)?.[0] ?? program;
