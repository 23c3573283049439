import { open, type FileHandle } from 'node:fs/promises';
import { decodeLine } from './hash-chain.js';
import { auditEntrySchema, type AuditEntry } from './audit-entries.js';
import { logPath } from './audit-head.js';
import { READ_FLAGS } from './folder-interface.js';
import type { LinePosition } from './scan-log.js';

/** Longer lines were not written by Chaperone, which truncates strings. */
const MAX_LINE_BYTES = 8 << 20;

/** Reads log lines at these positions, in this order; null for a line that has changed. */
export async function readLines(stateDir: string, places: readonly LinePosition[]): Promise<(AuditEntry | null)[]> {
  if (places.length === 0) return [];
  let file: FileHandle;
  try {
    file = await open(logPath(stateDir), READ_FLAGS);
  } catch {
    return places.map(() => null);
  }
  try {
    const entries: (AuditEntry | null)[] = [];
    for (const place of places) entries.push(await readLine(file, place).catch(() => null));
    return entries;
  } finally {
    await file.close();
  }
}

/** Compares with the hash from when the line was written or first read; some places keep its first digits only. */
async function readLine(file: FileHandle, { offset, bytes, hash }: LinePosition): Promise<AuditEntry | null> {
  if (bytes > MAX_LINE_BYTES) return null;
  const buffer = Buffer.alloc(bytes);
  const { bytesRead } = await file.read(buffer, 0, bytes, offset);
  if (bytesRead < bytes) return null;
  const sealed = decodeLine(buffer);
  if (sealed === null || !sealed.intact || !sealed.hash.startsWith(hash)) return null;
  const entry = auditEntrySchema.safeParse(sealed.entry);
  return entry.success ? entry.data : null;
}
