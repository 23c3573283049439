import type { XConnection } from './connection.js';
import { isForeign, isModifierKeysym, modernKeysym } from './keysyms.js';

/** How to get a keysym from the keyboard as it is now. */
interface Stroke {
  keycode: number;
  shift: boolean;
  level3: boolean;
}

export interface Keymap {
  /** null where the layout in use has no key for it. */
  stroke(keysym: number): Stroke | null;
  /** Keycodes without a symbol, in runs that can be written with one request without loss to the keys between. */
  spare: number[][];
  rows: ReadonlyMap<number, number[]>;
  width: number;
}

const LAST_LAYOUT_KEY = 135;

/** Columns of levels 1 to 4 by keyboard group; X's core mapping shows two groups. */
const LEVELS: readonly (readonly [number, number, number, number])[] = [
  [0, 1, 4, 5],
  [2, 3, 6, 7],
];

/**
 * Reads the keyboard mapping. `group` is the layout in use, from 0. `ours` are keycodes that this program has given
 * a symbol itself: they count as spare.
 */
export async function readKeymap(x: XConnection, group: number, ours: ReadonlySet<number>): Promise<Keymap> {
  const first = x.display.min_keycode;
  const count = x.display.max_keycode - first + 1;
  const list = await x.query<number[][]>((r) => x.client.GetKeyboardMapping(first, count, r));
  const rows = new Map(list.map((row, index) => [first + index, row]));
  const spare = spareRuns(rows, ours);
  const unused = new Set(spare.flat());
  const strokes = new Map<number, Stroke>();
  const columns = LEVELS[group] ?? [];
  for (const [level, column] of columns.entries()) {
    for (const [keycode, row] of rows) {
      const keysym = row[column] ?? 0;
      if (keysym === 0 || unused.has(keycode)) continue;
      const stroke = { keycode, shift: level % 2 === 1, level3: level >= 2 };
      for (const name of [keysym, modernKeysym(keysym)]) if (!strokes.has(name)) strokes.set(name, stroke);
    }
  }
  return {
    stroke: (keysym) => strokes.get(keysym) ?? null,
    spare,
    rows,
    width: list[0]?.length ?? 2,
  };
}

function spareRuns(rows: ReadonlyMap<number, number[]>, ours: ReadonlySet<number>): number[][] {
  const runs: number[][] = [[]];
  for (const [keycode, row] of rows) {
    if (ours.has(keycode) || row.every((keysym) => keysym === 0) || isLeftover(keycode, row))
      runs.at(-1)?.push(keycode);
    else if (losesByRewriting(row)) runs.push([]);
  }
  return runs.filter((run) => run.length > 0).sort((a, b) => b.length - a.length);
}

/** A single foreign character on a keycode that layouts do not use: left by a host that was killed. */
function isLeftover(keycode: number, row: number[]): boolean {
  const [only, ...more] = new Set(row.filter((keysym) => keysym !== 0));
  return keycode > LAST_LAYOUT_KEY && more.length === 0 && only !== undefined && isForeign(only);
}

/** Writing this row back would lose a modifier's action, or groups and levels that the core mapping does not show. */
function losesByRewriting(row: number[]): boolean {
  const [one = 0, two = 0, three = 0, four = 0, ...more] = row;
  if (row.some(isModifierKeysym)) return true;
  const secondGroup = (three !== 0 || four !== 0) && (three !== one || four !== two);
  return secondGroup || more.some((keysym) => keysym !== 0 && keysym !== one && keysym !== two);
}
