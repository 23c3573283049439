/** The keyboard as XKB describes it: the request GetMap, which the library does not have, and what its reply says of each key. */
import type { XKeyboardExtension } from 'x11';
import type { XConnection } from './connection.js';

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
export interface XkbKey {
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

export type KeyMap = (group: number) => XkbKey[];

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
export const levelUnder = ({ type }: XkbKey, modifiers: number): number =>
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
