import { Unreadable } from './transport.js';

/** Deeper than anything sent in earnest, and far from where walking a value would overflow the stack. */
export const MAX_DEPTH = 200;

/** JSON as it comes from outside: its value, or why there is none. */
export function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return tooDeep(value) ? new Unreadable(`it is nested more than ${MAX_DEPTH} deep`) : value;
  } catch (error) {
    return new Unreadable(error instanceof Error ? error.message : String(error));
  }
}

/** Level by level, because a recursive walk is what the depth is limited for. */
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
