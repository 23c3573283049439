/** What is told of the difference between two looks at an application. Pure. */

/** What can be told of an application's state without judging pixels: its windows and what its elements say, each by its place. */
export type Facts = ReadonlyMap<string, string>;

export interface Lines {
  before: string[];
  after: string[];
}

const MOST_LINES = 12;

export function difference(before: Facts, after: Facts): Lines {
  const gone = [...before].filter(([key, value]) => after.get(key) !== value).map(([, value]) => value);
  const come = [...after].filter(([key, value]) => before.get(key) !== value).map(([, value]) => value);
  const [left, fresh] = [without(gone, come), without(come, gone)];
  return left.length + fresh.length === 0
    ? { before: listed(gone), after: listed(come) }
    : { before: listed(left), after: listed(fresh) };
}

/** What only moved, as all that stands below a new line does, tells nothing. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(other, (left.get(other) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

/** A box without a word is told only where there is nothing else. */
function listed(lines: readonly string[]): string[] {
  const telling = lines.filter((one) => /[“ ](?!disabled$|hidden$)/u.test(one));
  const all = telling.length === 0 ? lines : telling;
  const more = all.length - MOST_LINES;
  return more <= 0 ? [...all] : [...all.slice(0, MOST_LINES), `and ${more} more`];
}

const isWindow = (line: string): boolean => line.startsWith('window ');

/** A menu goes before what its item opens comes: that is what the agent has to know. */
export const onlyCloses = ({ before, after }: Lines): boolean => before.some(isWindow) && !after.some(isWindow);
