/** What to press for a keysym in the layout in use, and which keycodes can be given other symbols. */
import type { XKeyboardExtension } from 'x11';
import type { XConnection } from './connection.js';
import { isForeign, isLockKeysym, isModifierKeysym, modernKeysym, NUM_LOCK } from '../keysyms.js';
import { DesktopError } from '../../desktop.js';
import { delay } from '../../../base/poll.js';
import { message } from '../../../messages/index.js';

// The keyboard as XKB describes it: the request GetMap, which the library does not have, and what its reply says of each key.

/** Which modifiers lead to which level; all others lead to the first. */
interface KeyType {
  /** The modifiers that the key looks at. */
  mask: number;
  entries: readonly { modifiers: number; level: number }[];
}

interface Level {
  keysym: number;
  /** The modifiers that are on while the key is down. */
  sets: number;
}

/** A key as it is while one layout is in use. */
interface XkbKey {
  keycode: number;
  type: KeyType;
  levels: readonly Level[];
  /** In all layouts. */
  keysyms: readonly number[];
  /** That the core protocol knows it by. */
  modifiers: number;
  /** The core protocol can write it back as it is. */
  isPlain: boolean;
}

const GET_MAP = 8;
const [KEY_TYPES, KEY_SYMS, MODIFIER_MAP, KEY_ACTIONS] = [1, 2, 4, 16];
const ACTION_BYTES = 8;
const SET_MODIFIERS = 1;
const NO_TYPE: KeyType = { mask: 0, entries: [] };

type KeyMap = (group: number) => XkbKey[];

/** All keys; `group` is the number of the layout in use, from 0. */
export function readXkbMap({ client, query }: XConnection, xkb: XKeyboardExtension): Promise<KeyMap> {
  const request = Buffer.alloc(28);
  request.writeUInt8(xkb.majorOpcode, 0);
  request.writeUInt8(GET_MAP, 1);
  request.writeUInt16LE(request.length / 4, 2);
  request.writeUInt16LE(xkb.UseCoreKbd, 4);
  request.writeUInt16LE(KEY_TYPES | KEY_SYMS | MODIFIER_MAP | KEY_ACTIONS, 6);
  return query<KeyMap>((reply) => {
    client.seq_num += 1;
    client.replies[client.seq_num] = [parseMap, reply];
    client.pack_stream.put(request);
    client.pack_stream.submit(true);
  });
}

/** The level that the key has under these modifiers. */
const levelUnder = ({ type }: XkbKey, modifiers: number): number =>
  type.entries.find((entry) => entry.modifiers === (modifiers & type.mask))?.level ?? 0;

interface RawKey {
  keycode: number;
  types: number[];
  groupInfo: number;
  width: number;
  keysyms: number[];
  actions: Buffer;
  modifiers: number;
}

/** The reply after its first 8 bytes. */
function parseMap(reply: Buffer): KeyMap {
  let at = 32;
  const take = (length: number): Buffer => reply.subarray(at, (at += length));
  const types = Array.from({ length: reply.readUInt8(7) }, () => parseType(take));
  const first = reply.readUInt8(9);
  const keys = Array.from({ length: reply.readUInt8(12) }, (_, index) => parseKey(take, first + index));
  addActions(take, keys, reply.readUInt8(13), reply.readUInt8(16));
  for (let left = reply.readUInt8(25); left > 0; left -= 1) {
    const [keycode = 0, modifiers = 0] = take(2);
    const key = keys[keycode - first];
    if (key !== undefined) key.modifiers = modifiers;
  }
  return (group) => keys.map((key) => inGroup(key, types, group));
}

function parseType(take: (length: number) => Buffer): KeyType {
  const [mask = 0, , , , , count = 0, preserves = 0] = take(8);
  const entries = Array.from({ length: count }, () => take(8))
    .filter(([active]) => active !== 0)
    .map(([, modifiers = 0, level = 0]) => ({ modifiers, level }));
  if (preserves !== 0) take(4 * count);
  return { mask, entries };
}

function parseKey(take: (length: number) => Buffer, keycode: number): RawKey {
  const head = take(8);
  const keysyms = Array.from({ length: head.readUInt16LE(6) }, () => take(4).readUInt32LE());
  const [groupInfo, width] = [head.readUInt8(4), head.readUInt8(5)];
  return {
    keycode,
    types: [...head.subarray(0, 4)],
    groupInfo,
    width,
    keysyms,
    actions: Buffer.alloc(0),
    modifiers: 0,
  };
}

function addActions(take: (length: number) => Buffer, keys: RawKey[], first: number, count: number): void {
  const counts = [...take(count)];
  take((4 - (count % 4)) % 4);
  for (const [index, actions] of counts.entries()) {
    const bytes = take(actions * ACTION_BYTES);
    const key = keys.find(({ keycode }) => keycode === first + index);
    if (key !== undefined) key.actions = bytes;
  }
}

function inGroup(key: RawKey, types: readonly KeyType[], group: number): XkbKey {
  const own = ownGroup(group, key.groupInfo);
  const levels = Array.from({ length: key.keysyms.length === 0 ? 0 : key.width }, (_, level) => {
    const place = own * key.width + level;
    return { keysym: key.keysyms[place] ?? 0, sets: setBy(key, place) };
  });
  const isPlain =
    (key.groupInfo & 0xf) <= 1 && key.width <= 2 && key.modifiers === 0 && key.actions.every((byte) => byte === 0);
  const { keycode, keysyms, modifiers } = key;
  return { keycode, type: types[key.types[own] ?? 0] ?? NO_TYPE, levels, keysyms, modifiers, isPlain };
}

/** A key that has fewer layouts than the keyboard says itself what it does in the others. */
function ownGroup(group: number, info: number): number {
  const count = info & 0xf;
  if (group < count || count === 0) return count === 0 ? 0 : group;
  if ((info & 0xc0) === 0x40) return count - 1;
  if ((info & 0xc0) === 0) return group % count;
  const other = (info >> 4) & 3;
  return other < count ? other : 0;
}

function setBy({ actions, modifiers }: RawKey, place: number): number {
  if (actions.length === 0) return modifiers;
  const [type, , mask = 0] = actions.subarray(place * ACTION_BYTES);
  return type === SET_MODIFIERS ? mask : 0;
}

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
