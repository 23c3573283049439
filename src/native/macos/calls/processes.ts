/** Processes as the kernel reports them. Signatures and layout: libproc.h, sys/proc_info.h, sys/sysctl.h, signal.h. */
import type { PrototypeTable } from './types.js';

export const PROCESSES = {
  proc_pidinfo: ['int32', ['int32', 'int32', 'uint64', 'memory', 'int32']],
  proc_pidpath: ['int32', ['int32', 'memory', 'uint32']],
  sysctlbyname: ['int32', ['text', 'memory', 'memory', 'memory', 'uint64']],
  kill: ['int32', ['int32', 'int32']],
  pthread_main_np: ['int32', []],
} as const satisfies PrototypeTable;

/** sys/signal.h. */
export const SIGKILL = 9;

export const PROC_PIDTBSDINFO = 3;
/** struct proc_bsdinfo. */
export const BSD_INFO = { bytes: 136, startSeconds: 120, startMicroseconds: 128 } as const;
export const PATH_BYTES = 4096;
