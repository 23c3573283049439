import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { unseal } from './chain.js';
import { entrySchema, type Entry } from './entries.js';
import { logPath } from './head.js';
import type { LinePlace } from './scan.js';

/** No line of ours is longer: its strings are cut. */
const LONGEST_LINE = 8 << 20;

/** Lines of the log by their places, in the order asked for; null for one that no longer reads as it did. */
export async function readLines(stateDir: string, places: readonly LinePlace[]): Promise<(Entry | null)[]> {
  if (places.length === 0) return [];
  let file: FileHandle;
  try {
    file = await open(logPath(stateDir), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch {
    return places.map(() => null);
  }
  try {
    const entries: (Entry | null)[] = [];
    for (const place of places) entries.push(await readLine(file, place).catch(() => null));
    return entries;
  } finally {
    await file.close();
  }
}

/** What counts is the hash the line had when it was written or when this host read the whole log. */
async function readLine(file: FileHandle, { offset, bytes, hash }: LinePlace): Promise<Entry | null> {
  if (bytes > LONGEST_LINE) return null;
  const buffer = Buffer.alloc(bytes);
  const { bytesRead } = await file.read(buffer, 0, bytes, offset);
  if (bytesRead < bytes) return null;
  const sealed = unseal(buffer);
  if (sealed === null || !sealed.intact || sealed.hash !== hash) return null;
  const entry = entrySchema.safeParse(sealed.entry);
  return entry.success ? entry.data : null;
}
