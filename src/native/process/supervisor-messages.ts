/** The messages between host and supervisor, over the supervisor's IPC channel. */

export interface RunMessage {
  type: 'run';
  argv: [string, ...string[]];
  cwd: string;
  env: Record<string, string>;
  executionId: string;
  graceMs: number;
}

/** `end`: end all processes, report and exit. `keep`: keep running without a call. `outlive`: what to do when the host ends. */
export type ToSupervisor = RunMessage | { type: 'end' } | { type: 'keep' } | { type: 'outlive'; on: boolean };

export type FromSupervisor =
  | { type: 'started'; pid: number }
  | { type: 'failed'; code: string; message: string }
  | { type: 'exited'; exitCode: number | null; signal: string | null }
  | { type: 'ended'; ended: FoundProcess[]; remaining: FoundProcess[] }
  | { type: 'kept'; processes: FoundProcess[] };

/** One process that belongs to a command. */
export interface FoundProcess {
  pid: number;
  /** Short name as the kernel has it; a process may set its own. */
  name: string;
}

/** `code` as the system gives it: ENOENT, EACCES, E2BIG; ESUPERVISOR where commands cannot be supervised, ECANCELED while the host ends. */
export class CommandError extends Error {
  constructor(
    readonly code: string,
    /** What the system says of a code that is none of these. */
    readonly detail: string | null = null,
  ) {
    super(detail ?? code);
    this.name = 'CommandError';
  }
}
