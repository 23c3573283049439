/** Files, mostly of /proc. `null` where one cannot be read: processes end meanwhile, and those of other users are protected. */
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
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

export function readStat(proc: string, pid: number): ProcessStat | null {
  return parseProcessStat(readTextFile(`${proc}/${pid}/stat`) ?? '');
}

/** The effective user. */
export function readUid(proc: string, pid: number): number | null {
  const uid = /^Uid:\s+\d+\s+(\d+)/m.exec(readTextFile(`${proc}/${pid}/status`) ?? '')?.[1];
  return uid === undefined ? null : Number(uid);
}

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
