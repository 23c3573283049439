import { createHash } from 'node:crypto';

const COMPARED_CHARACTERS = 20_000;
const EXCERPT_CHARACTERS = 400;
const CONTEXT_CHARACTERS = 80;

/** A text for later comparison: its start and, if it is long, the hash of the whole. */
export function comparableText(text: string): string {
  if (text.length <= COMPARED_CHARACTERS) return text;
  return `${text.slice(0, COMPARED_CHARACTERS)}\u0000${createHash('sha256').update(text).digest('hex')}`;
}

const withoutHash = (text: string): string => text.split('\u0000')[0] ?? '';

/** The start of a text, as events carry it. */
export function excerpt(text: string): string {
  const whole = withoutHash(text);
  return whole.length <= EXCERPT_CHARACTERS ? whole : `${whole.slice(0, EXCERPT_CHARACTERS)}…`;
}

/** Both texts around the first place where they differ. */
export function excerptsAroundChange(before: string, after: string): { before: string; after: string } {
  if (before.length <= EXCERPT_CHARACTERS && after.length <= EXCERPT_CHARACTERS) return { before, after };
  const [one, other] = [withoutHash(before), withoutHash(after)];
  let same = 0;
  while (same < one.length && same < other.length && one[same] === other[same]) same += 1;
  const from = Math.max(0, same - CONTEXT_CHARACTERS);
  const part = (text: string): string =>
    `${from > 0 ? '…' : ''}${text.slice(from, from + EXCERPT_CHARACTERS)}${text.length > from + EXCERPT_CHARACTERS ? '…' : ''}`;
  return { before: part(one), after: part(other) };
}
