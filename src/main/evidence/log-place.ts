/** A place of the log up to which it was read: whether that log is still the same one, so that reading can go on there. */
import { open } from 'node:fs/promises';
import * as z from 'zod';
import { logPath, type Head } from './audit-head.js';
import { READ_FLAGS } from './folder-interface.js';
import { decodeLine } from './hash-chain.js';
import { chainPointSchema } from './scan-log.js';

export const logPlaceSchema = z.object({
  /** Of the log: another file of that name has another. */
  ino: z.number(),
  point: chainPointSchema,
  /** Length of the last line before it, without its newline. */
  lastBytes: z.number().int().min(1),
});
type LogPlace = z.infer<typeof logPlaceSchema>;

export interface LogFile {
  ino: number;
  size: number;
}

const NEWLINE = 0x0a;

/** Whether it is a place of this log, whose last line before it is as it was. */
export async function fitsLog(stateDir: string, log: LogFile, head: Head, place: LogPlace): Promise<boolean> {
  const { point, ino } = place;
  if (ino !== log.ino || point.bytes > log.size || head.count < point.lines) return false;
  return endsWithItsLine(logPath(stateDir), place);
}

async function endsWithItsLine(path: string, { point, lastBytes }: LogPlace): Promise<boolean> {
  const start = point.bytes - lastBytes - 1;
  const before = start > 0 ? 1 : 0;
  if (start < 0) return false;
  const file = await open(path, READ_FLAGS);
  try {
    const bytes = Buffer.alloc(before + lastBytes + 1);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start - before);
    if (bytesRead < bytes.length || bytes.at(-1) !== NEWLINE) return false;
    if (before === 1 && bytes[0] !== NEWLINE) return false;
    const line = decodeLine(bytes.subarray(before, -1));
    return line !== null && line.intact && line.hash === point.hash && line.seq === point.seq;
  } finally {
    await file.close();
  }
}
