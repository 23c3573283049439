/** The rows of the record in a virtual list, with a heading for each day. */
import { useEffect, useMemo, useState, useSyncExternalStore, type ReactNode, useRef } from 'react';
import { dayName, dayOf } from '../../ui/formats.js';
import type { ActivityLog, ActivityLogStore } from '../../state/activity-log.js';
import { chunksOf, sectionId, type ActivitySection } from '../../state/activity-sections.js';
import type { Activity } from '../../../main/protocol/index.js';
import { ActivityItem } from './ActivityItem.js';
import { VirtualBlock, createVirtualList, type VirtualList } from '../../ui/VirtualList.js';
import { createSlowScroll, type RunOnSlowScroll, onScrollOrResize } from '../../ui/window-events.js';

const ROW_PX = 61;
/** Rows of a block. */
const ROWS_PER_BLOCK = 2;
/** Blocks at the top are rendered at once. */
const BLOCKS_AT_FIRST = 10;
const MIN_HEIGHTS = 500;

interface Props {
  log: ActivityLog;
  store: ActivityLogStore;
  online: boolean;
}

export function ActivityBlocks({ log, store, online }: Props): ReactNode {
  const { sections, total } = log;
  const { heights } = store;
  const [list] = useState(createVirtualList);
  const [whenSlow] = useState(createSlowScroll);
  usePrunedHeights(heights, sections);
  const heightOf = ({ id, count }: ActivitySection) => heights.get(sectionId(id)) ?? count * ROW_PX;
  return (
    <div className="log">
      {partsOf(sections).map((part) => {
        if (part.rows === null)
          return (
            <DroppedSections
              key={`dropped ${part.id}`}
              sections={part.sections}
              heightOf={heightOf}
              onNear={store.restore}
              online={online}
            />
          );
        const { id, rows, before, after, start } = part;
        const isFirst = start === 0;
        return (
          <VirtualBlock
            key={id}
            id={sectionId(id)}
            level="section"
            list={list}
            heights={heights}
            estimatedPx={rows.length * ROW_PX}
            initiallyRendered={isFirst}
            dependencies={[rows, before, after, start, total, store]}
          >
            {() => (
              <Blocks
                {...{ rows, before, after, start, isFirst, list, store, whenSlow }}
                rowPx={part.section.rowPx ?? ROW_PX}
                total={total ?? -1}
              />
            )}
          </VirtualBlock>
        );
      })}
    </div>
  );
}

/** Of the blocks of sections that were dropped, no heights are kept. */
function usePrunedHeights(heights: Map<string, number>, sections: ActivitySection[]): void {
  useEffect(() => {
    const loaded = sections.flatMap(({ rows }) => rows ?? []);
    if (heights.size <= sections.length + loaded.length + MIN_HEIGHTS) return;
    const ids = new Set([...sections.map(({ id }) => sectionId(id)), ...loaded.map(({ executionId }) => executionId)]);
    for (const id of heights.keys()) if (!ids.has(id)) heights.delete(id);
  }, [heights, sections]);
}

interface RowsProps {
  rows: Activity[];
  /** When the neighbours were. */
  before: string | null;
  after: string | null;
  store: ActivityLogStore;
  whenSlow: RunOnSlowScroll;
  start: number;
  total: number;
}

interface BlocksProps extends RowsProps {
  list: VirtualList;
  isFirst: boolean;
  /** Of a row, until it was rendered. */
  rowPx: number;
}

function Blocks({ rows, before, after, start, total, isFirst, rowPx, list, ...rest }: BlocksProps): ReactNode {
  const { store } = rest;
  const blocks = useMemo(() => chunksOf(rows, ROWS_PER_BLOCK), [rows]);
  return blocks.map((block, index) => {
    const id = block[0]?.executionId ?? '';
    const above = blocks[index - 1]?.at(-1)?.at ?? before;
    const below = blocks[index + 1]?.[0]?.at ?? after;
    const first = start + index * ROWS_PER_BLOCK;
    return (
      <VirtualBlock
        key={id}
        id={id}
        level="block"
        list={list}
        heights={store.heights}
        estimatedPx={block.length * rowPx}
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
    const goesOn = index === 0 && before !== null && dayOf(before) === day.key;
    const continued = index === days.length - 1 && after !== null && dayOf(after) === day.key;
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

type Part =
  | { rows: null; id: string; sections: ActivitySection[] }
  | {
      rows: Activity[];
      id: string;
      section: ActivitySection;
      before: string | null;
      after: string | null;
      /** How many rows come before it. */
      start: number;
    };

/** Each section with its rows, and between them those that were dropped, together. */
function partsOf(sections: ActivitySection[]): Part[] {
  const parts: Part[] = [];
  let start = 0;
  for (const [index, section] of sections.entries()) {
    const { id, rows } = section;
    const last = parts.at(-1);
    if (rows !== null) {
      const [before = null, after = null] = [sections[index - 1]?.oldest.at, sections[index + 1]?.newest.at];
      parts.push({ rows, id, section, before, after, start });
    } else if (last?.rows === null) last.sections.push(section);
    else parts.push({ rows, id, sections: [section] });
    start += section.count;
  }
  return parts;
}

/** This near to the window. */
const AHEAD_PX = 4_000;

interface DroppedProps {
  sections: ActivitySection[];
  heightOf(section: ActivitySection): number;
  onNear(id: string): void;
  /** Looks again when the connection is back. */
  online: boolean;
}

/** Where consecutive sections of the list were dropped: an empty box of their height, which has those near the window loaded again. */
function DroppedSections({ sections, heightOf, onNear, online }: DroppedProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const look = useRef(() => {});
  useEffect(() => {
    look.current = () => {
      if (!online || box.current?.checkVisibility() !== true) return;
      const { top, bottom } = box.current.getBoundingClientRect();
      if (bottom < -AHEAD_PX || top > window.innerHeight + AHEAD_PX) return;
      const near = sectionAt(sections, heightOf, window.innerHeight / 2 - top);
      if (near !== undefined) onNear(near.id);
    };
    look.current();
  });
  useEffect(() => onScrollOrResize(() => look.current()), []);
  return <div ref={box} style={{ height: sections.reduce((sum, section) => sum + heightOf(section), 0) }} />;
}

/** The one there, or the nearest. */
function sectionAt(
  sections: ActivitySection[],
  heightOf: DroppedProps['heightOf'],
  place: number,
): ActivitySection | undefined {
  let bottom = 0;
  return sections.find((section) => (bottom += heightOf(section)) > place) ?? sections.at(-1);
}
