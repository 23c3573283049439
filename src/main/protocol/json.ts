import { message, textOf } from '../../messages/index.js';
import { Unreadable } from './transport.js';

/** More than any real message needs, and far below what would overflow the stack of a recursive function. */
export const MAX_DEPTH = 200;

export function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return mayBeTooDeep(text) && tooDeep(value)
      ? new Unreadable(message('framing.too_deep', { max: MAX_DEPTH }))
      : value;
  } catch (error) {
    return new Unreadable(textOf(error));
  }
}

/** Every level has a bracket. */
function mayBeTooDeep(text: string): boolean {
  let left = MAX_DEPTH;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (left === 0) return true;
      left -= 1;
    }
  }
  return false;
}

/** Ends at the first value that is too deep, so that the stack never is. */
function tooDeep(value: unknown, left = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (left === 0) return true;
  if (Array.isArray(value)) return value.some((one) => tooDeep(one, left - 1));
  for (const name of Object.keys(value)) if (tooDeep(Reflect.get(value, name), left - 1)) return true;
  return false;
}
