/** The rows of the record in blocks, of which only those near the window are drawn; a new day has its name above. */
import { useEffect, useMemo, useSyncExternalStore, type ReactNode } from 'react';
import { dayName, dayOf } from '../../ui/days.js';
import type { Block, Book, BookKeeper } from '../../state/book.js';
import type { Activity } from '../../state/state.js';
import { ActivityRow } from './ActivityRow.js';
import { LongBlock } from '../../ui/LongBlock.js';

const ROW_PX = 61;
/** Whoever only passes by needs no pictures. */
const LINGER_MS = 120;
/** Blocks at the top are drawn at once. */
const FIRST = 4;

export function ActivityBlocks({ book, keeper }: { book: Book; keeper: BookKeeper }): ReactNode {
  const { blocks, total } = book;
  const starts = startsOf(blocks);
  return (
    <div className="book">
      {blocks.map((block, index) => {
        const before = blocks[index - 1]?.rows.at(-1) ?? null;
        const after = blocks[index + 1]?.rows[0] ?? null;
        return (
          <LongBlock
            key={block.id}
            id={block.id}
            heights={keeper.heights}
            guess={block.rows.length * ROW_PX}
            shown={index < FIRST}
            of={[block, before, after, starts[index], total, keeper]}
          >
            {() => <Rows block={block} {...{ before, after, keeper }} start={starts[index] ?? 0} of={total ?? -1} />}
          </LongBlock>
        );
      })}
    </div>
  );
}

interface RowsProps {
  block: Block;
  before: Activity | null;
  after: Activity | null;
  keeper: BookKeeper;
  start: number;
  of: number;
}

function Rows({ block, before, after, keeper, start, of }: RowsProps): ReactNode {
  const { rows } = block;
  useEffect(() => {
    const timer = setTimeout(() => keeper.wantPictures(rows), LINGER_MS);
    return () => clearTimeout(timer);
  }, [keeper, rows]);
  // Drawn again when a picture of its own has come.
  useSyncExternalStore(keeper.subscribe, () => rows.filter((row) => keeper.picture(row.executionId) !== null).length);
  const days = useMemo(() => daysOf(rows), [rows]);
  let number = start;
  return days.map((day, index) => {
    const goesOn = index === 0 && before !== null && dayOf(before.at) === day.key;
    const continued = index === days.length - 1 && after !== null && dayOf(after.at) === day.key;
    return (
      <div key={day.key} className="day" data-goes-on={goesOn || undefined} data-continued={continued || undefined}>
        {goesOn ? null : <h3 className="day-h">{day.name}</h3>}
        <ol className="list">
          {day.rows.map((row) => {
            number += 1;
            return (
              <ActivityRow
                key={row.executionId}
                row={row}
                picture={keeper.picture(row.executionId)}
                place={{ number, of }}
              />
            );
          })}
        </ol>
      </div>
    );
  });
}

interface Day {
  key: string;
  name: string;
  rows: Activity[];
}

function daysOf(rows: Activity[]): Day[] {
  const days: Day[] = [];
  for (const row of rows) {
    const key = dayOf(row.at);
    const last = days.at(-1);
    if (last?.key === key) last.rows.push(row);
    else days.push({ key, name: dayName(row.at), rows: [row] });
  }
  return days;
}

function startsOf(blocks: Block[]): number[] {
  let sum = 0;
  return blocks.map((block) => {
    const start = sum;
    sum += block.rows.length;
    return start;
  });
}
