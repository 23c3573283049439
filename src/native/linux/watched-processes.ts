import { LRUCache } from 'lru-cache';

/** What the kernel reports of a process. */
export interface KernelProcess {
  pid: number;
  startTime: string;
  executable: string;
  script: string | null;
}

export interface Processes {
  /** null when it has ended. */
  lookup(pid: number): KernelProcess | null;
  /** Of a process as `lookup` gave it: `isSame` is false once it has ended or runs another program. */
  watch(process: KernelProcess): { isSame(): boolean; close(): void };
  /** Of the program at the other end of a Unix socket; throws where it cannot be told. */
  peerOf(socketFd: number): { pid: number };
  /** The process itself first, then its parents. */
  lineage(pid: number): readonly { pid: number }[];
}

/** The processes of windows, which are asked for with every list of windows. */
export type WatchedProcesses = ReturnType<typeof watchProcesses>;

/** Each may keep a file open. */
const MAX_WATCHED = 100;

export function watchProcesses(processes: Pick<Processes, 'lookup' | 'watch'>) {
  const known = new LRUCache<number, { process: KernelProcess; watch: ReturnType<Processes['watch']> }>({
    max: MAX_WATCHED,
    dispose: ({ watch }) => watch.close(),
  });
  return {
    /** As `lookup` would give it now, but read again only where another program runs by now. */
    lookup(pid: number): KernelProcess | null {
      const before = known.get(pid);
      if (before?.watch.isSame() === true) return before.process;
      known.delete(pid);
      const process = processes.lookup(pid);
      if (process !== null) known.set(pid, { process, watch: processes.watch(process) });
      return process;
    },
    close: (): void => known.clear(),
  };
}
