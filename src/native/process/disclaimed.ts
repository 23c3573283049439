/**
 * Starts programs on macOS that answer for themselves: the system asks about each by its own name, and what the person has allowed
 * Chaperone (accessibility, the screen) is not theirs. Nothing is started that way unless the system confirms it.
 */
import { constants } from 'node:os';
import { getSystemErrorName } from 'node:util';
import { CommandError } from './error.js';
import { bindSpawnCalls, FLAGS, SYSTEM_LIBRARY, type SpawnCalls } from './spawn-calls.js';
import type { StartCommand, StartedCommand, Starting } from './start-command.js';

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
