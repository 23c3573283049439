/**
 * The key that vouches for the head of the audit log. It lies in the state folder, encrypted by what the system's keychain keeps for
 * this app alone. Only on macOS: elsewhere `safeStorage` may keep nothing from programs of the same user.
 */
import { randomBytes } from 'node:crypto';
import { constants, closeSync, fsyncSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import type { SafeStorage } from 'electron';
import type { Logger } from 'pino';
import { errno } from '../../base/type-guards.js';
import { withTimeout } from '../../base/poll.js';
import { message } from '../../messages/index.js';
import type { HostOptions } from '../host/index.js';
import type { Health } from '../protocol/index.js';

const KEY_BYTES = 32;
const NO_LINK = constants.O_NOFOLLOW ?? 0;

/** macOS may ask the person about the keychain, and perhaps nobody is there to answer. */
const ANSWER_MS = 60_000;

interface HeadKeyOptions {
  safeStorage: Pick<SafeStorage, 'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync'>;
  platform: NodeJS.Platform;
  stateDir: string;
  log: Logger;
  answerMs?: number;
}

export type OpenedHeadKey = Pick<HostOptions, 'headKey'> & { issues: Health['issues'] };

/**
 * No key where the system keeps none, gives back no key of before, or does not answer. A key of before is never replaced: it would vouch
 * for nothing.
 */
export async function openHeadKey(options: HeadKeyOptions): Promise<OpenedHeadKey> {
  if (options.platform !== 'darwin') return { issues: [] };
  const waiting = new AbortController();
  try {
    const headKey = await withTimeout(readOrMake(options, waiting.signal), options.answerMs ?? ANSWER_MS);
    if (headKey === null) throw new Error('the keychain does not answer');
    return { headKey, issues: [] };
  } catch (error) {
    options.log.warn({ err: error }, 'app: the key of the audit log cannot be used, so nobody vouches for its head');
    const why = error instanceof Error ? error.message : String(error);
    return { issues: [{ title: message('health.no_head_key', { why }), fix: message('health.head_key_fix') }] };
  } finally {
    waiting.abort();
  }
}

/** What comes after nobody waits for it is not kept: the log goes on without a key by then. */
async function readOrMake(
  { safeStorage, stateDir }: HeadKeyOptions,
  waited: AbortSignal,
): Promise<NonNullable<HostOptions['headKey']>> {
  if (!(await safeStorage.isAsyncEncryptionAvailable())) throw new Error('the keychain gives no key');
  const file = `${stateDir}/audit.head-key`;
  const kept = readIfPresent(file);
  if (kept !== null) return { key: keyIn((await safeStorage.decryptStringAsync(kept)).result), isNew: false };
  const key = randomBytes(KEY_BYTES);
  const encrypted = await safeStorage.encryptStringAsync(key.toString('base64'));
  waited.throwIfAborted();
  writeNew(file, encrypted);
  return { key, isNew: true };
}

function keyIn(text: string): Buffer {
  const key = Buffer.from(text, 'base64');
  if (key.length !== KEY_BYTES) throw new Error('the kept key is none');
  return key;
}

function readIfPresent(file: string): Buffer | null {
  try {
    const opened = openSync(file, constants.O_RDONLY | NO_LINK);
    try {
      return readFileSync(opened);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    if (errno(error) === 'ENOENT') return null;
    throw error;
  }
}

function writeNew(file: string, content: Buffer): void {
  const opened = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_LINK, 0o600);
  try {
    writeFileSync(opened, content);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
