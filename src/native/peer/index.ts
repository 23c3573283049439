/**
 * Which process is at the other end of a socket, as the kernel reports it. Comes in: file descriptors, pids, loopback addresses. Goes out:
 * process identities. Built once by host/, shim/ and cli/, and passed down; callers refuse identities of other users.
 */
import { createHash } from 'node:crypto';
import { type StartedCommands } from './started-commands.js';
import { readCommandMark, type CommandMark } from './command-mark.js';
import { createConnectionHolders, loadPeerEnd, type ConnectionHolders } from './connection-holders.js';
import { loadPeerCredentials, loadWaitingBytes, createLinuxTable, forwarderOf, lineageOf } from './linux.js';
import {
  loadMacosCalls,
  type MacosCalls,
  createMacosCommandMarks,
  readGrantee,
  type Grantee,
  readMacosProcess,
  type MacosProcess,
  cString,
  readArguments,
} from './macos-calls.js';
import { createLinuxInspector, type ProcessInspector } from './process-inspector.js';
import { createLinuxPrograms, type OwnCommand } from './linux-programs.js';
import { loadCodeSignatures } from './macos-signatures.js';
import { createProgramIdentities, type ProgramIdentities, type PlaceOptions } from './program-identity.js';
import { realPath } from './proc-files.js';
import { type ProcessIdentity, type ProcessTable, identityOfToken, TOKEN_BYTES } from './types.js';
import { scriptOf } from './script.js';

export { isAlone } from './connection-holders.js';
export type { PlaceOptions } from './program-identity.js';

/** Throws on a platform where the kernel cannot be asked. */
export function createProcessTable(): ProcessTable {
  switch (process.platform) {
    case 'linux':
      return createLinuxTable('/proc', loadPeerCredentials(), loadPeerEnd(), loadWaitingBytes());
    case 'darwin':
      return createMacosTable(loadMacosCalls());
    default:
      throw new Error(`Peer identity is not available on ${process.platform}.`);
  }
}

/** What makes a name that the kernel gives worth more than one look: see `approvals/trust.ts`. */
export interface PeerTrust {
  identities: ProgramIdentities;
  /** Whether this is this installation's own shim, and no program that only speaks like it. */
  isOwnShim(peer: ProcessIdentity): boolean;
  /** Absent where every message carries the name of its sender. */
  holders?: ConnectionHolders;
}

/** Throws on a platform where the kernel cannot be asked. */
export function createPeerTrust(
  { lookup }: Pick<ProcessTable, 'lookup'>,
  { places = {}, shim }: { places?: PlaceOptions | undefined; shim?: OwnCommand | undefined } = {},
): PeerTrust {
  if (process.platform === 'darwin') return macosTrust(lookup, shim);
  const identities = createLinuxPrograms({ lookup, ...places });
  const isOwnShim = (peer: ProcessIdentity) => shim !== undefined && identities.isStartedBy(peer, shim);
  return { identities, isOwnShim, holders: createConnectionHolders() };
}

/** A script is known by its path there, a packaged shim by the signature of this program. */
function macosTrust(lookup: ProcessTable['lookup'], shim: OwnCommand | undefined): PeerTrust {
  const identities = createProgramIdentities(loadCodeSignatures(), lookup);
  const isOwnShim = (peer: ProcessIdentity): boolean => {
    const [entry, ...more] = shim?.args ?? [];
    if (entry !== undefined && more.length > 0) return peer.script !== null && peer.script === realPath(entry);
    const own = lookup(process.pid);
    const told = shim === undefined || own === null ? null : identities.of(own, 'agent');
    return told !== null && 'identity' in told && identities.isSame(peer, 'agent', told.identity);
  };
  return { identities, isOwnShim };
}

/** How processes are told that approved commands, or agents, have started. */
export interface DescentChecks {
  inspector: ProcessInspector;
  mark(pid: number): CommandMark;
}

/** Throws on a platform where the kernel cannot be asked. */
export function createDescentChecks(commands: Pick<StartedCommands, 'executionOf'>): DescentChecks {
  if (process.platform === 'linux') return { inspector: createLinuxInspector(), mark: readCommandMark };
  if (process.platform !== 'darwin') throw new Error(`Processes cannot be inspected on ${process.platform}.`);
  const calls = loadMacosCalls();
  return { inspector: createMacosInspector(calls), mark: createMacosCommandMarks(calls, commands) };
}

/** Who is granted what this process is allowed; null where each program is for itself, or where it is not told. */
export function granteeOfThisProcess(): Grantee | null {
  return process.platform === 'darwin' ? readGrantee(loadMacosCalls(), process.pid) : null;
}

/** First 16 hex digits of SHA-256 over the audit token, or else over what tells one process from every other. */
export function auditTokenDigest({ auditToken, pid, startTime, uid, executable }: ProcessIdentity): string {
  const named =
    auditToken === undefined ? JSON.stringify([pid, startTime, uid, executable]) : Buffer.from(auditToken, 'hex');
  return createHash('sha256').update(named).digest('hex').slice(0, 16);
}

const NONE = { pid: '', mount: '' };

/** Who reads a terminal's output is not told; what controls it is found above the leader of its session. */
export function createMacosInspector(calls: MacosCalls): ProcessInspector {
  const all = (): MacosProcess[] => calls.pids().flatMap((pid) => readMacosProcess(calls, pid) ?? []);
  return {
    inspect(pid) {
      const found = readMacosProcess(calls, pid);
      const session = calls.session(pid);
      if (found === null || session === null) return null;
      const { parentPid, startTime, group, terminal, uid, realUid, name } = found;
      const family = String(calls.responsible(pid) ?? '');
      return {
        pid,
        parentPid,
        startTime,
        sessionLeader: session,
        groupLeader: group,
        terminal,
        uid,
        realUid,
        name,
        family,
        namespaces: NONE,
      };
    },
    terminalHolders(terminal) {
      const programs = terminal === 0 ? [] : all().filter((one) => one.terminal === terminal);
      return { masters: [], programs: programs.map(({ pid }) => pid) };
    },
    programOf: () => null,
    list: () => all().map(({ pid, parentPid, startTime }) => ({ pid, parentPid, startTime })),
  };
}

// The process table on macOS: audit tokens for sockets, libproc for processes. Layouts are those of <bsm/audit.h> and <sys/proc_info.h>.

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
