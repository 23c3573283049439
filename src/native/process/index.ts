/**
 * Commands. Comes in: an argument vector, folder, environment and input. Goes out: how it ended, what it wrote and what it left behind,
 * whatever its exit code; a {@link CommandError} where it could not be started. Built by the host, called by the scripting tools.
 */
import { CommandError } from './error.js';
import { createBackgroundCommands } from './kept.js';
import type { BackgroundCommands, BackgroundLabel } from './kept.js';
import type { FoundProcess } from './messages.js';
import { collect } from './output.js';
import type { StreamOutput } from './output.js';
import { createSpareSupervisor } from './spare.js';
import { supervisorProgram } from './supervised.js';
import type { SupervisedCommand, SupervisorProgram } from './supervised.js';

export { CommandError } from './error.js';
export type { BackgroundLabel } from './kept.js';
export type { FoundProcess } from './messages.js';
export type { SupervisorProgram } from './supervised.js';

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
  maxStreamBytes: number;
  /** What it leaves behind goes on, under this name; null: it is ended. */
  keep: BackgroundLabel | null;
}

export interface FinishedCommand extends Exit {
  timedOut: boolean;
  stdout: StreamOutput;
  stderr: StreamOutput;
  durationMs: number;
  leftBehind: LeftBehind;
}

interface Exit {
  /** null where a signal ended it, or where its supervisor was ended and nobody can tell. */
  exitCode: number | null;
  signal: string | null;
}

/** What still ran when the command itself had ended. */
interface LeftBehind {
  ended: FoundProcess[];
  kept: FoundProcess[];
  /** Could not be ended. */
  remaining: FoundProcess[];
  /** False where processes may have escaped the search: no subreaper on this platform, or the supervisor was ended. */
  complete: boolean;
}

export interface CommandRunner {
  /** Resolves when it has ended or was ended at its time limit. Rejects with the signal's reason once nothing of it runs any more. */
  run(command: Command, signal: AbortSignal): Promise<FinishedCommand>;
  /** Makes the next command start faster: called as soon as one is likely. */
  prepare(): void;
  background: Pick<BackgroundCommands, 'list' | 'end' | 'outlive' | 'onChange'>;
  /** Ends what still runs, and what was kept unless that is to outlive the host. */
  close(): Promise<void>;
}

/** For streams that stay open after the exit: the end of a pipe takes a moment, a server that was left behind keeps it for good. */
const STREAM_IDLE_MS = 300;
const MAX_DRAIN_MS = 3000;

export interface CommandRunnerOptions {
  /** How long a command that is told to end may take before it is killed. */
  graceMs?: number;
  supervisor?: SupervisorProgram;
}

export function createCommandRunner({
  graceMs = 2000,
  supervisor = supervisorProgram(),
}: CommandRunnerOptions = {}): CommandRunner {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const spare = createSpareSupervisor(supervisor);
  const kept = createBackgroundCommands();

  async function start(command: Command, signal: AbortSignal): Promise<FinishedCommand> {
    signal.throwIfAborted();
    const supervised = spare.take();
    let keeping = false;
    try {
      const ran = await runSupervised(supervised, command, graceMs, signal);
      keeping = ran.leftBehind.kept.length > 0;
      if (keeping && command.keep !== null) kept.add(supervised, command, command.keep, ran.leftBehind.kept);
      return ran;
    } finally {
      if (!keeping) supervised.release();
    }
  }

  return {
    run(command, signal) {
      const work = start(command, AbortSignal.any([signal, closing.signal]));
      running.add(work);
      work.catch(() => {}).finally(() => running.delete(work));
      return work;
    },
    prepare: () => spare.prepare(),
    background: kept,
    async close() {
      closing.abort(new CommandError('ECANCELED', 'Commands are not run any more: Chaperone is ending.'));
      spare.close();
      await Promise.allSettled([...running, kept.close()]);
    },
  };
}

async function runSupervised(
  supervised: SupervisedCommand,
  command: Command,
  graceMs: number,
  signal: AbortSignal,
): Promise<FinishedCommand> {
  const began = performance.now();
  const { executionId, argv, cwd, env } = command;
  let heardAt = began;
  const heard = (): void => void (heardAt = performance.now());
  const streams = [supervised.stdout, supervised.stderr] as const;
  const [stdout, stderr] = [
    collect(streams[0], command.maxStreamBytes, heard),
    collect(streams[1], command.maxStreamBytes, heard),
  ];
  const closed = Promise.all(streams.map((stream) => new Promise((resolve) => stream.once('close', resolve))));
  await supervised.run({ executionId, argv: [...argv], cwd, env: { ...env }, graceMs });
  supervised.stdin.end(command.stdin ?? '');

  const cut = await waitForEnd(supervised.exited, command.timeoutMs, signal);
  // Whatever writes its last lines after the command's own exit may do so; what writes elsewhere gets no time.
  if (cut === null) await drained(closed, () => heardAt);
  const late = cut ?? (signal.aborted ? 'aborted' : null);
  const leftBehind = await endOrKeep(supervised, late === null && command.keep !== null);
  if (cut !== null) await drained(closed, () => heardAt);
  if (late === 'aborted') throw signal.reason;
  return {
    ...(await exitOf(supervised, leftBehind)),
    timedOut: late === 'timeout',
    stdout: stdout(),
    stderr: stderr(),
    durationMs: Math.round(performance.now() - began),
    leftBehind,
  };
}

/** A command that nothing could end has not exited. */
function exitOf({ exited }: SupervisedCommand, { remaining }: LeftBehind): Promise<Exit> {
  const unknown = Promise.resolve({ exitCode: null, signal: null });
  return remaining.length > 0 ? Promise.race([exited, unknown]) : exited;
}

async function endOrKeep(supervised: SupervisedCommand, keep: boolean): Promise<LeftBehind> {
  const kept = keep ? await firstKept(supervised) : [];
  if (kept.length > 0) return { ended: [], kept, remaining: [], complete: process.platform === 'linux' };
  return { kept, ...(await supervised.end()) };
}

function firstKept(supervised: SupervisedCommand): Promise<FoundProcess[]> {
  return new Promise((resolve) => supervised.keep(resolve));
}

/** Why it has to be ended; null when it ended by itself. */
function waitForEnd(
  ended: Promise<unknown>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<'timeout' | 'aborted' | null> {
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
async function drained(closed: Promise<unknown>, heardAt: () => number): Promise<boolean> {
  const began = performance.now();
  const done = closed.then(() => true);
  for (;;) {
    const now = performance.now();
    const left = Math.max(began, heardAt()) + STREAM_IDLE_MS - now;
    if (left <= 0 || now - began > MAX_DRAIN_MS) return false;
    const wait = new Promise<null>((resolve) => setTimeout(() => resolve(null), Math.max(1, left)));
    if ((await Promise.race([done, wait])) === true) return true;
  }
}
