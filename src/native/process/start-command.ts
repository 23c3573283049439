/** Starts the program of a command: in a session of its own, so that its terminal signals reach neither supervisor nor host. */
import { spawn } from 'node:child_process';
import { COMMAND_MARK } from '../peer/command-mark.js';
import type { RunMessage } from './supervisor-messages.js';

export interface StartedCommand {
  /** 0 where it is not running. */
  pid: number;
  /** Rejects with the system's error where nothing was started. */
  started: Promise<void>;
  exited: Promise<{ exitCode: number | null; signal: string | null }>;
}

export type Starting = Pick<RunMessage, 'argv' | 'cwd' | 'env'>;

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
