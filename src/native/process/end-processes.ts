import { setTimeout as delay } from 'node:timers/promises';
import type { FoundProcess } from './supervisor-messages.js';

export interface EndResult {
  ended: FoundProcess[];
  /** Could not be ended: of another user, or in an uninterruptible wait. */
  remaining: FoundProcess[];
}

const STEP_MS = 10;
const MAX_STEP_MS = 100;
/** Processes that fork while they are killed are found by a later scan; those that remain after this time are reported. */
const KILL_TIMEOUT_MS = 2000;

interface EndOptions {
  find(): FoundProcess[];
  /** How long they may take after TERM, before they are killed. */
  graceMs: number;
  /** False where the signal was not delivered. */
  send?(pid: number, signal: NodeJS.Signals): boolean;
}

/**
 * Sends TERM to the processes that run now, and KILL to those that remain after `graceMs`. What they start in between is how they
 * clean up: it is reported, and killed with them.
 */
export async function endProcesses({ find, graceMs, send = sendSignal }: EndOptions): Promise<EndResult> {
  const seen = new Map<number, FoundProcess>();
  const deadline = performance.now() + graceMs;
  for (let step = STEP_MS; performance.now() < deadline; step = Math.min(2 * step, MAX_STEP_MS)) {
    const left = find();
    if (left.length === 0) return { ended: [...seen.values()], remaining: [] };
    if (seen.size === 0) for (const one of left) send(one.pid, 'SIGTERM');
    for (const one of left) seen.set(one.pid, one);
    await delay(Math.min(step, Math.max(1, deadline - performance.now())));
  }
  const remaining = await killAll(find, send, seen);
  for (const { pid } of remaining) seen.delete(pid);
  return { ended: [...seen.values()], remaining };
}

async function killAll(
  find: () => FoundProcess[],
  send: (pid: number, signal: NodeJS.Signals) => boolean,
  seen: Map<number, FoundProcess>,
): Promise<FoundProcess[]> {
  const deadline = performance.now() + KILL_TIMEOUT_MS;
  for (;;) {
    const left = find();
    if (left.length === 0 || performance.now() > deadline) return left;
    for (const one of left) {
      send(one.pid, 'SIGKILL');
      seen.set(one.pid, one);
    }
    await delay(STEP_MS);
  }
}

/** 0 and below would mean whole groups, 1 is init. */
function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  if (pid <= 1) return false;
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
