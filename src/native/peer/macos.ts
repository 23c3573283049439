/** The process table on macOS: audit tokens for sockets, libproc for processes. Layouts are those of <bsm/audit.h> and <sys/proc_info.h>. */
import { identityOfToken, TOKEN_BYTES } from './audit-token.js';
import { forwarderOf } from './forwarder.js';
import { lineageOf } from './lineage.js';
import type { MacosCalls } from './macos-calls.js';
import { cString, readArguments, readMacosProcess } from './macos-processes.js';
import { realPath } from './proc-files.js';
import { scriptOf } from './script.js';
import type { ProcessIdentity, ProcessTable } from './types.js';

const LOCAL_PEERTOKEN = 6;
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
      const peer = identityOfToken(token, lookup, () => read()?.equals(token) === true);
      return { ...peer, waiting: calls.waitingBytes(socketFd) };
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
  const info = readMacosProcess(calls, pid);
  if (info === null) return null;
  const { startTime, uid, parentPid } = info;
  const executable = calls.processPath(pid) ?? '';
  const cwd = readCwd(calls, pid);
  const { argv } = readArguments(calls.processArguments(pid));
  const script = scriptOf({ executable, argv, cwd, resolve: realPath });
  if (readMacosProcess(calls, pid)?.startTime !== startTime) return null;
  const forwardedBy = forwarderOf({ executable, uid, name: null, parentUid: null });
  const more = forwardedBy === undefined ? {} : { forwardedBy };
  return { pid, startTime, uid, executable, script, cwd, parentPid, ...more };
}

function readCwd(calls: MacosCalls, pid: number): string | null {
  const info = calls.processInfo(pid, PROC_PIDVNODEPATHINFO, VNODE_PATHS.bytes);
  return info === null ? null : cString(info.subarray(VNODE_PATHS.cwd, VNODE_PATHS.cwdEnd)) || null;
}
