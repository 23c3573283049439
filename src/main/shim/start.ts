/** Starts a host in the background and reports when it has ended. Several processes may do so at the same time: only one host keeps running. */
import { spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownProgram } from './own-program.js';

interface StartOptions {
  /** Absolute path of the command line's entry script. */
  entry: string;
  /** From {@link hostEnvironment}. */
  env: Record<string, string>;
  /** State folder. `start.log` in it gets what the host prints before it opens its own log. */
  state: string;
}

export interface StartedHostExit {
  /** null: the process could not be started, or a signal ended it. */
  code: number | null;
  /** The end of its output. */
  output: string;
}

export interface StartedHost {
  /** Resolves when the process has ended. A host that finds another one running also ends. */
  ended: Promise<StartedHostExit>;
}

const MAX_OUTPUT_CHARACTERS = 2_000;

/** Starts this same program, in exactly the given environment. */
export function startHost({ entry, env, state }: StartOptions): StartedHost {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const file = join(state, 'start.log');
  const log = openSync(file, 'a', 0o600);
  const from = fstatSync(log).size;
  const child = spawn(ownProgram(), [entry, 'host', '--background'], {
    cwd: '/',
    env,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  const ended = new Promise<StartedHostExit>((resolve) => {
    child.on('error', (error) => resolve({ code: null, output: error.message }));
    child.on('exit', (code) => resolve({ code, output: outputSince(file, from) }));
  });
  return { ended };
}

function outputSince(file: string, from: number): string {
  try {
    return readFileSync(file).subarray(from).toString('utf8').trim().slice(-MAX_OUTPUT_CHARACTERS);
  } catch {
    return '';
  }
}
