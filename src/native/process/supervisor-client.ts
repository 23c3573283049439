import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { endProcesses, type EndResult, createProcessSource, findCommandProcesses } from './processes.js';
import {
  CommandError,
  type FoundProcess,
  type FromSupervisor,
  type RunMessage,
  type ToSupervisor,
} from './supervisor-messages.js';

/** How a supervisor is started: a program, its arguments and its environment. */
export interface SupervisorProgram {
  argv: readonly [string, ...string[]];
  env: Readonly<Record<string, string>>;
}

export interface Exit {
  /** null where a signal ended it. Both are null where its supervisor was ended, so that it is not known. */
  exitCode: number | null;
  signal: string | null;
}

export interface SupervisedCommand {
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  /** False once it has ended by itself and can run nothing. */
  usable(): boolean;
  /** Starts the command, and resolves with its pid. Rejects with a CommandError where nothing was started. Once only. */
  run(message: Omit<RunMessage, 'type'>): Promise<number>;
  exited: Promise<Exit>;
  /** Ends all processes and the supervisor. `complete`: all descendants of the command were found. */
  end(): Promise<EndResult & { complete: boolean }>;
  /** The supervisor keeps running without a call; the listener gets the running processes, and an empty list once there are none. */
  keep(listener: (processes: FoundProcess[]) => void): void;
  /** Whether the processes keep running when the host ends. */
  outlive(on: boolean): void;
  /** Closes the channel: the supervisor then ends its processes, unless they are to outlive the host. */
  release(): void;
}

/** The packaged app cannot run as Node, but takes a command; Electron that is not packaged can. */
export function supervisorProgram(): SupervisorProgram {
  const entry = fileURLToPath(new URL('./supervisor-main.js', import.meta.url));
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  if (!/\.asar[\\/]/.test(entry))
    return {
      argv: [process.execPath, entry],
      env: { ...env, ...('electron' in process.versions ? { ELECTRON_RUN_AS_NODE: '1' } : {}) },
    };
  const switches = process.argv.includes('--no-sandbox') ? ['--no-sandbox'] : [];
  return { argv: [process.execPath, ...switches, 'supervise-command'], env };
}

export function startSupervisor(program: SupervisorProgram): SupervisedCommand {
  const child = spawnSupervisor(program);
  const listeners = new Set<(message: FromSupervisor) => void>();
  const gone = disconnectOf(child);
  let lost = false;
  void gone.then(() => (lost = true));
  child.on('message', (message: FromSupervisor) => listeners.forEach((listener) => listener(message)));
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new CommandError('ESUPERVISOR');
  let keeps = false;
  let scope: { executionId: string; graceMs: number; pid: number } | null = null;
  // A command that does not read its input to the end is no failure.
  stdin.on('error', () => undefined);

  const post = (message: ToSupervisor): void => {
    if (child.connected) child.send(message, () => undefined);
  };
  function on<T extends FromSupervisor['type']>(type: T): Promise<Extract<FromSupervisor, { type: T }> | null> {
    return new Promise((resolve) => {
      listeners.add(function listener(message) {
        if (!isOf(message, type)) return;
        listeners.delete(listener);
        resolve(message);
      });
      void gone.then(() => resolve(null));
    });
  }

  const exited = on('exited').then((message): Exit => {
    const { exitCode = null, signal = null } = message ?? {};
    return { exitCode, signal };
  });
  const done = on('ended');

  return {
    stdin,
    stdout,
    stderr,
    usable: () => !lost && child.connected,
    exited,
    async run(message) {
      scope = { ...message, pid: 0 };
      const [started, failed] = [on('started'), on('failed')];
      post({ type: 'run', ...message });
      const first = await Promise.race([started, failed, gone]);
      if (first === null) throw new CommandError('ESUPERVISOR');
      if (first.type === 'failed') throw new CommandError(first.code, first.message);
      scope.pid = first.pid;
      return first.pid;
    },
    async end() {
      post({ type: 'end' });
      const report = await done;
      if (report !== null) {
        const { ended, remaining } = report;
        return { ended, remaining, complete: process.platform === 'linux' };
      }
      return { ...(await endWithoutSupervisor(scope)), complete: false };
    },
    keep(listener) {
      listeners.add((message) => {
        if (message.type === 'kept') listener(message.processes);
      });
      void gone.then(() => listener([]));
      if (!keeps) post({ type: 'keep' });
      keeps = true;
    },
    outlive: (on) => post({ type: 'outlive', on }),
    release() {
      if (child.connected) child.disconnect();
      for (const stream of [stdin, stdout, stderr]) stream.destroy();
    },
  };
}

function spawnSupervisor({ argv, env }: SupervisorProgram): ChildProcess {
  const [program, ...args] = argv;
  return spawn(program, args, {
    cwd: '/',
    env: { ...env },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  });
}

/** A command can end its supervisor. Processes with its mark, or in its group or session, are still found, others are not. */
async function endWithoutSupervisor(
  scope: { executionId: string; graceMs: number; pid: number } | null,
): Promise<EndResult> {
  if (scope === null) return { ended: [], remaining: [] };
  const { executionId, graceMs, pid } = scope;
  const source = createProcessSource();
  const find = () => findCommandProcesses(source, { executionId, root: null, leader: pid === 0 ? null : pid });
  return endProcesses({ find, graceMs });
}

/** On `disconnect` every message has been received, which `exit` does not guarantee. */
function disconnectOf(child: ChildProcess): Promise<null> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(null));
    child.once('disconnect', () => resolve(null));
  });
}

function isOf<T extends FromSupervisor['type']>(
  message: FromSupervisor,
  type: T,
): message is Extract<FromSupervisor, { type: T }> {
  return message.type === type;
}

/** A spare supervisor that is not used, for example because the person denied the command, is ended after this time. */
const SPARE_MS = 5 * 60_000;

/** Starting Node takes longer than most commands, so a supervisor is started while the person reads the request. */
export function createSpareSupervisor(program: SupervisorProgram) {
  let spare: SupervisedCommand | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function remove(): SupervisedCommand | null {
    clearTimeout(timer);
    const found = spare;
    spare = null;
    if (found?.usable() !== false) return found;
    found.release();
    return null;
  }

  return {
    /** Starts one supervisor in advance, unless there is one. */
    prepare(): void {
      if (closed || spare?.usable() === true) return;
      remove()?.release();
      spare = startSupervisor(program);
      timer = setTimeout(() => remove()?.release(), SPARE_MS).unref();
    },
    take: (): SupervisedCommand => remove() ?? startSupervisor(program),
    close(): void {
      closed = true;
      remove()?.release();
    },
  };
}
