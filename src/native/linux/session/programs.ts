/** The programs of a private session: each in a group of its own, and what one says when it has not started. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { message, type Message } from '../../../messages/index.js';
import { DesktopError } from '../../desktop.js';

export const START_TIMEOUT_MS = 20_000;

export function start(program: string, args: string[], env: Record<string, string>): ChildProcess {
  // Its own group: a Ctrl-C meant for the host must not reach the session before the cleanup does.
  const child = spawn(program, args, { env, cwd: '/', detached: true, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  // Unread error output would fill the pipe and stop the program.
  child.stderr?.resume();
  return child;
}

/** The first line a program writes to descriptor 3. */
export function firstLine(program: string, child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let line = '';
    let errorOutput = '';
    const fail = (why: string | Message): void => {
      clearTimeout(timer);
      reject(notStarted(program, why, errorOutput));
    };
    const timer = setTimeout(() => fail(message('display.no_answer')), START_TIMEOUT_MS);
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code, signal) => fail(endedWith(signal ?? code)));
    child.stderr?.on('data', (chunk: Buffer) => (errorOutput = (errorOutput + chunk.toString()).slice(-400)));
    const channel = child.stdio[3] as Readable;
    channel.on('data', (chunk: Buffer) => {
      line += chunk.toString();
      if (!line.includes('\n')) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      resolve(line.trim());
    });
  });
}

export function notStarted(program: string, why: string | Message, errorOutput: string): DesktopError {
  const output = errorOutput.trim();
  const said = output === '' ? 'other' : 'yes';
  return new DesktopError('failed', message('display.part_not_started', { program, why, said, output }));
}

export const endedWith = (how: string | number | null): Message => message('display.part_ended', { how: String(how) });
