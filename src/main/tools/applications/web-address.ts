/** The address of a page that an agent wants opened: an ordinary web address, or an error that says what to do. Pure. */
import { kindNamed } from '../../pipeline/consequence/naming.js';
import type { WireError } from '../../protocol/index.js';
import { invalidRequest } from '../parameters.js';
import { message } from '../../../messages/index.js';

export const MAX_ADDRESS_CHARS = 2_000;
/** Invisible, or what a browser takes for something else: it reads `\` as `/`. */
const DOUBTFUL = /[\p{C}\p{Z}\s\\]/u;
const BEGINS = /^[a-z][\w+.-]*:/i;

const NEXT = {
  scheme: 'Write the whole address, as in https://example.com/page or http://localhost:8080.',
  login: 'Leave the user name and the password out; the person types them.',
  signs: 'Write such characters percent-encoded.',
  length: `Use one of at most ${MAX_ADDRESS_CHARS} characters.`,
  other: 'Write the whole address, as in https://example.com/page or http://localhost:8080.',
} as const;

const refused = (problem: keyof typeof NEXT): WireError =>
  invalidRequest(message('error.bad_address', { problem }), 'bad_address', NEXT[problem]);

/** As browsers write it: without anything that only looks like another one. It begins with its scheme, so no program takes it for an option. */
export function webAddress(given: string): URL {
  if (given.length > MAX_ADDRESS_CHARS) throw refused('length');
  if (DOUBTFUL.test(given)) throw refused('signs');
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null) throw refused(BEGINS.test(given) ? 'scheme' : 'other');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused('scheme');
  if (!/^https?:\/\/[^/]/i.test(given) || url.hostname === '') throw refused('other');
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?#]*@/i.test(given)) throw refused('login');
  if (url.href.length > 3 * MAX_ADDRESS_CHARS) throw refused('length');
  return url;
}

/** A part of it that names something that is done, such as `delete`; null without one. Pages are bought on, so orders do not count. */
export function saysMore({ pathname, searchParams }: URL): string | null {
  const parts = [...pathname.split('/').map(readable), ...[...searchParams].flat()];
  const found = parts.find((part) => {
    const kind = part === '' ? null : kindNamed(part);
    return kind !== null && kind !== 'buy';
  });
  return found?.slice(0, 80) ?? null;
}

function readable(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
