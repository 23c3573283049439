/**
 * Commands. Comes in: an argument vector, folder, environment and input. Goes out: how it ended and what it wrote, whatever its
 * exit code; a {@link ShellError} where it could not be started. Built by the host, called by the scripting tools.
 */
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { COMMAND_MARK } from '../peer/command-mark.js';
import { endAll } from './ending.js';
import { collect } from './output.js';
import type { Output } from './output.js';

export type { Output } from './output.js';

export interface Command {
  /** Stands in the environment of everything it starts, by which that is found again; one command only may have it. */
  executionId: string;
  /** Program and arguments; no shell reads them. */
  argv: readonly [string, ...string[]];
  /** An existing folder. */
  cwd: string;
  /** The whole environment. */
  env: Readonly<Record<string, string>>;
  /** null: its input is empty and closed. */
  stdin: string | null;
  timeoutMs: number;
  /** Bytes kept of each stream. */
  cap: number;
}

export interface Ran {
  /** null where a signal ended it. */
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  stdout: Output;
  stderr: Output;
  durationMs: number;
  /** It ended, but something that it started still holds its output open, and goes on. */
  heldOpen: boolean;
}

export interface Shell {
  /** Resolves when it has ended or was ended at its time limit. Rejects with the signal's reason once nothing of it runs any more. */
  run(command: Command, signal: AbortSignal): Promise<Ran>;
  /** Ends what still runs. */
  close(): Promise<void>;
}

/** `code` as the system gives it: ENOENT, EACCES, E2BIG. */
export class ShellError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'ShellError';
  }
}

/** For streams that stay open after the exit: the end of a pipe takes a moment, a server that was left behind keeps it for good. */
const QUIET_MS = 300;
const LONGEST_TAIL_MS = 3000;

/** `graceMs`: how long a command that is told to end may take before it is killed. */
export function createShell({ graceMs = 2000 }: { graceMs?: number } = {}): Shell {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    run(command, signal) {
      const work = start(command, graceMs, AbortSignal.any([signal, closing.signal]));
      running.add(work);
      work.catch(() => {}).finally(() => running.delete(work));
      return work;
    },
    async close() {
      closing.abort(new ShellError('ECANCELED', 'Commands are not run any more: Chaperone is ending.'));
      await Promise.allSettled(running);
    },
  };
}

async function start(command: Command, graceMs: number, signal: AbortSignal): Promise<Ran> {
  signal.throwIfAborted();
  const began = performance.now();
  const child = await launch(command);
  let heardAt = began;
  const heard = (): void => void (heardAt = performance.now());
  const [stdout, stderr] = [collect(child.stdout, command.cap, heard), collect(child.stderr, command.cap, heard)];
  give(child, command.stdin);

  const ended = exitOf(child);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const cut = await limit(ended, command.timeoutMs, signal);
  if (cut !== null) await endAll(child.pid ?? 0, command.executionId, graceMs);
  const { exitCode, signal: by } = await ended;
  const heldOpen = !(await drained(closed, () => heardAt));
  child.stdout.destroy();
  child.stderr.destroy();
  if (cut === 'aborted') throw signal.reason;
  return {
    exitCode,
    signal: by,
    timedOut: cut === 'timeout',
    stdout: stdout(),
    stderr: stderr(),
    durationMs: Math.round(performance.now() - began),
    heldOpen: heldOpen && cut === null,
  };
}

/** In a process group of its own, so that it can be ended with all it has started. */
function launch({ argv, cwd, env, executionId }: Command): Promise<ChildProcessWithoutNullStreams> {
  const [program, ...args] = argv;
  return new Promise((resolve, reject) => {
    const fail = (thrown: unknown): void => {
      const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'EUNKNOWN';
      reject(new ShellError(code, thrown instanceof Error ? thrown.message : String(thrown)));
    };
    try {
      const child = spawn(program, args, {
        cwd,
        env: { ...env, [COMMAND_MARK]: executionId },
        detached: true,
        stdio: 'pipe',
      });
      child.on('error', fail);
      child.once('spawn', () => resolve(child));
    } catch (thrown) {
      fail(thrown);
    }
  });
}

function give(child: ChildProcessWithoutNullStreams, input: string | null): void {
  // A command that does not read its input to the end is no failure.
  child.stdin.on('error', () => {});
  child.stdin.end(input ?? '');
}

function exitOf(child: ChildProcessWithoutNullStreams): Promise<{ exitCode: number | null; signal: string | null }> {
  return new Promise((resolve) => child.once('exit', (exitCode, signal) => resolve({ exitCode, signal })));
}

/** Why it has to be ended; null when it ended by itself. */
function limit(ended: Promise<unknown>, timeoutMs: number, signal: AbortSignal): Promise<'timeout' | 'aborted' | null> {
  return new Promise((resolve) => {
    const finish = (how: 'timeout' | 'aborted' | null): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      resolve(how);
    };
    const abort = (): void => finish('aborted');
    const timer = setTimeout(() => finish('timeout'), timeoutMs);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    ended.then(
      () => finish(null),
      () => finish(null),
    );
  });
}

/** False when the streams stay open although nothing more comes. */
async function drained(closed: Promise<void>, heardAt: () => number): Promise<boolean> {
  const began = performance.now();
  const done = closed.then(() => true);
  for (;;) {
    const now = performance.now();
    const left = Math.max(began, heardAt()) + QUIET_MS - now;
    if (left <= 0 || now - began > LONGEST_TAIL_MS) return false;
    const wait = new Promise<null>((resolve) => setTimeout(() => resolve(null), Math.max(1, left)));
    if ((await Promise.race([done, wait])) === true) return true;
  }
}
