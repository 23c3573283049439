/** What macOS tells of one process. Layouts are those of <sys/proc_info.h>, and of KERN_PROCARGS2 in <sys/sysctl.h>. */
import type { MacosCalls } from './macos-calls.js';

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
