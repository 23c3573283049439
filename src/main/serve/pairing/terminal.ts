import { execFileSync } from 'node:child_process';
import { readStat } from '../../../native/peer/proc-files.js';

/** Whether a process has a controlling terminal, as the kernel reports it. Unknown is no. */
export function hasTerminal(pid: number): boolean {
  try {
    return process.platform === 'linux'
      ? (readStat('/proc', pid)?.terminal ?? 0) !== 0
      : !/^\?*$/.test(execFileSync('/bin/ps', ['-o', 'tty=', '-p', String(pid)], { encoding: 'utf8' }).trim());
  } catch {
    return false;
  }
}
