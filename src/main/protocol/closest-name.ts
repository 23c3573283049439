/** Finds the known names that a misspelled or incomplete one may mean. Pure. */

const MAX_COMPARED_LENGTH = 80;
const MAX_SIMILAR_NAMES = 5;

/** The one name that is probably meant: the closest spelling, or else the only name that contains the given one or is part of it. */
export function closestName(given: string, known: readonly string[]): string | null {
  const { misspelled, related } = compareNames(given, known);
  return misspelled[0] ?? (related.length === 1 ? (related[0] ?? null) : null);
}

/** All names that may be meant, closest first. */
export function similarNames(given: string, known: readonly string[]): string[] {
  const { misspelled, related } = compareNames(given, known);
  return [...new Set([...misspelled, ...related])].slice(0, MAX_SIMILAR_NAMES);
}

/** `misspelled`: at most a third of the letters differ, not counting case and punctuation; closest first. */
function compareNames(given: string, known: readonly string[]): { misspelled: string[]; related: string[] } {
  const wanted = lettersOf(given.slice(0, MAX_COMPARED_LENGTH));
  if (wanted === '') return { misspelled: [], related: [] };
  const compared = known.map((name) => {
    const letters = lettersOf(name);
    return { name, letters, distance: editDistance(wanted, letters) };
  });
  const misspelled = compared
    .filter(({ name, distance }) => distance <= Math.max(wanted.length, name.length) / 3)
    .toSorted((one, other) => one.distance - other.distance);
  const related = compared.filter(({ letters }) => contains(letters, wanted) || contains(wanted, letters));
  return { misspelled: misspelled.map(({ name }) => name), related: related.map(({ name }) => name) };
}

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
const contains = (whole: string, part: string): boolean => part.length > 1 && whole.includes(part);

/** Levenshtein distance, where two letters in the wrong order are one fault. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  let earlier: number[] = [];
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const [above = 0, before = 0, left = 0] = [row[j + 1], row[j], next[j]];
      const isSwapped = i > 0 && j > 0 && letter === b[j - 1] && other === a[i - 1];
      const swapped = isSwapped ? (earlier[j - 1] ?? 0) + 1 : Infinity;
      next.push(Math.min(above + 1, left + 1, before + (letter === other ? 0 : 1), swapped));
    }
    earlier = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}
