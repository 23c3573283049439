/** Files, mostly of /proc. `null` where one cannot be read: processes end meanwhile, and those of other users are protected. */
import { openSync, readdirSync, readFileSync, readlinkSync, readSync, realpathSync } from 'node:fs';
import { parseProcessStat, type ProcessStat } from '../../base/process-stat.js';

export const readTextFile = (path: string): string | null => attempt(() => readFileSync(path, 'utf8'));
export const readLink = (path: string): string | null => attempt(() => readlinkSync(path));
export const realPath = (path: string): string | null => attempt(() => realpathSync(path));
export const readNames = (folder: string): string[] => attempt(() => readdirSync(folder)) ?? [];

export function listPids(proc: string): number[] {
  return readNames(proc)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

export const readArgv = (proc: string, pid: number): string[] =>
  (readTextFile(`${proc}/${pid}/cmdline`) ?? '').split('\0').slice(0, -1);

export function readStat(proc: string, pid: number): ProcessStat | null {
  return parseProcessStat(readTextFile(`${proc}/${pid}/stat`) ?? '');
}

export function readUids(proc: string, pid: number): { real: number; effective: number } | null {
  const found = /^Uid:\s+(\d+)\s+(\d+)/m.exec(readTextFile(`${proc}/${pid}/status`) ?? '');
  return found && { real: Number(found[1]), effective: Number(found[2]) };
}

export const readEffectiveUid = (proc: string, pid: number): number | null => readUids(proc, pid)?.effective ?? null;

/** A file whose content belongs to the program that the process runs now: empty once it has ended or runs another one. */
export const openProgramMemory = (proc: string, pid: number): number | null =>
  attempt(() => openSync(`${proc}/${pid}/environ`, 'r'));

export function hasContent(file: number): boolean {
  return attempt(() => readSync(file, new Uint8Array(1), 0, 1, 0)) === 1;
}

export function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
