/** Whether an application still works: it, or a process that it started (a browser's pages), by what the kernel tells of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { delay } from '../../base/poll.js';

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
