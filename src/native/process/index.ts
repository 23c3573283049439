/**
 * Commands. Comes in: an argument vector, folder, environment and input. Goes out: how it ended, what it wrote and what it left behind,
 * whatever its exit code; a {@link CommandError} where it could not be started. Built by the host, called by the scripting tools.
 */
import { withFirstOf } from '../../base/poll.js';
import { CommandError, type FoundProcess } from './supervisor-messages.js';
import { createBackgroundCommands, type BackgroundLabel } from './background-commands.js';
import {
  createSpareSupervisor,
  supervisorProgram,
  type Exit,
  type SupervisedCommand,
  type SupervisorProgram,
} from './supervisor-client.js';
import type { Readable } from 'node:stream';

export { createSandbox, type Sandbox } from './sandbox.js';
export { CommandError } from './supervisor-messages.js';
export type { BackgroundLabel } from './background-commands.js';
export type { FoundProcess } from './supervisor-messages.js';
export { startSupervisor, supervisorProgram, type SupervisorProgram } from './supervisor-client.js';

export interface CommandRequest {
  /** Set in the environment of all its processes, which are found by it. Unique to this command. */
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
  /** Processes it leaves behind keep running under this label; null: they are ended. */
  keep: BackgroundLabel | null;
}

export interface FinishedCommand extends Exit {
  timedOut: boolean;
  stdout: StreamOutput;
  stderr: StreamOutput;
  durationMs: number;
  leftBehind: LeftBehind;
}

/** Processes that still ran when the command itself had ended. */
interface LeftBehind {
  ended: FoundProcess[];
  kept: FoundProcess[];
  /** Could not be ended. */
  remaining: FoundProcess[];
  /** False where processes may have escaped the search: no subreaper on this platform, or the supervisor was ended. */
  complete: boolean;
}

export type CommandRunner = ReturnType<typeof createCommandRunner>;

/** Limits for streams that stay open after the exit: the end of a pipe may take a moment, a server that was left behind keeps it open. */
const STREAM_IDLE_MS = 300;
const MAX_DRAIN_MS = 3000;

interface CommandRunnerOptions {
  /** How long a command that is told to end may take before it is killed. */
  graceMs?: number;
  supervisor?: SupervisorProgram;
  /** The command's own process runs. */
  onStarted?(pid: number, executionId: string): void;
}

export function createCommandRunner({
  graceMs = 2000,
  supervisor = supervisorProgram(),
  onStarted = () => undefined,
}: CommandRunnerOptions = {}) {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const spare = createSpareSupervisor(supervisor);
  const kept = createBackgroundCommands();

  async function start(command: CommandRequest, signal: AbortSignal): Promise<FinishedCommand> {
    signal.throwIfAborted();
    const supervised = spare.take();
    let keeping = false;
    try {
      const started = (pid: number): void => onStarted(pid, command.executionId);
      const ran = await runSupervised(supervised, command, { graceMs, started }, signal);
      keeping = ran.leftBehind.kept.length > 0;
      if (keeping && command.keep !== null) kept.add(supervised, command, command.keep, ran.leftBehind.kept);
      return ran;
    } finally {
      if (!keeping) supervised.release();
    }
  }

  return {
    /** Resolves when it has ended or was ended at its time limit. Rejects with the signal's reason once nothing of it runs any more. */
    run(command: CommandRequest, signal: AbortSignal): Promise<FinishedCommand> {
      const work = withFirstOf([signal, closing.signal], new AbortController(), (either) => start(command, either));
      running.add(work);
      work.catch(() => {}).finally(() => running.delete(work));
      return work;
    },
    /** Makes the next command start faster: called as soon as one is likely. */
    prepare: (): void => spare.prepare(),
    background: kept,
    /** Ends what still runs, and what was kept unless that is to outlive the host. */
    async close(): Promise<void> {
      closing.abort(new CommandError('ECANCELED'));
      spare.close();
      await Promise.allSettled([...running, kept.close()]);
    },
  };
}

