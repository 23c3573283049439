/** The name meant by a wrong one: the same but for case and signs, a few letters off, or one within the other. Null when none is near. Pure. */
export function nearest(given: string, known: readonly string[]): string | null {
  const wanted = plain(given.slice(0, 80));
  if (wanted === '') return null;
  let best: { name: string; distance: number } | null = null;
  for (const name of known) {
    const distance = apart(wanted, plain(name));
    if (best === null || distance < best.distance) best = { name, distance };
  }
  if (best !== null && best.distance <= Math.max(wanted.length, best.name.length) / 3) return best.name;
  const within = known.filter((name) => contains(plain(name), wanted) || contains(wanted, plain(name)));
  return within.length === 1 ? (within[0] ?? null) : null;
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
const contains = (whole: string, part: string): boolean => part.length > 1 && whole.includes(part);

/** Letters to insert, delete or replace. */
function apart(a: string, b: string): number {
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
