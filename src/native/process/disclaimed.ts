/**
 * Starts programs on macOS that answer for themselves: the system asks about each by its own name, and what the person has allowed
 * Chaperone (accessibility, the screen) is not theirs. Nothing is started that way unless the system confirms it.
 */
import { constants } from 'node:os';
import { getSystemErrorName } from 'node:util';
import { CommandError, type RunMessage } from './supervisor-messages.js';
import koffi from 'koffi';
import { spawn } from 'node:child_process';
import { COMMAND_MARK } from '../peer/command-mark.js';

// posix_spawn of macOS through koffi. Signatures and flags: spawn.h and sys/spawn.h, where attributes and actions are pointers; the two of responsibility have no header.

const SYSTEM_LIBRARY = '/usr/lib/libSystem.B.dylib';

/** sys/spawn.h. */
const FLAGS = {
  defaultSignals: 0x0004,
  signalMask: 0x0008,
  suspended: 0x0080,
  newSession: 0x0400,
  closeOthers: 0x4000,
} as const;

const WNOHANG = 1;
/** sigset_t has 32 bits there. */
const ALL_SIGNALS = 0xffffffff;

interface Attributes {
  pointer: BigUint64Array;
  setFlags(flags: number): void;
  /** False where the system refuses. */
  disclaim(): boolean;
  free(): void;
}

interface Streams {
  pointer: BigUint64Array;
  free(): void;
}

interface Spawned {
  streams: Streams;
  attributes: Attributes;
  argv: readonly string[];
  env: readonly string[];
}

interface SpawnCalls {
  /** Signals are as a program expects them: none ignored, none blocked. */
  attributes(): Attributes;
  /** Those that the program gets. */
  streams(fds: readonly number[]): Streams;
  spawn(path: string, how: Spawned): { error: number; pid: number };
  /** The process whose permissions count for this one. */
  responsible(pid: number): number;
  /** As waitpid gives it; null while it runs. */
  exitStatus(pid: number): number | null;
}

/** Throws where a function is missing. */
function bindSpawnCalls(library: string): SpawnCalls {
  const system = koffi.load(library);
  const func = (prototype: string) => {
    const bound = system.func(prototype);
    return (...given: unknown[]): number => Number(bound(...given));
  };
  const initAttributes = func('int posix_spawnattr_init(void *attributes)');
  const destroyAttributes = func('int posix_spawnattr_destroy(void *attributes)');
  const setFlags = func('int posix_spawnattr_setflags(void *attributes, short flags)');
  const setDefault = func('int posix_spawnattr_setsigdefault(void *attributes, const uint32_t *signals)');
  const setMask = func('int posix_spawnattr_setsigmask(void *attributes, const uint32_t *signals)');
  const disclaim = func('int responsibility_spawnattrs_setdisclaim(void *attributes, int disclaim)');
  const initActions = func('int posix_spawn_file_actions_init(void *actions)');
  const destroyActions = func('int posix_spawn_file_actions_destroy(void *actions)');
  const inherit = func('int posix_spawn_file_actions_addinherit_np(void *actions, int fd)');
  const spawn = func(
    'int posix_spawn(_Out_ int *pid, const char *path, void *actions, void *attributes, const char **argv, const char **env)',
  );
  const responsible = func('int responsibility_get_pid_responsible_for_pid(int pid)');
  const waitpid = func('int waitpid(int pid, _Out_ int *status, int options)');

  return {
    attributes() {
      const pointer = new BigUint64Array(1);
      assertDone('posix_spawnattr_init', initAttributes(pointer));
      assertDone('posix_spawnattr_setsigdefault', setDefault(pointer, [ALL_SIGNALS]));
      assertDone('posix_spawnattr_setsigmask', setMask(pointer, [0]));
      return {
        pointer,
        setFlags: (flags) => assertDone('posix_spawnattr_setflags', setFlags(pointer, flags)),
        disclaim: () => disclaim(pointer, 1) === 0,
        free: () => void destroyAttributes(pointer),
      };
    },
    streams(fds) {
      const pointer = new BigUint64Array(1);
      assertDone('posix_spawn_file_actions_init', initActions(pointer));
      for (const fd of fds) assertDone('posix_spawn_file_actions_addinherit_np', inherit(pointer, fd));
      return { pointer, free: () => void destroyActions(pointer) };
    },
    spawn(path, { streams, attributes, argv, env }) {
      const pid = [0];
      const error = spawn(pid, path, streams.pointer, attributes.pointer, [...argv, null], [...env, null]);
      return { error, pid: pid[0] ?? 0 };
    },
    responsible,
    exitStatus(pid) {
      const status = [0];
      return waitpid(pid, status, WNOHANG) === pid ? (status[0] ?? 0) : null;
    },
  };
}

function assertDone(call: string, error: number): void {
  if (error !== 0) throw new Error(`${call}: ${error}`);
}

const STANDARD_STREAMS = [0, 1, 2];
const DEFAULT_PATH = '/usr/bin:/bin';
/** Names of the path under which there is no such program; the next folder is tried. */
const NOT_THERE: ReadonlySet<number> = new Set([constants.errno.ENOENT, constants.errno.ENOTDIR]);

