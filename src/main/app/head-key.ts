/**
 * The key that vouches for the head of the audit log. It lies in the state folder, encrypted by what the system's keychain keeps for
 * this app alone. Only on macOS: elsewhere `safeStorage` may keep nothing from programs of the same user.
 */
import { randomBytes } from 'node:crypto';
import { constants, closeSync, fsyncSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import type { SafeStorage } from 'electron';
import type { Logger } from 'pino';
import { errno } from '../../base/errno.js';
import { message } from '../../messages/index.js';
import type { HostOptions } from '../host/index.js';
import type { Health } from '../protocol/index.js';

const KEY_BYTES = 32;
const NO_LINK = constants.O_NOFOLLOW ?? 0;

interface HeadKeyOptions {
  safeStorage: Pick<SafeStorage, 'isEncryptionAvailable' | 'encryptString' | 'decryptString'>;
  platform: NodeJS.Platform;
  stateDir: string;
  log: Logger;
}

type OpenedHeadKey = Pick<HostOptions, 'headKey'> & { issues: Health['issues'] };

/** No key where the system keeps none, or gives back no key of before. That one is never replaced: it would vouch for nothing. */
export function openHeadKey({ safeStorage, platform, stateDir, log }: HeadKeyOptions): OpenedHeadKey {
  if (platform !== 'darwin') return { issues: [] };
  try {
    if (!safeStorage.isEncryptionAvailable()) throw new Error('the keychain gives no key');
    const file = `${stateDir}/audit.head-key`;
    const kept = readIfPresent(file);
    if (kept !== null) return { headKey: { key: keyIn(safeStorage.decryptString(kept)), isNew: false }, issues: [] };
    const key = randomBytes(KEY_BYTES);
    writeNew(file, safeStorage.encryptString(key.toString('base64')));
    return { headKey: { key, isNew: true }, issues: [] };
  } catch (error) {
    log.warn({ err: error }, 'app: the key of the audit log cannot be used, so nobody vouches for its head');
    const why = error instanceof Error ? error.message : String(error);
    return { issues: [{ title: message('health.no_head_key', { why }), fix: message('health.head_key_fix') }] };
  }
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
