/** The reported difference between two readings of an application. Pure. */

/** An application's state: a line for each window and element, by window id or tree path. */
export type Facts = ReadonlyMap<string, string>;

/** After the key of the element that has the caret. */
export const SELECTION_KEY = '/selection';

interface FactsDiff {
  before: string[];
  after: string[];
}

const MAX_LINES = 12;

export function diffFacts(before: Facts, after: Facts): FactsDiff {
  const gone = [...before].filter(([key, value]) => after.get(key) !== value).map(([, value]) => value);
  const come = [...after].filter(([key, value]) => before.get(key) !== value).map(([, value]) => value);
  const [left, fresh] = [withoutMoved(gone, come), withoutMoved(come, gone)];
  return left.length + fresh.length === 0
    ? { before: limitLines(gone), after: limitLines(come) }
    : { before: limitLines(left), after: limitLines(fresh) };
}

/** Leaves out lines that only moved, as those below a new line do. */
function withoutMoved(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(other, (left.get(other) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

/** Elements without text are listed only where there is nothing else. */
function limitLines(lines: readonly string[]): string[] {
  const informative = lines.filter((one) => /[“ ](?!disabled$|hidden$)/u.test(one));
  const all = informative.length === 0 ? lines : informative;
  const more = all.length - MAX_LINES;
  return more <= 0 ? [...all] : [...all.slice(0, MAX_LINES), `and ${more} more`];
}

const isWindow = (line: string): boolean => line.startsWith('window ');

const isSelection = (line: string): boolean => /^(?:caret|selection) in /.test(line);

/** Only a caret or a selection moved, as before what an Enter does. */
export const onlySelects = ({ before, after }: FactsDiff): boolean => [...before, ...after].every(isSelection);

export const hasSelection = (facts: Facts): boolean => [...facts.keys()].some((key) => key.endsWith(SELECTION_KEY));

/** How the line of an application ends that runs no more. */
export const ENDED = ' has ended: it quit or crashed';

/** Only windows were closed, as when a menu closes before the window that its item opens. */
export const onlyCloses = ({ before, after }: FactsDiff): boolean =>
  before.some(isWindow) && !after.some((line) => isWindow(line) || line.endsWith(ENDED));
