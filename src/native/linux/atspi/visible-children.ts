/**
 * The children that a container shows, asked for in bounded parts. A table of a million rows makes an object for each cell that it is
 * asked for, and a list looks through all its rows for each of them, so neither is ever asked for all.
 * Called by object-reader.ts.
 */
import { intersect } from '../../../base/rect.js';
import type { Point, Rect } from '../../desktop.js';
import { type AccessibleObject, ROLE, has, STATE } from './accessible-object.js';
import { type AccessibilityBus, idOf, nullFor, type Ref, refOf } from './bus.js';
import { childAt } from './queries.js';
import { readExtents, WITHIN } from './toplevels.js';

/** A child with its place among all children of its parent. */
export interface ListedChild {
  ref: Ref;
  index: number;
}

const MAX_VISIBLE = 2000;
/** How far from a corner it is looked for a cell: there may be headers, or nothing. */
const INSETS = [2, 14, 26, 40, 60, 100, 160, 260];
/** Lengths and places in X have 16 bits. */
const MAX_X_LENGTH = 0x7fff;
/** Rows that are filtered out have no position. */
const MAX_HIDDEN_NEIGHBOURS = 8;
const CELL_HOLDERS: ReadonlySet<number> = new Set([ROLE.table, ROLE.tree, ROLE.treeTable, ROLE.list]);
const nullWhenRefused = nullFor('stale', 'unsupported', 'failed');

/** Whether what is below is drawn by the container, as the cells of the item views of GTK 3, LibreOffice and Qt: they are no fields. */
export const drawsCells = ({ role, states }: AccessibleObject): boolean =>
  CELL_HOLDERS.has(role) && has(states, STATE.managesDescendants);

interface Container {
  bus: AccessibilityBus;
  ref: Ref;
  signal: AbortSignal;
}

/** The number of children that a container can have; the one that is reported is too small where it does not fit in 32 bits. */
export async function countCells({ bus, ref, signal }: Container): Promise<number> {
  const [rows, columns] = await tableSize({ bus, ref, signal });
  return rows * columns;
}

/** null where it cannot be found out. `line`: the container and what it is in. */
export async function visibleChildren(
  bus: AccessibilityBus,
  line: readonly Ref[],
  count: number,
  signal: AbortSignal,
): Promise<readonly ListedChild[] | null> {
  const [ref] = line;
  const view = ref === undefined ? null : await shownPart(bus, line, signal);
  if (ref === undefined || view === null) return null;
  const container = { bus, ref, signal };
  return (await visibleCells(container, view)) ?? visibleRows(container, count, view);
}

/**
 * What shows of the first of these, as far as is known: all that shows of what it is in where it tells no place in there. null where
 * nothing is known. A long list of GTK 3 tells another place, because X counts no further than this.
 */
export async function shownPart(
  bus: AccessibilityBus,
  line: readonly Ref[],
  signal: AbortSignal,
): Promise<Rect | null> {
  const [own = null, ...others] = await Promise.all(
    line.map((one) => readExtents(bus, one, signal).catch(nullWhenRefused)),
  );
  const around = others.filter((one) => one !== null);
  const [first = own] = around;
  const view = around.reduce<Rect | null>((part, one) => part && intersect(part, one), first);
  const told = own !== null && own.height < MAX_X_LENGTH && own.width < MAX_X_LENGTH;
  return (told && view !== null ? intersect(own, view) : null) ?? view;
}

async function tableSize({ bus, ref, signal }: Container): Promise<readonly [number, number]> {
  const read = (name: string) => bus.property(ref, `Table.${name}`, { signal }).catch(nullWhenRefused);
  const [rows, columns] = await Promise.all([read('NRows'), read('NColumns')]);
  return [typeof rows === 'number' ? rows : 0, typeof columns === 'number' ? columns : 0];
}

/** The cell there; null where there is none, or the container does not say. */
export async function cellAtPoint(
  bus: AccessibilityBus,
  { ref }: Pick<AccessibleObject, 'ref'>,
  { x, y }: Point,
  signal: AbortSignal,
): Promise<ListedChild | null> {
  const asked = { signature: 'iiu', body: [Math.round(x), Math.round(y), WITHIN.screen], signal };
  const [hit] = (await bus.call(ref, 'Component.GetAccessibleAtPoint', asked).catch(nullWhenRefused)) ?? [];
  const cell = refOf(hit);
  if (cell === null || cell.bus !== ref.bus || idOf(cell) === idOf(ref)) return null;
  const [index] = (await bus.call(cell, 'Accessible.GetIndexInParent', { signal }).catch(nullWhenRefused)) ?? [];
  return typeof index === 'number' && index >= 0 ? { ref: cell, index } : null;
}

interface Cell {
  row: number;
  column: number;
}

