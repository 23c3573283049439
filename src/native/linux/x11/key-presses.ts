/** Which keys to press, and which locks to turn meanwhile, for a character or a modifier. */
import { DesktopError } from '../../desktop.js';
import type { Keymap, Stroke } from './keymap.js';
import { message } from '../../../messages/index.js';

/** Of each, in the order in which they are looked for; `mask` is the modifier where it is the same on all keyboards. */
const MODIFIER_KEYS: ReadonlyMap<string, { keysyms: readonly number[]; mask: number }> = new Map([
  ['shift', { keysyms: [0xffe1, 0xffe2], mask: 1 }],
  ['ctrl', { keysyms: [0xffe3, 0xffe4], mask: 4 }],
  ['alt', { keysyms: [0xffe9, 0xffea, 0xffe7], mask: 0 }],
  ['altgr', { keysyms: [0xfe03, 0xff7e], mask: 0 }],
  ['super', { keysyms: [0xffeb, 0xffec], mask: 0 }],
]);

export interface Press {
  /** Modifiers first. */
  keycodes: number[];
  /** Modifiers whose lock must be the other way while the keys are pressed. */
  flips: number;
}

/** The keyboard at one moment. */
export interface Moment {
  map: Keymap;
  group: number;
  locked: number;
  latched: number;
  /** Modifiers that are held. */
  base: number;
}

/** null for a key that is no modifier. Where a layout has its modifiers in other places, or makes them switch layouts, any key that sets the modifier; else its lock. */
export function modifierPress(name: string, now: Moment, on: number): Press | null {
  const modifier = MODIFIER_KEYS.get(name);
  if (modifier === undefined) return null;
  const { keysyms, mask } = modifier;
  const strokes = keysyms.map((keysym) => now.map.alone(keysym)).filter((stroke) => stroke !== null);
  const usable = strokes.find(({ keycode }) => now.map.sets(keycode, on) !== 0);
  if (usable !== undefined) return pressing(usable, now, on);
  const bits = mask === 0 ? (strokes[0] === undefined ? 0 : now.map.sets(strokes[0].keycode, 0)) : mask;
  if (bits === 0)
    throw new DesktopError('unsupported', message('native.layout_lacks_key', { key: JSON.stringify(name) }));
  const { keycodes, missing } = now.map.modifierKeys(bits, on);
  return { keycodes, flips: flipsFor(now, { mask: 0 }, missing) };
}

export function pressing(stroke: Stroke, now: Moment, on: number): Press {
  const { keycodes, missing } = now.map.modifierKeys(stroke.modifiers & ~on, on);
  const flips = now.map.locks(stroke) ? 0 : flipsFor(now, stroke, missing);
  return { keycodes: [...keycodes, stroke.keycode], flips };
}

/** A lock that is on changes characters and commands, but for Num Lock, where the key does not look at it. */
function flipsFor({ map, locked }: Moment, { mask }: { mask: number }, wanted: number): number {
  return locked ^ ((locked & map.numLock & ~mask) | wanted);
}
