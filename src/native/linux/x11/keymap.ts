/** What to press for a keysym in the layout in use, and which keycodes can be given other symbols. */
import { isForeign, isLockKeysym, isModifierKeysym, modernKeysym, NUM_LOCK } from '../keysyms.js';
import { levelUnder, type XkbKey } from './xkb.js';

/** How to get a keysym from the keyboard as it is now. */
export interface Stroke {
  keycode: number;
  /** The modifiers that must be on, of those that the key looks at. */
  modifiers: number;
  mask: number;
}

const LAST_LAYOUT_KEY = 135;
const MODIFIERS = [1, 2, 4, 8, 16, 32, 64, 128];
const CONTROL = 4;

export class Keymap {
  /** Keycodes without a symbol, in runs that can be written with one request without loss to the keys between. */
  readonly spare: readonly number[][];
  /** The modifier of Num Lock, which only keypads look at. */
  readonly numLock: number;
  /** By keysym, the best first. */
  readonly #strokes = new Map<number, Stroke[]>();
  readonly #keys: ReadonlyMap<number, XkbKey>;

  /** `ours` are keycodes that this program has given a symbol itself: they count as spare. */
  constructor(keys: readonly XkbKey[], ours: ReadonlySet<number>) {
    this.#keys = new Map(keys.map((key) => [key.keycode, key]));
    this.spare = spareRuns(keys, ours);
    const unused = new Set(this.spare.flat());
    const used = keys.filter(({ keycode }) => !unused.has(keycode));
    this.numLock = modifierOf(used, NUM_LOCK);
    for (const key of used) this.#addStrokes(key);
    const settable = MODIFIERS.filter((bit) => this.#setting(bit, 0) !== null).reduce((all, bit) => all | bit, 0);
    const cost = ({ modifiers }: Stroke): number => bitsOf(modifiers) + 10 * bitsOf(modifiers & ~settable);
    for (const strokes of this.#strokes.values()) strokes.sort((one, other) => cost(one) - cost(other));
  }

  keysyms(keycode: number): readonly number[] {
    return this.#keys.get(keycode)?.keysyms ?? [];
  }

  /** null where the layout in use has no key for it. */
  stroke(keysym: number): Stroke | null {
    return this.#strokes.get(keysym)?.[0] ?? null;
  }

  /** That of a key that has the keysym alone: no other key is held for it, at most Num Lock is on. */
  alone(keysym: number): Stroke | null {
    return this.#strokes.get(keysym)?.find(({ modifiers }) => (modifiers & ~this.numLock) === 0) ?? null;
  }

  /** Whether pressing it changes which modifiers are locked. */
  locks({ keycode, modifiers }: Stroke): boolean {
    const key = this.#keys.get(keycode);
    return key !== undefined && isLockKeysym(key.levels[levelUnder(key, modifiers)]?.keysym ?? 0);
  }

  /** The keys that set these modifiers while held, as far as there are any; `missing` are those that no key sets alone. */
  modifierKeys(modifiers: number, held: number): { keycodes: number[]; missing: number } {
    const keycodes: number[] = [];
    let [missing, on] = [0, held];
    for (const bit of MODIFIERS.filter((one) => (modifiers & one) !== 0)) {
      const keycode = this.#setting(bit, on);
      if (keycode === null) missing |= bit;
      else keycodes.push(keycode);
      if (keycode !== null) on |= bit;
    }
    return { keycodes, missing };
  }

  /** The modifiers that this key sets while it is held, where these are on. */
  sets(keycode: number, held: number): number {
    const key = this.#keys.get(keycode);
    return key === undefined ? 0 : (key.levels[levelUnder(key, held)]?.sets ?? 0);
  }

  #setting(bit: number, held: number): number | null {
    for (const key of this.#keys.values()) {
      const level = key.levels[levelUnder(key, held)];
      if (level?.sets === bit && isModifierKeysym(level.keysym)) return key.keycode;
    }
    return null;
  }

  #addStrokes(key: XkbKey): void {
    const { keycode, type } = key;
    const combinations = new Set([0, ...type.entries.map(({ modifiers }) => modifiers)]);
    for (const modifiers of combinations) {
      // A program takes a key with Control for a command.
      if ((modifiers & CONTROL) !== 0) continue;
      const keysym = key.levels[levelUnder(key, modifiers)]?.keysym ?? 0;
      if (keysym === 0) continue;
      for (const name of new Set([keysym, modernKeysym(keysym)])) {
        const known = this.#strokes.get(name) ?? [];
        this.#strokes.set(name, [...known, { keycode, modifiers, mask: type.mask }]);
      }
    }
  }
}

const bitsOf = (mask: number): number => mask.toString(2).replaceAll('0', '').length;

function modifierOf(keys: readonly XkbKey[], keysym: number): number {
  return keys.find(({ keysyms }) => keysyms.includes(keysym))?.modifiers ?? 0;
}

function spareRuns(keys: readonly XkbKey[], ours: ReadonlySet<number>): number[][] {
  const runs: number[][] = [[]];
  for (const { keycode, keysyms, isPlain } of keys) {
    if (ours.has(keycode) || keysyms.every((keysym) => keysym === 0) || isLeftover(keycode, keysyms))
      runs.at(-1)?.push(keycode);
    else if (!isPlain || keysyms.some(isModifierKeysym)) runs.push([]);
  }
  return runs.filter((run) => run.length > 0).sort((a, b) => b.length - a.length);
}

/** A single foreign character on a keycode that layouts do not use: left by a host that was killed. */
function isLeftover(keycode: number, keysyms: readonly number[]): boolean {
  const [only, ...more] = new Set(keysyms.filter((keysym) => keysym !== 0));
  return keycode > LAST_LAYOUT_KEY && more.length === 0 && only !== undefined && isForeign(only);
}
