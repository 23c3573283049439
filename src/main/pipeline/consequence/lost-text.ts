/** How much of a text is gone from another. Pure. */

/** Characters that are written without spaces between words count one by one. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}`;
const WORD = new RegExp(String.raw`[${UNSPACED}]|[^\s${UNSPACED}]+`, 'gu');
/** Beyond this many comparisons all that lies between the first and the last change counts as gone. */
const MAX_COMPARISONS = 4_000_000;
/** A part as large as this is large in a text of any length. */
const LARGE_PART = 2000;
const LARGE_SHARE = 1 / 3;

const wordsOf = (text: string): string[] => text.match(WORD) ?? [];
const lengthOf = (words: readonly string[]): number => words.reduce((sum, { length }) => sum + length, 0);
export const textLength = (text: string): number => lengthOf(wordsOf(text));

/** Characters of words of `before` that are not in `now`, or no longer in that order. */
export function lostText(before: string, now: string): number {
  if (before === now) return 0;
  const [old, fresh] = [wordsOf(before), wordsOf(now)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  const most = Math.min(old.length, fresh.length) - start;
  while (end < most && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end++;
  const gone = old.slice(start, old.length - end);
  const come = fresh.slice(start, fresh.length - end);
  const kept = gone.length * come.length > MAX_COMPARISONS ? 0 : keptInOrder(gone, come);
  return lengthOf(gone) - kept;
}

/** The length of the longest common subsequence, in characters. */
function keptInOrder(old: readonly string[], fresh: readonly string[]): number {
  let above = new Float64Array(fresh.length + 1);
  for (const word of old) {
    const row = new Float64Array(fresh.length + 1);
    for (const [index, other] of fresh.entries()) {
      const both = word === other ? (above[index] ?? 0) + word.length : 0;
      row[index + 1] = Math.max(both, above[index + 1] ?? 0, row[index] ?? 0);
    }
    above = row;
  }
  return above.at(-1) ?? 0;
}

/** The line between a small edit and one that a person must see before it is saved. */
export const isLarge = (lost: number, size: number): boolean =>
  lost > 0 && (lost >= LARGE_PART || lost >= size * LARGE_SHARE);
