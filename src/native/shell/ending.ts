import { readdir, readFile } from 'node:fs/promises';
import { COMMAND_MARK } from '../peer/command-mark.js';

const STEP_MS = 20;
const LONGEST_STEP_MS = 250;
const ROUNDS = 5;

/** Ends a command with all it has started: TERM to its process group, KILL to what is still there `graceMs` later. */
export async function endAll(pid: number, mark: string, graceMs: number): Promise<void> {
  toGroup(pid, 'SIGTERM');
  const deadline = performance.now() + graceMs;
  for (let step = STEP_MS; await anyLeft(pid, mark); step = Math.min(2 * step, LONGEST_STEP_MS)) {
    if (performance.now() > deadline) return killAll(pid, mark);
    await new Promise((resolve) => setTimeout(resolve, step));
  }
}

/** What forks while it is being killed is found in the next round. */
async function killAll(pid: number, mark: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    toGroup(pid, 'SIGKILL');
    const strays = await marked(mark);
    if (strays.length === 0) return;
    for (const stray of strays) send(stray, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}

async function anyLeft(pid: number, mark: string): Promise<boolean> {
  const strays = await marked(mark);
  for (const stray of strays) if (stray !== pid) send(stray, 'SIGTERM');
  return strays.length > 0 || (process.platform !== 'linux' && toGroup(pid, 0));
}

function toGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  return send(-pid, signal);
}

/** False where nobody is there to take it. 0 would mean our own group, -1 everybody. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  if (Math.abs(pid) <= 1) return false;
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Living processes that carry the mark; where there is no /proc, none are found. */
async function marked(mark: string): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name));
  const carries = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
      return environment.includes(`${COMMAND_MARK}=${mark}\0`);
    }),
  );
  return pids.filter((_, index) => carries[index] === true).map(Number);
}
