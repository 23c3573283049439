/** The known name that a misspelled one probably means: equal but for case and punctuation, a few letters off, or one containing the other; null when none is. Pure. */
export function closestName(given: string, known: readonly string[]): string | null {
  const wanted = lettersOf(given.slice(0, 80));
  if (wanted === '') return null;
  let best: { name: string; distance: number } | null = null;
  for (const name of known) {
    const distance = editDistance(wanted, lettersOf(name));
    if (best === null || distance < best.distance) best = { name, distance };
  }
  if (best !== null && best.distance <= Math.max(wanted.length, best.name.length) / 3) return best.name;
  const within = known.filter((name) => contains(lettersOf(name), wanted) || contains(wanted, lettersOf(name)));
  return within.length === 1 ? (within[0] ?? null) : null;
}

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
const contains = (whole: string, part: string): boolean => part.length > 1 && whole.includes(part);

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const [above = 0, before = 0, left = 0] = [row[j + 1], row[j], next[j]];
      next.push(Math.min(above + 1, left + 1, before + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