/** `library` is that of a stand-in in tests. */
export function createDisclaimedStart(library: string = SYSTEM_LIBRARY): StartCommand {
  return (command) => {
    const calls = boundOrRefused(library);
    const exits = watchExits(calls);
    try {
      return exits.of(start(calls, command));
    } catch (thrown) {
      exits.close();
      throw thrown;
    }
  };
}

function boundOrRefused(library: string): SpawnCalls {
  try {
    return bindSpawnCalls(library);
  } catch (thrown) {
    throw new CommandError('EDISCLAIM', thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function start(calls: SpawnCalls, command: Starting): number {
  const before = process.cwd();
  process.chdir(command.cwd);
  try {
    const pid = spawnSuspended(calls, command);
    assertDisclaimed(calls, pid);
    process.kill(pid, 'SIGCONT');
    return pid;
  } finally {
    process.chdir(before);
  }
}

/** It has not run a single instruction yet. One that is suspended dies of a kill only when it goes on. */
function assertDisclaimed(calls: SpawnCalls, pid: number): void {
  if (calls.responsible(pid) === pid) return;
  process.kill(pid, 'SIGKILL');
  process.kill(pid, 'SIGCONT');
  throw new CommandError('EDISCLAIM', `responsible:${calls.responsible(pid)}`);
}

function spawnSuspended(calls: SpawnCalls, { argv, env }: Starting): number {
  const attributes = calls.attributes();
  const streams = calls.streams(STANDARD_STREAMS);
  try {
    attributes.setFlags(
      FLAGS.suspended | FLAGS.newSession | FLAGS.closeOthers | FLAGS.defaultSignals | FLAGS.signalMask,
    );
    if (!attributes.disclaim()) throw new CommandError('EDISCLAIM', 'responsibility_spawnattrs_setdisclaim');
    const given = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    return firstThatStarts(pathsOf(argv[0], env['PATH']), (path) =>
      calls.spawn(path, { streams, attributes, argv, env: given }),
    );
  } finally {
    streams.free();
    attributes.free();
  }
}

function pathsOf(program: string, path: string = DEFAULT_PATH): string[] {
  if (program.includes('/')) return [program];
  return path.split(':').map((folder) => `${folder === '' ? '.' : folder}/${program}`);
}

/** As a shell looks for it: one that may not be run is told only where no other is found. */
function firstThatStarts(paths: readonly string[], spawn: (path: string) => { error: number; pid: number }): number {
  let told: number = constants.errno.ENOENT;
  for (const path of paths) {
    const { error, pid } = spawn(path);
    if (error === 0) return pid;
    if (error === constants.errno.EACCES) told = error;
    else if (!NOT_THERE.has(error)) throw systemError(error);
  }
  throw systemError(told);
}

const systemError = (number: number): CommandError => new CommandError(getSystemErrorName(-number));

/** Listens before anything is started, so that no exit is missed. */
function watchExits(calls: SpawnCalls): { of(pid: number): StartedCommand; close(): void } {
  let look: () => void = () => undefined;
  const onChild = (): void => look();
  process.on('SIGCHLD', onChild);
  const close = (): void => void process.off('SIGCHLD', onChild);
  return {
    close,
    of(pid) {
      const exited = new Promise<Awaited<StartedCommand['exited']>>((resolve) => {
        look = () => {
          const status = calls.exitStatus(pid);
          if (status === null) return;
          close();
          resolve(exitOf(status));
        };
      });
      look();
      return { pid, started: Promise.resolve(), exited };
    },
  };
}

/** sys/wait.h: the low seven bits are the signal, the next eight the code. */
function exitOf(status: number): Awaited<StartedCommand['exited']> {
  const number = status & 0x7f;
  if (number === 0) return { exitCode: (status >> 8) & 0xff, signal: null };
  const [name = `SIG${number}`] = Object.entries(constants.signals).find(([, value]) => value === number) ?? [];
  return { exitCode: null, signal: name };
}

/** Starts the program of a command: in a session of its own, so that its terminal signals reach neither supervisor nor host. */
export interface StartedCommand {
  /** 0 where it is not running. */
  pid: number;
  /** Rejects with the system's error where nothing was started. */
  started: Promise<void>;
  exited: Promise<{ exitCode: number | null; signal: string | null }>;
}

type Starting = Pick<RunMessage, 'argv' | 'cwd' | 'env'>;

/** Throws the system's error, or rejects with it, where nothing was started. */
export type StartCommand = (command: Starting) => StartedCommand;

export function withMark({ argv, cwd, env, executionId }: RunMessage): Starting {
  return { argv, cwd, env: { ...env, [COMMAND_MARK]: executionId } };
}

export function startChild({ argv: [program, ...args], cwd, env }: Starting): StartedCommand {
  const child = spawn(program, args, { cwd, env, detached: true, stdio: 'inherit' });
  return {
    pid: child.pid ?? 0,
    started: new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    }),
    exited: new Promise((resolve) => {
      child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    }),
  };
}
