/** Pure: a coarse picture of a target, and whether two show the same. The pipeline takes one before asking and one right before the act. */
import type { Capture } from '../../native/desktop.js';
import type { PixelPrint } from './plan.js';

/** Side of a cell, in points, while the picture is small enough. */
const CELL_POINTS = 2;
const MOST_CELLS = 20_000;

/** A cell may shift this far in each of red, green and blue (a hover tint, noise) and still be the same. */
const TINT = 16;

/** A text caret: a thin upright bar on one background, in points. */
const CARET = { widest: 2.5, lowest: 12, tallest: 48 };

export function printPixels(capture: Capture): PixelPrint {
  const { width, height, scale } = capture;
  const finest = Math.max(2, Math.round(CELL_POINTS * scale));
  const edge = Math.max(finest, Math.ceil(Math.sqrt((width * height) / MOST_CELLS)));
  const columns = Math.ceil(width / edge);
  const rows = Math.ceil(height / edge);
  const cells: number[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) cells.push(...mean(capture, column * edge, row * edge, edge));
  }
  return { columns, rows, cells, edge: edge / scale };
}

function mean({ width, height, rgb }: Capture, left: number, top: number, edge: number): [number, number, number] {
  const right = Math.min(width, left + edge);
  const bottom = Math.min(height, top + edge);
  let [red, green, blue] = [0, 0, 0];
  for (let y = top; y < bottom; y++) {
    for (let at = (y * width + left) * 3; at < (y * width + right) * 3; at += 3) {
      red += rgb[at] ?? 0;
      green += rgb[at + 1] ?? 0;
      blue += rgb[at + 2] ?? 0;
    }
  }
  const count = (right - left) * (bottom - top);
  return [Math.round(red / count), Math.round(green / count), Math.round(blue / count)];
}

interface Change {
  column: number;
  row: number;
  /** Red, green and blue, each signed. */
  by: [number, number, number];
}

/** True when nothing but a caret or a slight tint differs. Two prints that cannot be compared are not the same. */
export function samePixels(a: PixelPrint, b: PixelPrint): boolean {
  return changedCells(a, b)?.length === 0;
}

/** The cells that differ by more than a slight tint, none where only a caret does; null where the two cannot be compared. */
export function changedCells(a: PixelPrint, b: PixelPrint): number[] | null {
  const count = a.columns * a.rows;
  if (count === 0 || a.columns !== b.columns || a.rows !== b.rows) return null;
  if (a.cells.length !== count * 3 || b.cells.length !== count * 3) return null;
  const changes = changesBetween(a, b);
  if (changes.length === 0 || isCaret(changes, a.edge ?? b.edge ?? CELL_POINTS)) return [];
  return changes.map(({ column, row }) => row * a.columns + column);
}

function changesBetween(a: PixelPrint, b: PixelPrint): Change[] {
  const changes: Change[] = [];
  const by = (at: number) => (b.cells[at] ?? NaN) - (a.cells[at] ?? NaN);
  for (let cell = 0; cell < a.columns * a.rows; cell++) {
    const shift: Change['by'] = [by(cell * 3), by(cell * 3 + 1), by(cell * 3 + 2)];
    // Written so that NaN counts as a change.
    if (shift.every((value) => Math.abs(value) <= TINT)) continue;
    changes.push({ column: cell % a.columns, row: Math.floor(cell / a.columns), by: shift });
  }
  return changes;
}

/** One upright bar, at most two cells wide (it may lie across a border), unbroken, all darker or all lighter, even from top to bottom. */
function isCaret(changes: readonly Change[], edge: number): boolean {
  const columns = changes.map((change) => change.column);
  if (Math.max(...columns) - Math.min(...columns) > 1) return false;
  const inks = inkByRow(changes);
  if (inks === null) return false;
  const most = Math.max(...inks);
  // The first and last row may be covered in part only.
  const height = (inks.reduce((sum, ink) => sum + ink, 0) / most) * edge;
  if (!(height >= CARET.lowest && height <= CARET.tallest && (most * edge) / 255 <= CARET.widest)) return false;
  return isEven(inks.slice(1, -1));
}

/** Size of the change of each row from the first to the last; null where a row in between has none, or some cells got lighter and others darker. */
function inkByRow(changes: readonly Change[]): number[] | null {
  const rows = new Map<number, number>();
  const signs = new Set<number>();
  for (const { row, by } of changes) {
    const ink = strongest(by);
    signs.add(Math.sign(ink));
    rows.set(row, (rows.get(row) ?? 0) + Math.abs(ink));
  }
  const first = Math.min(...rows.keys());
  const inks: number[] = [];
  for (let row = first; row < first + rows.size; row++) {
    const ink = rows.get(row);
    if (ink === undefined) return null;
    inks.push(ink);
  }
  return signs.size === 1 ? inks : null;
}

function strongest(by: Change['by']): number {
  return by.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
}

function isEven(inks: readonly number[]): boolean {
  return Math.max(...inks, 0) <= 1.25 * Math.min(...inks, Infinity);
}
