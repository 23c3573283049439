/**
 * A code made with this folder's own key: a text that was damaged, edited without the key, or written for another folder is not
 * read. The key lies beside it, so it is no proof against who can read this folder.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { errno } from '../../base/type-guards.js';
import { CREATE_FLAGS, READ_FLAGS } from './open-folder.js';
import { WireError } from '../protocol/index.js';
import { formatEnglish, message, textOf, type Message } from '../../messages/index.js';

const KEY_BYTES = 32;
const keyPath = (stateDir: string) => `${stateDir}/audit.key`;

/** Puts the code before a content, and reads a content whose code fits. `name` tells contents apart. */
export class Seal {
  private constructor(private readonly key: Buffer) {}

  /** null where this folder has no key. */
  static async find(stateDir: string): Promise<Seal | null> {
    const key = await readKey(stateDir);
    return key === null ? null : new Seal(key);
  }

  static async make(stateDir: string): Promise<Seal> {
    return new Seal(await makeKey(stateDir));
  }

  write(name: string, content: unknown): string {
    const body = JSON.stringify(content);
    return `${this.codeOf(name, body)}\n${body}`;
  }

  /** null for a text whose code does not fit. */
  read(name: string, text: string): unknown {
    const split = text.indexOf('\n');
    const body = text.slice(split + 1);
    return split >= 0 && isSame(text.slice(0, split), this.codeOf(name, body)) ? parse(body) : null;
  }

  private codeOf(name: string, body: string): string {
    return createHmac('sha256', this.key).update(`${name}\0`).update(body).digest('hex');
  }
}

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

async function readKey(stateDir: string): Promise<Buffer | null> {
  try {
    const file = await open(keyPath(stateDir), READ_FLAGS);
    try {
      const key = await file.readFile();
      return key.length === KEY_BYTES ? key : null;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (errno(error) === 'ENOENT' || errno(error) === 'ELOOP') return null;
    throw error;
  }
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

const CAUSES = new Map([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'quota'],
  ['EFBIG', 'file_size'],
  ['EACCES', 'permission'],
  ['EPERM', 'permission'],
  ['EROFS', 'read_only'],
  ['EMFILE', 'files'],
  ['ENFILE', 'files'],
] as const);

/** DESKTOP_HOST_NOT_READY with `reason: evidence`, the cause, and the next step. */
export function storageError(thrown: unknown, what: Message, path: string): WireError {
  if (thrown instanceof WireError) return thrown;
  const code = errno(thrown);
  const cause = [...CAUSES].find(([known]) => known === code)?.[1];
  const why =
    cause === undefined ? textOf(thrown) : message('error.write_cause', { cause: cause === 'files' ? 'other' : cause });
  const next = message('error.write_next', { cause: cause ?? 'other' });
  return new WireError('DESKTOP_HOST_NOT_READY', message('error.cannot_write', { what, path, why, next }), {
    reason: 'evidence',
    path,
    errno: code,
    next: formatEnglish(next),
  });
}

/** The same error for a call that was refused because of it: adds that nothing was done. */
export function notStartedError(error: unknown): unknown {
  if (!(error instanceof WireError) || error.details['reason'] !== 'evidence') return error;
  return new WireError(error.code, message('error.nothing_done_because', { why: error.text }), error.details);
}

type ForbiddenReason = 'invalid' | 'relative' | 'missing' | 'not_a_folder' | 'outside' | 'link' | 'unreadable';

export function workspaceForbidden(
  reason: ForbiddenReason,
  problem: Message,
  details: Record<string, unknown> = {},
): WireError {
  return new WireError('DESKTOP_WORKSPACE_FORBIDDEN', message('error.workspace', { problem }), { reason, ...details });
}

/** The part of a pino logger that evidence uses. */
export interface Logger {
  warn(details: object, message: string): void;
}
