/** The head of the audit log, in a file of its own: the number of lines and the hash of the last one. Detects truncation. */
import { constants } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import * as z from 'zod';
import { errno } from '../../base/errno.js';
import { DURABLE_WRITES, READ_FLAGS } from './folder-interface.js';

const headSchema = z.object({
  v: z.literal(1),
  count: z.number().int().min(0),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type Head = z.infer<typeof headSchema>;

export const logPath = (stateDir: string) => `${stateDir}/audit.jsonl`;
const headPath = (stateDir: string) => `${stateDir}/audit.head.json`;

/** null: no such file. `unreadable`: its content is not a head. */
export async function readHead(stateDir: string): Promise<Head | 'unreadable' | null> {
  const text = await readIfPresent(headPath(stateDir));
  if (text === null) return null;
  try {
    return headSchema.parse(JSON.parse(text));
  } catch {
    return 'unreadable';
  }
}

async function readIfPresent(path: string): Promise<string | null> {
  try {
    const file = await open(path, READ_FLAGS);
    try {
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    if (errno(error) === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Writes the new head beside the old one while `append` writes the lines it counts, and puts it in its place when both are on
 * disk. Not write-file-atomic: every log line waits for this, and that takes several times as long.
 */
export async function replaceHead(
  stateDir: string,
  { count, hash }: Pick<Head, 'count' | 'hash'>,
  append: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const head: Head = { v: 1, count, hash };
  const path = headPath(stateDir);
  const next = `${path}.next`;
  const ended = await Promise.allSettled([append(), writeSynced(next, `${JSON.stringify(head)}\n`)]);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  await rename(next, path);
}

const REPLACE_FLAGS =
  constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0) | DURABLE_WRITES;

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, REPLACE_FLAGS, 0o600);
  try {
    await file.writeFile(text);
    if (DURABLE_WRITES === 0) await file.sync();
  } finally {
    await file.close();
  }
}
