/** The rows of the record in a virtual list, with a heading for each day. */
import { useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react';
import { dayName, dayOf } from '../../ui/days.js';
import { chunksOf, type ActivityLog, type ActivityLogStore, type ActivitySection } from '../../state/activity-log.js';
import type { Activity } from '../../../main/protocol/index.js';
import { ActivityItem } from './ActivityItem.js';
import { VirtualBlock } from '../../ui/VirtualBlock.js';
import { createVirtualList, type VirtualList } from '../../ui/virtual-list.js';
import { createSlowScroll, type RunOnSlowScroll } from '../../ui/slow-scroll.js';

const ROW_PX = 61;
/** Rows of a block. */
const ROWS_PER_BLOCK = 2;
/** Blocks at the top are rendered at once. */
const BLOCKS_AT_FIRST = 10;

export function ActivityBlocks({ log, store }: { log: ActivityLog; store: ActivityLogStore }): ReactNode {
  const { sections, total } = log;
  const [list] = useState(createVirtualList);
  const [whenSlow] = useState(createSlowScroll);
  const starts = startsOf(sections);
  return (
    <div className="log">
      {sections.map(({ id, rows }, index) => {
        const before = sections[index - 1]?.rows.at(-1) ?? null;
        const after = sections[index + 1]?.rows[0] ?? null;
        const start = starts[index] ?? 0;
        return (
          <VirtualBlock
            key={id}
            id={`section ${id}`}
            level="section"
            list={list}
            heights={store.heights}
            estimatedPx={rows.length * ROW_PX}
            initiallyRendered={index === 0}
            dependencies={[rows, before, after, start, total, store]}
          >
            {() => (
              <Blocks
                {...{ rows, before, after, start, list, store, whenSlow }}
                total={total ?? -1}
                isFirst={index === 0}
              />
            )}
          </VirtualBlock>
        );
      })}
    </div>
  );
}

interface RowsProps {
  rows: Activity[];
  before: Activity | null;
  after: Activity | null;
  store: ActivityLogStore;
  whenSlow: RunOnSlowScroll;
  start: number;
  total: number;
}

interface BlocksProps extends RowsProps {
  list: VirtualList;
  isFirst: boolean;
}

function Blocks({ rows, before, after, start, total, isFirst, list, ...rest }: BlocksProps): ReactNode {
  const { store } = rest;
  const blocks = useMemo(() => chunksOf(rows, ROWS_PER_BLOCK), [rows]);
  return blocks.map((block, index) => {
    const id = block[0]?.executionId ?? '';
    const above = blocks[index - 1]?.at(-1) ?? before;
    const below = blocks[index + 1]?.[0] ?? after;
    const first = start + index * ROWS_PER_BLOCK;
    return (
      <VirtualBlock
        key={id}
        id={id}
        level="block"
        list={list}
        heights={store.heights}
        estimatedPx={block.length * ROW_PX}
        initiallyRendered={isFirst && index < BLOCKS_AT_FIRST}
        dependencies={[block, above, below, first, total, store]}
      >
        {() => <Rows rows={block} before={above} after={below} start={first} total={total} {...rest} />}
      </VirtualBlock>
    );
  });
}

function Rows({ rows, before, after, store, whenSlow, start, total }: RowsProps): ReactNode {
  // Rows that are scrolled past need no pictures.
  useEffect(() => whenSlow(() => store.requestPictures(rows)), [whenSlow, store, rows]);
  // Renders again when a picture of these rows has arrived.
  useSyncExternalStore(store.onPictures, () => rows.filter((row) => store.picture(row.executionId) !== null).length);
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
              <ActivityItem
                key={row.executionId}
                row={row}
                picture={store.picture(row.executionId)}
                place={{ number, of: total }}
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

function startsOf(sections: ActivitySection[]): number[] {
  let sum = 0;
  return sections.map(({ rows }) => {
    const start = sum;
    sum += rows.length;
    return start;
  });
}
