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