async function runSupervised(
  supervised: SupervisedCommand,
  command: CommandRequest,
  { graceMs, started }: { graceMs: number; started(pid: number): void },
  signal: AbortSignal,
): Promise<FinishedCommand> {
  const began = performance.now();
  const { executionId, argv, cwd, env } = command;
  let lastOutputAt = began;
  const noteOutput = (): void => void (lastOutputAt = performance.now());
  const streams = [supervised.stdout, supervised.stderr] as const;
  const [stdout, stderr] = [
    collect(streams[0], command.maxStreamBytes, noteOutput),
    collect(streams[1], command.maxStreamBytes, noteOutput),
  ];
  const closed = Promise.all(streams.map((stream) => new Promise((resolve) => stream.once('close', resolve))));
  started(await supervised.run({ executionId, argv: [...argv], cwd, env: { ...env }, graceMs }));
  supervised.stdin.end(command.stdin ?? '');

  const endedBy = await waitForEnd(supervised.exited, command.timeoutMs, signal);
  // Processes that still write to the streams after the command's exit get time for it, others do not.
  if (endedBy === null) await waitUntilDrained(closed, () => lastOutputAt);
  const endReason = endedBy ?? (signal.aborted ? 'aborted' : null);
  const leftBehind = await endOrKeep(supervised, endReason === null && command.keep !== null);
  if (endedBy !== null) await waitUntilDrained(closed, () => lastOutputAt);
  if (endReason === 'aborted') throw signal.reason;
  return {
    ...(await exitOf(supervised, leftBehind)),
    timedOut: endReason === 'timeout',
    stdout: stdout(),
    stderr: stderr(),
    durationMs: Math.round(performance.now() - began),
    leftBehind,
  };
}

/** A command that could not be ended has no exit status. */
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

/** Also returns when the streams stay open although nothing more comes. */
async function waitUntilDrained(closed: Promise<unknown>, lastOutputAt: () => number): Promise<void> {
  const began = performance.now();
  const done = closed.then(() => true);
  for (;;) {
    const now = performance.now();
    const left = Math.max(began, lastOutputAt()) + STREAM_IDLE_MS - now;
    if (left <= 0 || now - began > MAX_DRAIN_MS) return;
    const wait = new Promise<null>((resolve) => setTimeout(() => resolve(null), Math.max(1, left)));
    if ((await Promise.race([done, wait])) === true) return;
  }
}

/** The output of one stream: its size, and its first and last part where it was too long to keep. */
interface StreamOutput {
  bytes: number;
  head: Buffer;
  /** Empty while everything fits into `head`. */
  tail: Buffer;
}

/** Reads a stream to its end and keeps at most `cap` bytes, half from the start and half from the end. */
function collect(stream: Readable, cap: number, onData: () => void): () => StreamOutput {
  const half = Math.floor(cap / 2);
  const head: Buffer[] = [];
  const tail: Buffer[] = [];
  let bytes = 0;
  let kept = 0;
  let last = 0;

  const keepLast = (chunk: Buffer): void => {
    tail.push(chunk);
    last += chunk.length;
    for (let first = tail[0]; first !== undefined && last - first.length >= half; first = tail[0]) {
      last -= first.length;
      tail.shift();
    }
  };

  stream.on('data', (chunk: Buffer) => {
    onData();
    bytes += chunk.length;
    const room = Math.min(chunk.length, half - kept);
    if (room > 0) {
      head.push(chunk.subarray(0, room));
      kept += room;
    }
    if (room < chunk.length) keepLast(chunk.subarray(Math.max(0, room)));
  });
  // A stream that breaks off ends the same way as one that ends.
  stream.on('error', () => {});

  return () => {
    const end = Buffer.concat(tail);
    return { bytes, head: Buffer.concat(head), tail: end.subarray(Math.max(0, end.length - half)) };
  };
}
