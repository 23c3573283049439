/**
 * The head of the audit log, in a file of its own: the number of lines and the hash of the last one. Detects truncation. With a key
 * that only the app can read, it carries a code that nobody else can make.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import * as z from 'zod';
import { errno } from '../../base/type-guards.js';
import { DURABLE_WRITES, READ_FLAGS } from './open-folder.js';

const headSchema = z.object({
  v: z.literal(1),
  count: z.number().int().min(0),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** Made with the app's key. */
  code: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});
export type Head = z.infer<typeof headSchema>;

export interface HeadKey {
  key: Uint8Array;
  /** It was made for this start: a head of before has no code. */
  isNew: boolean;
}

/** `unsigned`: the head has no code. `unchecked`: it has one, and the key is not at hand. */
export type HeadState = 'right' | 'wrong' | 'unsigned' | 'unchecked';

export async function headState(stateDir: string, headKey?: HeadKey): Promise<HeadState> {
  const head = await readHead(stateDir);
  if (head === null || head === 'unreadable') return headKey === undefined ? 'unsigned' : 'wrong';
  if (headKey === undefined) return head.code === undefined ? 'unsigned' : 'unchecked';
  return isSigned(head, headKey.key) ? 'right' : 'wrong';
}

const codeOf = (key: Uint8Array, { count, hash }: Pick<Head, 'count' | 'hash'>): Buffer =>
  createHmac('sha256', key).update(`head of the audit log\0${count}\0${hash}`).digest();

const isSigned = (head: Head, key: Uint8Array): boolean =>
  head.code !== undefined && timingSafeEqual(Buffer.from(head.code, 'hex'), codeOf(key, head));

export const logPath = (stateDir: string) => `${stateDir}/audit.jsonl`;
const headPath = (stateDir: string) => `${stateDir}/audit.head.json`;

/** null: no such file. `unreadable`: its content is not a head, or with a key, not one that was written with it. */
export async function readHead(stateDir: string, headKey?: HeadKey): Promise<Head | 'unreadable' | null> {
  const text = await readIfPresent(headPath(stateDir));
  if (text === null) return null;
  try {
    const head = headSchema.parse(JSON.parse(text));
    const isFirst = headKey?.isNew === true && head.code === undefined;
    return headKey === undefined || isFirst || isSigned(head, headKey.key) ? head : 'unreadable';
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
  { headKey, append = () => Promise.resolve() }: { headKey?: HeadKey | undefined; append?: () => Promise<void> } = {},
): Promise<void> {
  const code = headKey === undefined ? {} : { code: codeOf(headKey.key, { count, hash }).toString('hex') };
  const head: Head = { v: 1, count, hash, ...code };
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
