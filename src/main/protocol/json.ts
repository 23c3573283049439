import { isRecord } from '../../base/type-guards.js';
import { message, textOf } from '../../messages/index.js';
import { WireError } from './errors.js';
import { Unreadable } from './transport.js';

/** More than any real message needs, and far below what would overflow the stack of a recursive function. */
export const MAX_DEPTH = 200;

export function readJson(text: string): unknown {
  try {
    return checkJson(JSON.parse(withoutMark(text)), text);
  } catch (error) {
    return new Unreadable(textOf(error));
  }
}

/** The value, or why it cannot be taken. `text`: it was read from this. */
export function checkJson(value: unknown, text: string): unknown {
  if (mayBeTooDeep(text) && tooDeep(value)) return new Refused(tooDeepError(), value);
  const member = mayOverflow(text) ? overflowingMember(value) : null;
  return member === null ? value : new Overflowing(member, value);
}

/** Some programs write a byte order mark before their text. */
const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text);

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

/** A message that is JSON and cannot be taken. `id` and `method`: of the request; null where it has none. */
export class Refused extends Unreadable {
  readonly id: string | number | null;
  readonly method: string | null;
  readonly isNotification: boolean;

  constructor(
    readonly error: WireError,
    readonly received: unknown,
  ) {
    super(error.text);
    const { id, method } = isRecord(received) ? received : {};
    this.id = typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : null;
    this.method = typeof method === 'string' ? method : null;
    this.isNotification = this.method !== null && isRecord(received) && !('id' in received);
  }
}

/** With a number such as 1e400, which becomes Infinity when it is read and null when it is passed on: nobody could tell what was asked for. */
export class Overflowing extends Refused {
  constructor(
    readonly member: string,
    received: unknown,
  ) {
    super(overflowError(member), received);
  }
}

const tooDeepError = (): WireError =>
  new WireError('DESKTOP_INVALID_REQUEST', message('error.too_deep', { max: MAX_DEPTH }), { reason: 'too_deep' });

const overflowError = (member: string): WireError =>
  new WireError('DESKTOP_INVALID_REQUEST', message('error.number_too_large', { member }), {
    reason: 'number_too_large',
    member,
  });

/** Only a number with an exponent or very many digits can. */
const mayOverflow = (text: string): boolean => /\d[eE]\+?\d|\d{100}/.test(text);

const MAX_MEMBER_LENGTH = 200;

/** The path of the first number that overflows, such as `params.steps[0].x`; null for none. */
function overflowingMember(value: unknown, path = ''): string | null {
  if (typeof value === 'number' && !Number.isFinite(value)) return path.slice(-MAX_MEMBER_LENGTH) || 'message';
  if (typeof value !== 'object' || value === null) return null;
  const list = Array.isArray(value);
  for (const [name, inner] of Object.entries(value)) {
    const found = overflowingMember(inner, list ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`);
    if (found !== null) return found;
  }
  return null;
}
