import { DesktopError } from '../../desktop.js';
import { delay } from '../../../base/poll.js';
import type { XConnection } from './connection.js';
import type { Keymap } from './keymap.js';

/**
 * Symbols that no key of the layout has, put on keycodes that nothing uses.
 * A keycode gets another symbol only after the applications have seen every key sent before, because they look a
 * symbol up when they handle the key, not when it was sent; `settled` waits for that.
 */
export interface SpareKeys {
  readonly ours: ReadonlySet<number>;
  keycode(keysym: number): number | null;
  /** How many symbols can be laid out at once. */
  capacity(keymap: Keymap): number;
  /** Lays out all of `keysyms` (at most `capacity`). */
  lay(keysyms: number[], keymap: Keymap, signal: AbortSignal): Promise<void>;
  /** Drops what another program has overwritten. */
  compare(keymap: Keymap): void;
  clear(keymap: Keymap): Promise<void>;
}

const APPLICATIONS_REFRESH = 15;

export function openSpareKeys(x: XConnection, settled: (signal: AbortSignal) => Promise<void>): SpareKeys {
  /** Keycode to keysym, least recently used first. */
  const laid = new Map<number, number>();
  const ours = new Set<number>();

  const holder = (keysym: number): number | null => {
    for (const [keycode, held] of laid) if (held === keysym) return keycode;
    return null;
  };

  const write = async (keymap: Keymap, changes: ReadonlyMap<number, number>): Promise<void> => {
    for (const run of keymap.spare) {
      const touched = run.filter((keycode) => changes.has(keycode));
      const first = touched[0];
      const last = touched.at(-1);
      if (first === undefined || last === undefined) continue;
      const keysyms: number[] = [];
      for (let keycode = first; keycode <= last; keycode += 1) {
        const change = changes.get(keycode) ?? laid.get(keycode);
        const row = keymap.rows.get(keycode) ?? [];
        for (let column = 0; column < keymap.width; column += 1) {
          keysyms.push(change === undefined ? (row[column] ?? 0) : column < 4 ? change : 0);
        }
      }
      // One request for the whole run: each one makes every application read its keyboard again.
      await x.tell((done) => x.client.ChangeKeyboardMapping(first, keymap.width, keysyms, done));
    }
  };

  const lay = async (keysyms: number[], keymap: Keymap, signal: AbortSignal): Promise<void> => {
    const missing: number[] = [];
    for (const keysym of new Set(keysyms)) {
      const keycode = holder(keysym);
      if (keycode === null) missing.push(keysym);
      else {
        laid.delete(keycode);
        laid.set(keycode, keysym);
      }
    }
    if (missing.length === 0) return;
    const all = keymap.spare.flat();
    const free = all.filter((keycode) => !laid.has(keycode));
    const oldest = [...laid.keys()].filter(
      (keycode) => all.includes(keycode) && !keysyms.includes(laid.get(keycode) ?? 0),
    );
    const chosen = [...free, ...oldest].slice(0, missing.length);
    if (chosen.length < missing.length) {
      throw new DesktopError(
        'unsupported',
        'This keyboard has no unused key left for such characters. Paste the text.',
      );
    }
    if (chosen.some((keycode) => laid.has(keycode))) await settled(signal);
    const changes = new Map(chosen.map((keycode, index) => [keycode, missing[index] ?? 0]));
    for (const [keycode, keysym] of changes) {
      ours.add(keycode);
      laid.delete(keycode);
      laid.set(keycode, keysym);
    }
    await write(keymap, changes);
    await delay(APPLICATIONS_REFRESH, signal);
  };

  return {
    ours,
    keycode: holder,
    capacity: (keymap) => Math.ceil(keymap.spare.flat().length / 2),
    lay,
    compare: (keymap) => {
      for (const [keycode, keysym] of laid) if (keymap.rows.get(keycode)?.[0] !== keysym) laid.delete(keycode);
    },
    clear: async (keymap) => {
      if (laid.size === 0) return;
      await settled(AbortSignal.timeout(1000)).catch(() => {});
      const changes = new Map([...laid.keys()].map((keycode) => [keycode, 0]));
      laid.clear();
      await write(keymap, changes);
    },
  };
}
