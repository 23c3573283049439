import { errno } from '../../base/type-guards.js';
import { readFileSync } from 'node:fs';

/** The environment variable that names, in every process an approved command starts, the execution it belongs to; also set in applications that agents have opened. */
export const COMMAND_MARK = 'CHAPERONE_COMMAND';

/**
 * `none`: no mark in the environment it was started with, which a process can clear. `unreadable`: it may not be read, as for
 * another user's process or on a platform without /proc. `gone`: there is no such process.
 */
export type CommandMark =
  { kind: 'marked'; executionId: string } | { kind: 'none' } | { kind: 'unreadable' } | { kind: 'gone' };

/** Reads the mark of one process. `proc` is the mount to read; tests give a made-up one. */
export function readCommandMark(pid: number, proc = '/proc', platform: string = process.platform): CommandMark {
  if (platform !== 'linux') return { kind: 'unreadable' };
  try {
    return commandMarkIn(readFileSync(`${proc}/${pid}/environ`, 'utf8').split('\0'));
  } catch (thrown) {
    const code = errno(thrown);
    return { kind: code === 'ENOENT' || code === 'ESRCH' ? 'gone' : 'unreadable' };
  }
}

/** The mark in an environment of entries `NAME=value`. */
export function commandMarkIn(environment: readonly string[]): CommandMark {
  const start = `${COMMAND_MARK}=`;
  const entry = environment.find((one) => one.startsWith(start));
  return entry === undefined ? { kind: 'none' } : { kind: 'marked', executionId: entry.slice(start.length) };
}
