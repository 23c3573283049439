/** Coarse pixel fingerprints, taken before asking and right before the act, and their comparison. Pure. */
import type { Capture } from '../../native/desktop.js';
import type { PixelFingerprint } from './plan.js';

/** Side of a cell in points; larger for pictures that would have too many cells. */
const CELL_POINTS = 2;
const MAX_CELLS = 20_000;

/** A cell counts as unchanged up to this difference in red, green and blue (hover tint, noise). */
const TINT_TOLERANCE = 16;

/** Size of a text caret in points: a thin upright bar. */
const CARET = { widest: 2.5, lowest: 12, tallest: 48 };
/** Between the most and the least ink of a caret's rows. */
const EVEN_RATIO = 1.25;

export function fingerprintPixels(capture: Capture): PixelFingerprint {
  const { width, height, scale } = capture;
  const finest = Math.max(2, Math.round(CELL_POINTS * scale));
  const edge = Math.max(finest, Math.ceil(Math.sqrt((width * height) / MAX_CELLS)));
  const columns = Math.ceil(width / edge);
  const rows = Math.ceil(height / edge);
  const cells: number[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) pushMeanColor(cells, capture, column * edge, row * edge, edge);
  }
  return { columns, rows, cells, edge: edge / scale };
}

function pushMeanColor(cells: number[], { width, height, rgb }: Capture, left: number, top: number, edge: number) {
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
  cells.push(Math.round(red / count), Math.round(green / count), Math.round(blue / count));
}

interface Change {
  column: number;
  row: number;
  /** Red, green and blue, each signed. */
  by: [number, number, number];
}

/** Where a caret may be. */
interface CaretOptions {
  /** The caret may lie over parts of letters. For fields whose text is known to be the same: “−” and “+” differ by no more. */
  overText?: boolean;
}

/** True where at most a caret or a slight tint differs. Fingerprints of different sizes are never the same. */
export function samePixels(a: PixelFingerprint, b: PixelFingerprint, caret: CaretOptions = {}): boolean {
  return changedCells(a, b, caret)?.length === 0;
}

/** Indexes of the cells that differ by more than a tint; empty where only a caret differs; null for different sizes. */
export function changedCells(a: PixelFingerprint, b: PixelFingerprint, caret: CaretOptions = {}): number[] | null {
  const count = a.columns * a.rows;
  if (count === 0 || a.columns !== b.columns || a.rows !== b.rows) return null;
  if (a.cells.length !== count * 3 || b.cells.length !== count * 3) return null;
  const changes = changesBetween(a, b);
  if (changes.length === 0 || isCaret(changes, a.edge ?? b.edge ?? CELL_POINTS, caret)) return [];
  return changes.map(({ column, row }) => row * a.columns + column);
}

function changesBetween(a: PixelFingerprint, b: PixelFingerprint): Change[] {
  const changes: Change[] = [];
  const by = (at: number) => (b.cells[at] ?? NaN) - (a.cells[at] ?? NaN);
  for (let cell = 0; cell < a.columns * a.rows; cell++) {
    const shift: Change['by'] = [by(cell * 3), by(cell * 3 + 1), by(cell * 3 + 2)];
    // Written so that NaN counts as a change.
    if (shift.every((value) => Math.abs(value) <= TINT_TOLERANCE)) continue;
    changes.push({ column: cell % a.columns, row: Math.floor(cell / a.columns), by: shift });
  }
  return changes;
}

/** One unbroken upright bar, at most two cells wide (it may lie across a cell border), all darker or all lighter, of even strength. */
function isCaret(changes: readonly Change[], edge: number, { overText = false }: CaretOptions): boolean {
  const columns = changes.map((change) => change.column);
  if (Math.max(...columns) - Math.min(...columns) > 1) return false;
  const found = inkByRow(changes);
  if (found === null) return false;
  const most = Math.max(...found);
  const inks = overText ? withoutLetters(found, most) : found;
  // The first and last row may be covered only partly.
  const height = (inks.reduce((sum, ink) => sum + ink, 0) / most) * edge;
  if (!(height >= CARET.lowest && height <= CARET.tallest && (most * edge) / 255 <= CARET.widest)) return false;
  return isEven(inks.slice(1, -1));
}

/** Where a letter lies under the caret, less changes: such rows count as whole, if they are at most a third. */
function withoutLetters(inks: readonly number[], most: number): readonly number[] {
  const covered = inks.slice(1, -1).filter((ink) => !isEven([ink, most])).length;
  if (covered > inks.length / 3) return inks;
  return inks.map((ink, index) => (index === 0 || index === inks.length - 1 ? ink : Math.max(ink, most / EVEN_RATIO)));
}

/** The change of each row from first to last; null where cells change in both directions. */
function inkByRow(changes: readonly Change[]): number[] | null {
  const rows = new Map<number, number>();
  const signs = new Set<number>();
  for (const { row, by } of changes) {
    const ink = strongestChannel(by);
    signs.add(Math.sign(ink));
    rows.set(row, (rows.get(row) ?? 0) + Math.abs(ink));
  }
  if (signs.size !== 1) return null;
  const [first, last] = [Math.min(...rows.keys()), Math.max(...rows.keys())];
  return Array.from({ length: last - first + 1 }, (_, index) => rows.get(first + index) ?? 0);
}

function strongestChannel(by: Change['by']): number {
  return by.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
}

function isEven(inks: readonly number[]): boolean {
  return Math.max(...inks, 0) <= EVEN_RATIO * Math.min(...inks, Infinity);
}
