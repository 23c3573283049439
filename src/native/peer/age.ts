import type { ProcessTable } from './types.js';

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
