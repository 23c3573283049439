/** The token of the HTTP door. Kept over restarts, because clients have it in their settings; a new one is made where the file was removed. */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errno } from '../../../base/errno.js';
import { message, MessageError } from '../../../messages/index.js';
import { assertPrivate, ensurePrivateFolder } from '../../transport/private-paths.js';

const TOKEN = /^[0-9a-f]{64}$/;

/** Throws UnsafePathError for a file that others could read or have put there, MessageError for one that holds no token. */
export function readOrMakeToken(stateFolder: string): { file: string; token: string } {
  ensurePrivateFolder(stateFolder);
  const file = join(stateFolder, 'http-token');
  try {
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (errno(error) !== 'EEXIST') throw error;
  }
  assertPrivate(file, 'file');
  const token = readFileSync(file, 'utf8').trim();
  if (!TOKEN.test(token)) throw new MessageError(message('host.no_http_token', { path: file }));
  return { file, token };
}
