/** Pages of the rows that fit a filter, the newest first. However long the record, a page reads a bounded part of the index. */
import { matchesFilter, type ActivityFilter } from '../protocol/index.js';
import type { createRowReader } from './index-rows.js';
import { cutName, type ActivityRow } from './row-format.js';

interface FoundRows {
  rows: { row: ActivityRow; number: number }[];
  /** `before` for the next page; null on the last page. */
  next: number | null;
  /** All that fit; `all`: as many as are listed; null where older rows were not looked at. */
  total: number | 'all' | null;
}

/** So many rows are looked at for one page, which may be empty then: the next page goes on. */
const MAX_SEARCHED_ROWS = 16_384;

export function createIndexSearch({ count, numberOf, backwards, afterRowBelow }: ReturnType<typeof createRowReader>) {
  return async (before: number | null, given: ActivityFilter, most: number): Promise<FoundRows> => {
    const filter = given.agent === undefined ? given : { ...given, agent: cutName(given.agent) };
    const all = Object.values(filter).every((value) => value === undefined);
    const from = before === null ? count() : await numberOf(before);
    const end = all ? 0 : Math.max(0, from - MAX_SEARCHED_ROWS);
    const isCounted = !all && before === null && end === 0;
    const rows: FoundRows['rows'] = [];
    let fitting = 0;
    for await (const found of backwards(from, end)) {
      if (!found.row.shown || !matchesFilter(filter, found.row)) continue;
      fitting += 1;
      if (rows.length < most) rows.push(found);
      else if (!isCounted) break;
    }
    const next = fitting > rows.length ? (rows.at(-1)?.row.seq ?? null) : await afterRowBelow(end);
    return { rows, next, total: all ? 'all' : isCounted ? fitting : null };
  };
}