/** null where it is no table. */
async function visibleCells(container: Container, view: Rect): Promise<readonly ListedChild[] | null> {
  const [rows, columns] = await tableSize(container);
  if (rows <= 0 || columns <= 0) return null;
  const first = await firstCell(container, view);
  if (first === null) return null;
  const last = await lastCell(container, view, first.at);
  const rowEnd = Math.min(rows - 1, last.row ?? first.cell.row + MAX_VISIBLE);
  const columnEnd = Math.min(columns - 1, last.column ?? first.cell.column + MAX_VISIBLE);
  const width = columnEnd - first.cell.column + 1;
  const height = rowEnd - first.cell.row + 1;
  if (width <= 0 || height <= 0) return null;
  const cells = Array.from({ length: Math.min(width * height, MAX_VISIBLE) }, (_, place) => ({
    row: first.cell.row + Math.floor(place / width),
    column: first.cell.column + (place % width),
  }));
  const read = await Promise.all(cells.map((cell) => readCell(container, cell)));
  return read.filter((one) => one !== null);
}

async function firstCell(container: Container, view: Rect): Promise<{ cell: Cell; at: Point } | null> {
  for (const y of INSETS)
    for (const x of INSETS) {
      const at = { x: view.x + x, y: view.y + y };
      const cell = x < view.width && y < view.height ? await cellAt(container, at) : null;
      if (cell !== null) return { cell, at };
    }
  return null;
}

/** null where the rows or columns end before the view does. */
async function lastCell(
  container: Container,
  view: Rect,
  first: Point,
): Promise<{ row: number | null; column: number | null }> {
  const [right, bottom] = [view.x + view.width, view.y + view.height];
  const last = async (points: readonly Point[]): Promise<Cell | null> => {
    for (const at of points) {
      const cell = at.x >= first.x && at.y >= first.y ? await cellAt(container, at) : null;
      if (cell !== null) return cell;
    }
    return null;
  };
  const [below, beside] = await Promise.all([
    last(INSETS.slice(0, 4).map((inset) => ({ x: first.x, y: bottom - inset }))),
    last(INSETS.slice(0, 4).map((inset) => ({ x: right - inset, y: first.y }))),
  ]);
  return { row: below?.row ?? null, column: beside?.column ?? null };
}

async function cellAt(container: Container, at: Point): Promise<Cell | null> {
  const { bus, ref, signal } = container;
  const found = await cellAtPoint(bus, container, at, signal);
  if (found === null) return null;
  const read = async (member: string): Promise<unknown> =>
    (await bus.call(ref, member, { signature: 'i', body: [found.index], signal }).catch(nullWhenRefused))?.[0];
  const [row, column] = await Promise.all([read('Table.GetRowAtIndex'), read('Table.GetColumnAtIndex')]);
  return typeof row === 'number' && typeof column === 'number' && row >= 0 && column >= 0 ? { row, column } : null;
}

async function readCell({ bus, ref, signal }: Container, { row, column }: Cell): Promise<ListedChild | null> {
  const body = [row, column];
  const [found, index] = await Promise.all(
    ['Table.GetAccessibleAt', 'Table.GetIndexAt'].map((member) =>
      bus.call(ref, member, { signature: 'ii', body, signal }).catch(nullWhenRefused),
    ),
  );
  const cell = refOf(found?.[0]);
  if (cell === null || cell.bus !== ref.bus) return null;
  return { ref: cell, index: typeof index?.[0] === 'number' ? index[0] : -1 };
}

/** The rows of a list, which lie one below the other: the first that reaches into the view is found by halving. */
async function visibleRows(container: Container, count: number, view: Rect): Promise<readonly ListedChild[] | null> {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const placed = await firstPlaced(container, middle, Math.min(high, middle + MAX_HIDDEN_NEIGHBOURS));
    if (placed === null) return null;
    if (placed.extents.y + placed.extents.height <= view.y) low = placed.index + 1;
    else high = middle;
  }
  const rows: ListedChild[] = [];
  const end = Math.min(count, low + MAX_VISIBLE);
  for (let index = low; index < end; index += 1) {
    const row = await rowAt(container, index);
    if (row === null || row.extents === null) continue;
    if (row.extents.y >= view.y + view.height) return rows;
    rows.push({ ref: row.ref, index });
  }
  return end === count ? rows : null;
}

async function firstPlaced(
  container: Container,
  from: number,
  to: number,
): Promise<{ index: number; extents: Rect } | null> {
  for (let index = from; index < to; index += 1) {
    const row = await rowAt(container, index);
    if (row !== null && row.extents !== null) return { index, extents: row.extents };
  }
  return null;
}

async function rowAt(
  { bus, ref, signal }: Container,
  index: number,
): Promise<{ ref: Ref; extents: Rect | null } | null> {
  const row = await childAt(bus, ref, index, signal).catch(nullWhenRefused);
  if (row === null || row.bus !== ref.bus) return null;
  return { ref: row, extents: await readExtents(bus, row, signal).catch(nullWhenRefused) };
}
