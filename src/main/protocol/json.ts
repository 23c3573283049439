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

/** Every level takes two characters. */
const mayBeTooDeep = (text: string): boolean => text.length > 2 * MAX_DEPTH;

/** Walks level by level, because a recursive function could overflow the stack. */
function tooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null ? Object.values(one).filter((each) => typeof each === 'object') : [],
    );
  }
  return false;
}
