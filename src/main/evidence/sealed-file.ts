/**
 * Small files of the state folder that carry a code made with this folder's own key: one that was damaged, edited without the
 * key, or written for another folder is not read. The key lies beside them, so it is no proof against who can read this folder.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import { errno } from '../../base/errno.js';
import { CREATE_FLAGS, READ_FLAGS } from './folder-interface.js';

export interface SealedFiles {
  /** null for one that is not there, or whose code does not fit. */
  read(name: string): Promise<unknown>;
  write(name: string, content: unknown): Promise<void>;
  remove(name: string): Promise<void>;
}

const KEY_BYTES = 32;
const keyPath = (stateDir: string) => `${stateDir}/audit.key`;

export function createSealedFiles(stateDir: string): SealedFiles {
  let key: Promise<Buffer> | null = null;

  function keyOnDisk(): Promise<Buffer> {
    key ??= makeKey(stateDir).catch((error: unknown) => {
      key = null;
      throw error;
    });
    return key;
  }

  return {
    async read(name) {
      const [held, text] = [await readKey(stateDir), await readText(`${stateDir}/${name}`)];
      const split = text?.indexOf('\n') ?? -1;
      if (held === null || text === null || split < 0) return null;
      const body = text.slice(split + 1);
      return isSame(text.slice(0, split), codeOf(held, name, body)) ? parse(body) : null;
    },
    async write(name, content) {
      const body = JSON.stringify(content);
      const text = `${codeOf(await keyOnDisk(), name, body)}\n${body}`;
      await writeFileAtomic(`${stateDir}/${name}`, text, { mode: 0o600 });
    },
    remove: (name) => rm(`${stateDir}/${name}`, { force: true }),
  };
}

const codeOf = (key: Buffer, name: string, body: string): string =>
  createHmac('sha256', key).update(`${name}\0`).update(body).digest('hex');

function isSame(given: string, due: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(due)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

async function readText(path: string): Promise<string | null> {
  const bytes = await readBytes(path);
  return bytes === null ? null : bytes.toString('utf8');
}

async function readKey(stateDir: string): Promise<Buffer | null> {
  const key = await readBytes(keyPath(stateDir));
  return key?.length === KEY_BYTES ? key : null;
}

/** One of a wrong length is replaced: what was sealed with it is not read any more. */
async function makeKey(stateDir: string): Promise<Buffer> {
  const known = await readKey(stateDir);
  if (known !== null) return known;
  const key = randomBytes(KEY_BYTES);
  await rm(keyPath(stateDir), { force: true });
  const file = await open(keyPath(stateDir), CREATE_FLAGS, 0o600);
  try {
    await file.writeFile(key);
    await file.sync();
  } finally {
    await file.close();
  }
  return key;
}

async function readBytes(path: string): Promise<Buffer | null> {
  try {
    const file = await open(path, READ_FLAGS);
    try {
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (errno(error) === 'ENOENT' || errno(error) === 'ELOOP') return null;
    throw error;
  }
}
