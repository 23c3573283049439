import { randomUUID } from 'node:crypto';

export const PROTOCOL = 'gabp/1';

/** Id of an answer to a message whose own id is not known (see NOTES.md, A3). */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** registry.md 1.1, wider than gabp.md 5 (see NOTES.md, B1). */
export const METHOD_PATTERN = /^[a-z][a-z0-9_-]*(\/[a-z][a-z0-9_-]*)+$/;

/** @param {unknown} value */
export const isUuid = (value) => typeof value === 'string' && UUID.test(value);

/** @param {unknown} value @returns {value is Record<string, any>} */
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A glob: "*" stands for any characters, also "/" (see NOTES.md, E2), "?" for one character.
 * @param {string} pattern
 * @returns {(text: string) => boolean}
 */
export function glob(pattern) {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.');
  const expression = new RegExp(`^${source}$`, 's');
  return (text) => expression.test(text);
}

/**
 * @param {string} method
 * @param {object} [params]
 * @param {string} [id]
 */
export function makeRequest(method, params, id = randomUUID()) {
  const message = { v: PROTOCOL, id, type: 'request', method };
  return params === undefined ? message : { ...message, params };
}

/** @returns {"windows" | "macos" | "linux"} */
export function platformName() {
  if (process.platform === 'win32') return 'windows';
  return process.platform === 'darwin' ? 'macos' : 'linux';
}
