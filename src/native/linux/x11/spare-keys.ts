import { DesktopError } from '../../desktop.js';
import { delay } from '../../../base/poll.js';
import type { XConnection } from './connection.js';
import type { Keymap } from './keymap.js';
import { message } from '../../../messages/index.js';

/**
 * Assigns symbols that the layout does not have to unused keycodes.
 * A keycode gets another symbol only after the applications have handled every key sent before, because they look the
 * symbol up when they handle the key, not when it was sent; `inputHandled` waits for that.
 */
export type SpareKeys = ReturnType<typeof openSpareKeys>;

const KEYMAP_REFRESH_MS = 15;
/** Two levels of two groups: a key with the same in both has one group, which is there in every layout. */
const COLUMNS = 4;

export function openSpareKeys(x: XConnection, inputHandled: (signal: AbortSignal) => Promise<void>) {
  /** Keycode to keysym, least recently used first. */
  const assigned = new Map<number, number>();
  const ours = new Set<number>();

  const keycodeOf = (keysym: number): number | null => {
    for (const [keycode, held] of assigned) if (held === keysym) return keycode;
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
        const change = changes.get(keycode) ?? assigned.get(keycode);
        const [one = 0, two = 0] = keymap.keysyms(keycode);
        keysyms.push(...(change === undefined ? [one, two, 0, 0] : [change, change, change, change]));
      }
      // One request for the whole run, because each request makes every application read the keymap again.
      await x.send((done) => x.client.ChangeKeyboardMapping(first, COLUMNS, keysyms, done));
    }
  };

  const assign = async (keysyms: number[], keymap: Keymap, signal: AbortSignal): Promise<void> => {
    const missing: number[] = [];
    for (const keysym of new Set(keysyms)) {
      const keycode = keycodeOf(keysym);
      if (keycode === null) missing.push(keysym);
      else {
        assigned.delete(keycode);
        assigned.set(keycode, keysym);
      }
    }
    if (missing.length === 0) return;
    const all = keymap.spare.flat();
    const free = all.filter((keycode) => !assigned.has(keycode));
    const oldest = [...assigned.keys()].filter(
      (keycode) => all.includes(keycode) && !keysyms.includes(assigned.get(keycode) ?? 0),
    );
    const chosen = [...free, ...oldest].slice(0, missing.length);
    if (chosen.length < missing.length) {
      throw new DesktopError('unsupported', message('native.no_spare_key'));
    }
    if (chosen.some((keycode) => assigned.has(keycode))) await inputHandled(signal);
    const changes = new Map(chosen.map((keycode, index) => [keycode, missing[index] ?? 0]));
    for (const [keycode, keysym] of changes) {
      ours.add(keycode);
      assigned.delete(keycode);
      assigned.set(keycode, keysym);
    }
    await write(keymap, changes);
    await delay(KEYMAP_REFRESH_MS, signal);
  };

  return {
    /** Keycodes that were ever assigned. */
    ours,
    keycode: keycodeOf,
    /** How many symbols can be assigned at once. */
    capacity: (keymap: Keymap): number => Math.ceil(keymap.spare.flat().length / 2),
    /** Assigns all of `keysyms` (at most `capacity`). */
    assign,
    /** Forgets assignments that another program has overwritten. */
    dropOverwritten: (keymap: Keymap): void => {
      for (const [keycode, keysym] of assigned) if (keymap.keysyms(keycode)[0] !== keysym) assigned.delete(keycode);
    },
    clear: async (keymap: Keymap): Promise<void> => {
      if (assigned.size === 0) return;
      await inputHandled(AbortSignal.timeout(1000)).catch(() => {});
      const changes = new Map([...assigned.keys()].map((keycode) => [keycode, 0]));
      assigned.clear();
      await write(keymap, changes);
    },
  };
}
