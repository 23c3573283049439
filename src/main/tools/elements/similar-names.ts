/** The names similar to the wanted one, best first. */
export function similarNames(wanted: string, names: readonly string[], most = 5): string[] {
  const goal = pairs(wanted);
  const scored = [...new Set(names)].map((name) => ({ name, score: similarity(goal, pairs(name)) }));
  return scored
    .filter(({ score }) => score >= 0.3)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ name }) => name);
}

const MAX_COMPARED_LENGTH = 100;

function pairs(name: string): Set<string> {
  const text = ` ${name.toLowerCase().slice(0, MAX_COMPARED_LENGTH)} `;
  return new Set(Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2)));
}

/** Dice's coefficient of letter pairs. */
function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((pair) => other.has(pair)).length;
  return (2 * shared) / (one.size + other.size);
}
