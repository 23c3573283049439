/** The configuration file: transport.md section 5 and security.md sections 3 and 5. */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isObject, isUuid } from './names.mjs';

/**
 * @typedef {{token: string, transport: {type: "tcp" | "stdio" | "pipe", address?: string},
 *   metadata?: {pid?: number, startTime?: string, launchId?: string}}} Config
 */

/**
 * @param {Record<string, string | undefined>} [env]
 * @returns {string} the place named by transport.md 5.1
 */
export function configPath(env = process.env) {
  const home = env.HOME || homedir();
  if (process.platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'gabp', 'bridge.json');
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'gabp', 'bridge.json');
  return join(home, '.config', 'gabp', 'bridge.json');
}

/** @returns {string} 256 random bits as hexadecimal digits (at least 128 are required) */
export const makeToken = () => randomBytes(32).toString('hex');

/**
 * Written under another name with mode 0600, then moved into place, then verified.
 * @param {string} path @param {Config} config
 */
export function writeConfig(path, config) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.tmp.${randomBytes(8).toString('hex')}`;
  try {
    writeFileSync(temporary, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    if (process.platform !== 'win32') chmodSync(temporary, 0o600);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (isOpenToOthers(path)) throw new Error(`The configuration file ${path} can be read by others`);
}

/** @param {string} path */
export function isOpenToOthers(path) {
  return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
}

/**
 * @param {unknown} config
 * @returns {string[]} what is wrong with it
 */
export function configProblems(config) {
  if (!isObject(config)) return ['The configuration must be a JSON object'];
  const problems = [];
  if (typeof config.token !== 'string') problems.push('token must be a string');
  else if (!/^[0-9a-f]{32,}$/i.test(config.token)) problems.push('token must be hexadecimal with 32 digits or more');
  if (!isObject(config.transport)) return [...problems, 'transport must be an object'];
  const { type, address } = config.transport;
  if (!['tcp', 'stdio', 'pipe'].includes(type)) problems.push('transport.type must be tcp, stdio or pipe');
  if (type === 'tcp' && portOf(address) === null) problems.push('transport.address must be a port number as a string');
  if (type === 'pipe' && (typeof address !== 'string' || !address)) problems.push('transport.address must be a path');
  if (config.metadata !== undefined) problems.push(...metadataProblems(config.metadata));
  return problems;
}

/** @param {unknown} metadata */
function metadataProblems(metadata) {
  if (!isObject(metadata)) return ['metadata must be an object'];
  const { launchId } = metadata;
  return launchId === undefined || isUuid(launchId) ? [] : ['metadata.launchId must be a UUID'];
}

/**
 * @param {unknown} address
 * @returns {number | null}
 */
export function portOf(address) {
  if (typeof address !== 'string' || !/^\d{1,5}$/.test(address)) return null;
  const port = Number(address);
  return port >= 1 && port <= 65535 ? port : null;
}

/** @param {string} path @returns {any} */
export const readConfig = (path) => JSON.parse(readFileSync(path, 'utf8'));

/**
 * Removes the file, but only while it still holds this token (another writer may have replaced it).
 * @param {string} path @param {string} token
 */
export function removeConfig(path, token) {
  try {
    if (readConfig(path).token === token) rmSync(path, { force: true });
  } catch {
    // Already gone or not readable: nothing of ours is left to remove.
  }
}
