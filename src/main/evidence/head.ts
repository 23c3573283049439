/** The head: how many lines the log has and the hash of the last one, kept apart from it. */
import { constants } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import * as z from 'zod';
import { errno } from './failures.js';

const headSchema = z.object({
  v: z.literal(1),
  count: z.number().int().min(0),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
}); // prettier-ignore
export type Head = z.infer<typeof headSchema>;

export const logPath = (stateDir: string) => `${stateDir}/audit.jsonl`;
const headPath = (stateDir: string) => `${stateDir}/audit.head.json`;

/** null when there is none; `unreadable` when what is there is not a head. */
export async function readHead(stateDir: string): Promise<Head | 'unreadable' | null> {
  const text = await readSmall(headPath(stateDir));
  if (text === null) return null;
  try {
    return headSchema.parse(JSON.parse(text));
  } catch {
    return 'unreadable';
  }
}

async function readSmall(path: string): Promise<string | null> {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
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

export async function writeHead(stateDir: string, count: number, hash: string): Promise<void> {
  const head: Head = { v: 1, count, hash };
  await replace(headPath(stateDir), `${JSON.stringify(head)}\n`);
}

const ANEW = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);

/** Whole or not at all, on disk when it resolves. Each line of the log waits for this, and write-file-atomic takes several times as long. */
async function replace(path: string, text: string): Promise<void> {
  const next = `${path}.next`;
  const file = await open(next, ANEW, 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(next, path);
}
