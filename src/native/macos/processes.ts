import type { Bound } from './calls/bind.js';
import { BSD_INFO, PATH_BYTES, PROC_PIDTBSDINFO } from './calls/libraries.js';

/** What the kernel says of a process; no list of applications is asked, which may be old. */
export type Processes = ReturnType<typeof createProcesses>;

/** Of Chaperone: a helper's, and of the application that started it and has the popover. */
export const isOwnProcess = (pid: number): boolean => pid === process.pid || pid === process.ppid;

export function createProcesses({ processes: calls, responsible }: Pick<Bound, 'processes' | 'responsible'>) {
  return {
    /** null when it has ended. With the pid it tells a process from a later one. */
    startTime(pid: number): string | null {
      const info = Buffer.alloc(BSD_INFO.bytes);
      if (calls.proc_pidinfo(pid, PROC_PIDTBSDINFO, 0, info, info.length) !== info.length) return null;
      const microseconds = String(info.readBigUInt64LE(BSD_INFO.startMicroseconds)).padStart(6, '0');
      return `${info.readBigUInt64LE(BSD_INFO.startSeconds)}.${microseconds}`;
    },
    /** '' where the kernel does not tell. */
    executable(pid: number): string {
      const path = Buffer.alloc(PATH_BYTES);
      return path.toString('utf8', 0, Math.max(0, calls.proc_pidpath(pid, path, path.length)));
    },
    /** Another process that the system holds responsible for it, as an application for its helpers; null for one that answers for itself. */
    responsible(pid: number): number | null {
      const found = responsible(pid);
      return found > 0 && found !== pid ? found : null;
    },
  };
}
