/** Whether an application still works: it, or a process that it started (a browser's pages), by what the kernel tells of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { delay } from '../../base/poll.js';
import { LRUCache } from 'lru-cache';

/** The kernel counts processor time in steps of this. */
const STEP_MS = 10;

/** Resolves once the process and all that descend from it sleep, and used no time since they did so before. One that has ended sleeps. */
export async function restOf(pid: number, signal: AbortSignal): Promise<void> {
  const family = familyOf(pid);
  let before: string | null = null;
  for (;;) {
    signal.throwIfAborted();
    const states = family.map(statusOf);
    const asleep = states.every(({ sleeps }) => sleeps) ? states.map(({ used }) => used).join() : null;
    if (asleep !== null && asleep === before) return;
    before = asleep;
    await delay(STEP_MS, signal);
  }
}

/** The state of its first thread, and the processor time of all of them, of proc(5). */
function statusOf(pid: number): { sleeps: boolean; used: string } {
  const text = read(`/proc/${pid}/stat`);
  const [state, ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { sleeps: state !== 'R' && state !== 'D', used: `${fields[10]} ${fields[11]}` };
}

/** Each thread has the processes that it started. Any of them may have started others. */
function familyOf(pid: number): number[] {
  const family = [pid];
  for (const one of family) {
    for (const thread of names(`/proc/${one}/task`))
      family.push(...(read(`/proc/${one}/task/${thread}/children`).match(/\d+/g) ?? []).map(Number));
  }
  return family;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** False where it does not rest before the limit. */
export const restWithin = (pid: number, limitMs: number, signal: AbortSignal): Promise<boolean> =>
  endsWithin(limitMs, signal, (stop) => restOf(pid, stop));

/** Whether `work` ends before the limit. */
export async function endsWithin(limitMs: number, signal: AbortSignal, work: (stop: AbortSignal) => Promise<void>) {
  const finished = new AbortController();
  const stop = AbortSignal.any([signal, finished.signal]);
  try {
    return await Promise.race([work(stop).then(() => true), delay(limitMs, stop).then(() => false)]);
  } finally {
    finished.abort();
  }
}

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
