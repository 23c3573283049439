import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

export interface ProcessUse {
  /** Processor time since it started. */
  cpuMs: number;
  memoryMb: number;
}

/** What a process has used, as the kernel counts it. */
export function useOf(pid: number): ProcessUse {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpuMs: ((Number(user) + Number(system)) * 1000) / TICKS_PER_SECOND, memoryMb: Number(resident) / 1024 };
}

/** What it uses while `work` runs. */
export async function usedBy(pid: number, work: () => Promise<unknown>): Promise<ProcessUse> {
  const before = useOf(pid);
  await work();
  const after = useOf(pid);
  return { cpuMs: after.cpuMs - before.cpuMs, memoryMb: after.memoryMb - before.memoryMb };
}
