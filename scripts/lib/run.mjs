import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The repository's folder: the working folder of every script, wherever it was called. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Runs a program to its end. Resolves {code, output}; `output` is filled only when `capture` is set, else the program writes
 * straight to this terminal. A program that cannot be started has code 127. With `low`, it and what it starts only get processor
 * time that nothing else wants.
 */
export function run(command, args, { capture = false, low = false, env = process.env, cwd = root } = {}) {
  return new Promise((resolve) => {
    const stdio = ['ignore', capture ? 'pipe' : 'inherit', capture ? 'pipe' : 'inherit'];
    const child = spawn(command, args, { cwd, env, stdio });
    if (low && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ code: 127, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** A program of node_modules/.bin, run by this Node. */
export function runBin(path, args, options) {
  return run(
    process.execPath,
    [fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url)), ...args],
    options,
  );
}

/** An error whose message says what to do; printed without a stack. */
export class Stop extends Error {}

/** Runs a script's main function. Its number is the exit code; of a Stop only the message is printed. */
export async function main(work) {
  try {
    process.exitCode = (await work(process.argv.slice(2))) ?? 0;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
