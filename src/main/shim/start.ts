/** Starts a host in the background and reports when it has ended. Several processes may do so at once: only one host keeps running. */
import { spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownProgram } from './program.js';

export interface StartOptions {
  /** Absolute path of the command line's entry script. */
  entry: string;
  /** From {@link hostEnvironment}. */
  env: Record<string, string>;
  /** Where what the new process prints before it logs is kept. */
  state: string;
}

export interface StartingHost {
  /** Resolves when the process has ended, with the end of its output. A host that finds another one running ends as well. */
  ended: Promise<{ code: number | null; words: string }>;
}

const MAX_OUTPUT_CHARACTERS = 2_000;

/** The same program as ours and nothing from NODE_OPTIONS, in the fixed environment. */
export function startHost({ entry, env, state }: StartOptions): StartingHost {
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
  const ended = new Promise<{ code: number | null; words: string }>((resolve) => {
    child.on('error', (error) => resolve({ code: null, words: error.message }));
    child.on('exit', (code) => resolve({ code, words: outputSince(file, from) }));
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
