/** The rows of the activity list in sections. Those far from what is read keep only their place, and are loaded again when the list comes near it. */
import type { Activity } from '../../main/protocol/index.js';

const ROWS_PER_SECTION = 100;
/** With their rows, at most. */
const MAX_LOADED = 30;

export interface ActivitySection {
  /** Stable until the list is reset. */
  id: string;
  /** null: dropped. */
  rows: Activity[] | null;
  count: number;
  /** Mean height of a row when it was dropped, in pixels; null: it was not. */
  rowPx: number | null;
  newest: RowPlace;
  oldest: RowPlace;
}

type RowPlace = Pick<Activity, 'seq' | 'at'>;

export function sectionsOf(rows: Activity[]): ActivitySection[] {
  return chunksOf(rows, ROWS_PER_SECTION).flatMap((part) => {
    const [newest, oldest] = [part[0], part.at(-1)];
    if (newest === undefined || oldest === undefined) return [];
    return [
      {
        id: newest.executionId,
        rows: part,
        count: part.length,
        rowPx: null,
        newest: placeOf(newest),
        oldest: placeOf(oldest),
      },
    ];
  });
}

/** With the rows of one that was dropped, out of those from its newest on. */
export function restored(
  sections: ActivitySection[],
  id: string,
  found: Activity[],
  heights: ReadonlyMap<string, number>,
): ActivitySection[] {
  const index = sections.findIndex((section) => section.id === id);
  const section = sections[index];
  if (section === undefined) return sections;
  const rows = found.filter(({ seq }) => seq >= section.oldest.seq);
  const height = heights.get(sectionId(id));
  const rowPx = height === undefined ? null : height / section.count;
  return droppedAround(sections.with(index, { ...section, rows, count: rows.length, rowPx }), index);
}

/** Without the rows of those that are farthest from this one. */
export function droppedAround(sections: ActivitySection[], index: number): ActivitySection[] {
  const loaded = sections.flatMap(({ rows }, at) => (rows === null ? [] : [at]));
  if (loaded.length <= MAX_LOADED) return sections;
  const distance = (at: number) => Math.abs(at - index);
  const farthest = loaded.sort((one, other) => distance(other) - distance(one)).slice(0, loaded.length - MAX_LOADED);
  const dropped = new Set(farthest);
  return sections.map((section, at) => (dropped.has(at) ? { ...section, rows: null } : section));
}

/** Under which its height is kept. */
export const sectionId = (id: string): string => `section ${id}`;

export const rowsIn = (sections: readonly ActivitySection[]): number =>
  sections.reduce((sum, { count }) => sum + count, 0);

/** Parts of that many, and the rest. */
export function chunksOf<T>(all: readonly T[], count: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / count) }, (_, index) =>
    all.slice(index * count, (index + 1) * count),
  );
}

const placeOf = ({ seq, at }: Activity): RowPlace => ({ seq, at });
