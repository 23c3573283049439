import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Whether a process has a controlling terminal, by the kernel's word. Unknown is no. */
export function hasTerminal(pid: number): boolean {
  try {
    return process.platform === 'linux'
      ? linuxTerminal(pid)
      : !/^\?*$/.test(execFileSync('/bin/ps', ['-o', 'tty=', '-p', String(pid)], { encoding: 'utf8' }).trim());
  } catch {
    return false;
  }
}

/** proc(5): tty_nr is the fifth field after the command name, which may itself hold parentheses. */
function linuxTerminal(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[4]) !== 0;
}
