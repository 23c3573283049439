import { createHash } from 'node:crypto';

const KEPT = 20_000;
const SHOWN = 400;
const BEFORE_CHANGE = 80;

/** A text to compare later, however long it is: what is beyond the kept part counts by its hash. */
export function kept(text: string): string {
  if (text.length <= KEPT) return text;
  return `${text.slice(0, KEPT)}\u0000${createHash('sha256').update(text).digest('hex')}`;
}

const plain = (text: string): string => text.split('\u0000')[0] ?? '';

/** As much of a text as is told. */
export function shown(text: string): string {
  const whole = plain(text);
  return whole.length <= SHOWN ? whole : `${whole.slice(0, SHOWN)}…`;
}

/** Both texts around the first place where they differ. */
export function around(before: string, after: string): { before: string; after: string } {
  if (before.length <= SHOWN && after.length <= SHOWN) return { before, after };
  const [one, other] = [plain(before), plain(after)];
  let same = 0;
  while (same < one.length && same < other.length && one[same] === other[same]) same += 1;
  const from = Math.max(0, same - BEFORE_CHANGE);
  const part = (text: string): string =>
    `${from > 0 ? '…' : ''}${text.slice(from, from + SHOWN)}${text.length > from + SHOWN ? '…' : ''}`;
  return { before: part(one), after: part(other) };
}
