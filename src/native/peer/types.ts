/** What the kernel reports of the process at the other end of a socket. */
export interface ProcessIdentity {
  pid: number;
  /** Opaque; tells a process from a later one with the same pid. */
  startTime: string;
  uid: number;
  /** Absolute path of the executable; '' where the kernel will not tell. */
  executable: string;
  /** The script an interpreter runs (absolute), or null. */
  script: string | null;
  cwd: string | null;
  parentPid: number;
  /** Opaque; another value once the process runs another program. Left out where the system does not tell. */
  image?: string;
  /** It passes on what programs of another machine say: whose words they are, the kernel of this one does not know. */
  forwardedBy?: 'ssh';
  /** Its end of the connection, for {@link Holders}; null where the kernel does not tell. Left out where there is no such connection. */
  socket?: string | null;
  /** Bytes that waited in the connection, unread, once this was read: another program may have sent them. null where the kernel does not tell. */
  waiting?: number | null;
  /** macOS: what the kernel names the peer of a connection by, in hex. */
  auditToken?: string;
}

export interface TcpEndpoint {
  address: string;
  port: number;
}

/** One process, watched from the moment its identity was read. */
export interface ProcessWatch {
  /** As {@link ProcessTable.isSameProcess}, but cheap enough for every message. */
  isSame(): boolean;
  close(): void;
}

/** Looks up processes. Injected, so that tests and platforms can have their own. */
export interface ProcessTable {
  /** The process at the other end of a connected Unix socket, as the kernel reports it. Throws when it is not known. */
  peerOf(socketFd: number): ProcessIdentity;
  lookup(pid: number): ProcessIdentity | null;
  /** False once that process has ended or runs another program. True of one that was never known (pid 0). */
  isSameProcess(process: ProcessIdentity): boolean;
  watch(process: ProcessIdentity): ProcessWatch;
  /** Pid first, then its parent, up to init. */
  lineage(pid: number): ProcessIdentity[];
  /** The process that owns the client end of a loopback TCP connection, or null where that is unclear. Ends are named as the client sees them: `local` is its own address, `remote` is ours. Never rejects. */
  tcpClient(local: TcpEndpoint, remote: TcpEndpoint): Promise<ProcessIdentity | null>;
}

/** Milliseconds in one unit of `startTime`: clock ticks on Linux, seconds on macOS. */
const START_TIME_UNIT_MS = process.platform === 'linux' ? 10 : 1000;

/** Milliseconds since a process started; null where it has ended. Measured against this process: both clocks are the kernel's. */
export function createProcessAge({ lookup }: Pick<ProcessTable, 'lookup'>): (pid: number) => number | null {
  let own: string | null = null;
  return (pid) => {
    own ??= lookup(process.pid)?.startTime ?? null;
    const one = lookup(pid);
    if (one === null || own === null) return null;
    const age = process.uptime() * 1000 - (Number(one.startTime) - Number(own)) * START_TIME_UNIT_MS;
    return Number.isFinite(age) ? Math.max(0, Math.round(age)) : null;
  };
}

// macOS's audit token, which names one run of one program: <bsm/audit.h>.

export const TOKEN_BYTES = 32;
const TOKEN_EUID = 4;
const TOKEN_PID = 20;

/** Throws where the token is none. */
function readAuditToken(token: Uint8Array): { pid: number; uid: number; hex: string } {
  const bytes = Buffer.from(token);
  const pid = bytes.length === TOKEN_BYTES ? bytes.readUInt32LE(TOKEN_PID) : 0;
  if (pid === 0) throw new Error('the kernel names no process for this connection');
  return { pid, uid: bytes.readUInt32LE(TOKEN_EUID), hex: bytes.toString('hex') };
}

/** The process that a token names. `still` says, after the process was read, whether the token is valid. Throws where it is not. */
export function identityOfToken(
  token: Uint8Array,
  lookup: (pid: number) => ProcessIdentity | null,
  still: () => boolean,
): ProcessIdentity {
  const { pid, uid, hex } = readAuditToken(token);
  const identity = lookup(pid);
  if (identity === null || !still()) throw new Error(`process ${pid} has already ended`);
  return { ...identity, uid, auditToken: hex };
}
