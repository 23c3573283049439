/** The system calls of a supervisor, through koffi. Loaded in the supervisor process only. */
import { openSync } from 'node:fs';
import koffi from 'koffi';
import type { TableEntry } from './processes.js';

const PR_SET_CHILD_SUBREAPER = 36;
const WNOHANG = 1;

interface SupervisorCalls {
  /** Puts /dev/null in the place of the standard streams, so that only the command holds them open. */
  dropStandardStreams(): void;
  /** Takes note of adopted processes that have exited; `except` is waited for by Node itself. */
  reap(table: readonly TableEntry[], except: number): void;
}

/** From here on, orphaned descendants become children of this process (Linux). Throws where the kernel refuses. */
export function becomeSubreaper(platform: string = process.platform): SupervisorCalls {
  const libc = koffi.load(null);
  if (platform === 'linux') {
    const prctl = libc.func('int prctl(int option, ulong on, ulong a, ulong b, ulong c)');
    const failed: unknown = prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    if (failed !== 0) throw new Error('prctl(PR_SET_CHILD_SUBREAPER) failed.');
  }
  const dup2 = libc.func('int dup2(int from, int to)');
  const waitpid = libc.func('int waitpid(int pid, void *status, int options)');
  return {
    dropStandardStreams() {
      const empty = openSync('/dev/null', 'r+');
      for (const fd of [0, 1, 2]) dup2(empty, fd);
    },
    reap(table, except) {
      for (const { pid, parentPid, zombie } of table)
        if (zombie && parentPid === process.pid && pid !== except) waitpid(pid, null, WNOHANG);
    },
  };
}
