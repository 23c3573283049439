/** The process table on macOS: audit tokens for sockets, libproc for processes. Layouts are those of <bsm/audit.h> and <sys/proc_info.h>. */
import { identityOfToken, TOKEN_BYTES } from './audit-token.js';
import { lineageOf } from './lineage.js';
import type { MacosCalls } from './macos-calls.js';
import { realPath } from './proc-files.js';
import { scriptOf } from './script.js';
import type { ProcessIdentity, ProcessTable } from './types.js';

const LOCAL_PEERTOKEN = 6;
const PROC_PIDTBSDINFO = 3;
const BSD_INFO = { bytes: 136, parent: 16, uid: 20, startSeconds: 120, startMicroseconds: 128 };
const PROC_PIDVNODEPATHINFO = 9;
const VNODE_PATHS = { bytes: 2352, cwd: 152, cwdEnd: 1176 };

export function createMacosTable(calls: MacosCalls): ProcessTable {
  const lookup = (pid: number): ProcessIdentity | null => readProcess(calls, pid);
  function isSameProcess({ pid, startTime, executable }: ProcessIdentity): boolean {
    const now = pid === 0 ? null : lookup(pid);
    return pid === 0 || (now?.startTime === startTime && now.executable === executable);
  }

  return {
    peerOf(socketFd) {
      const read = () => calls.socketOption(socketFd, LOCAL_PEERTOKEN, TOKEN_BYTES);
      const token = read() ?? Buffer.alloc(0);
      return identityOfToken(token, lookup, () => read()?.equals(token) === true);
    },
    lookup,
    isSameProcess,
    watch: (process) => ({ isSame: () => isSameProcess(process), close: () => undefined }),
    lineage: (pid) => lineageOf(pid, lookup),
    // The kernel offers no public way from a TCP connection to its process: unclear, so the caller asks for more proof.
    tcpClient: () => Promise.resolve(null),
  };
}

function readProcess(calls: MacosCalls, pid: number): ProcessIdentity | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  const info = calls.processInfo(pid, PROC_PIDTBSDINFO, BSD_INFO.bytes);
  if (info === null) return null;
  const startTime = startOf(info);
  const executable = calls.processPath(pid) ?? '';
  const cwd = readCwd(calls, pid);
  const argv = readArguments(calls.processArguments(pid));
  const script = scriptOf({ executable, argv, cwd, resolve: realPath });
  const again = calls.processInfo(pid, PROC_PIDTBSDINFO, BSD_INFO.bytes);
  if (again === null || startOf(again) !== startTime) return null;
  const uid = info.readUInt32LE(BSD_INFO.uid);
  return { pid, startTime, uid, executable, script, cwd, parentPid: info.readUInt32LE(BSD_INFO.parent) };
}

function startOf(info: Buffer): string {
  return `${info.readBigUInt64LE(BSD_INFO.startSeconds)}.${String(info.readBigUInt64LE(BSD_INFO.startMicroseconds)).padStart(6, '0')}`;
}

function readCwd(calls: MacosCalls, pid: number): string | null {
  const info = calls.processInfo(pid, PROC_PIDVNODEPATHINFO, VNODE_PATHS.bytes);
  return info === null ? null : cString(info.subarray(VNODE_PATHS.cwd, VNODE_PATHS.cwdEnd)) || null;
}

/** Layout: argument count, executable path, padding zeros, then the arguments, each ended by a zero. */
function readArguments(raw: Buffer | null): string[] {
  if (raw === null || raw.length < 4) return [];
  const count = raw.readInt32LE(0);
  let at = 4 + cBytes(raw, 4);
  while (at < raw.length && raw[at] === 0) at++;
  const found: string[] = [];
  while (found.length < count && at < raw.length) {
    const length = cBytes(raw, at);
    found.push(raw.toString('utf8', at, at + length));
    at += length + 1;
  }
  return found;
}

function cBytes(raw: Buffer, at: number): number {
  const end = raw.indexOf(0, at);
  return (end < 0 ? raw.length : end) - at;
}

function cString(raw: Buffer): string {
  return raw.toString('utf8', 0, cBytes(raw, 0));
}
