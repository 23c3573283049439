/** Virtual key codes (kVK_… of Events.h) of named keys. They name places of the keyboard and are the same on every layout. */
import { EVENT_FLAG } from '../calls/events.js';

export const RETURN = 0x24;
export const TAB = 0x30;
export const SHIFT = 0x38;
export const COMMAND = 0x37;
export const OPTION = 0x3a;

export const KEY_CODES: ReadonlyMap<string, number> = new Map([
  ['cmd', COMMAND], ['shift', SHIFT], ['alt', OPTION], ['ctrl', 0x3b], ['fn', 0x3f],
  ['enter', RETURN], ['tab', TAB], ['space', 0x31], ['backspace', 0x33], ['delete', 0x75], ['escape', 0x35],
  ['up', 0x7e], ['down', 0x7d], ['left', 0x7b], ['right', 0x7c],
  ['home', 0x73], ['end', 0x77], ['pageup', 0x74], ['pagedown', 0x79],
  // Keyboards of Macs have Help, F13 and the menu key in these places.
  ['insert', 0x72], ['help', 0x72], ['printscreen', 0x69], ['menu', 0x6e], ['clear', 0x47],
  ['f1', 0x7a], ['f2', 0x78], ['f3', 0x63], ['f4', 0x76], ['f5', 0x60], ['f6', 0x61], ['f7', 0x62], ['f8', 0x64], ['f9', 0x65], ['f10', 0x6d],
  ['f11', 0x67], ['f12', 0x6f], ['f13', 0x69], ['f14', 0x6b], ['f15', 0x71], ['f16', 0x6a], ['f17', 0x40], ['f18', 0x4f], ['f19', 0x50], ['f20', 0x5a],
  ['kp0', 0x52], ['kp1', 0x53], ['kp2', 0x54], ['kp3', 0x55], ['kp4', 0x56], ['kp5', 0x57], ['kp6', 0x58], ['kp7', 0x59], ['kp8', 0x5b], ['kp9', 0x5c],
  ['kpadd', 0x45], ['kpsubtract', 0x4e], ['kpmultiply', 0x43], ['kpdivide', 0x4b], ['kpdecimal', 0x41], ['kpequal', 0x51], ['kpenter', 0x4c],
]); // prettier-ignore

const codesOf = (names: string): ReadonlySet<number | undefined> =>
  new Set(names.split(' ').map((name) => KEY_CODES.get(name)));
const ARROWS = 'up down left right';
const FUNCTION_KEYS = codesOf(
  `${ARROWS} home end pageup pagedown delete help f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20`,
);
const PAD_KEYS = codesOf(
  `${ARROWS} clear kp0 kp1 kp2 kp3 kp4 kp5 kp6 kp7 kp8 kp9 kpadd kpsubtract kpmultiply kpdivide kpdecimal kpequal kpenter`,
);

/** What a keyboard says of the key itself; without it the system’s own shortcuts, such as those of Mission Control, do nothing. */
export const ownFlags = (code: number): number =>
  (FUNCTION_KEYS.has(code) ? EVENT_FLAG.fn : 0) | (PAD_KEYS.has(code) ? EVENT_FLAG.numericPad : 0);

/** Keys that are none of the keyboard to the system: NX_KEYTYPE_… of ev_keymap.h. */
export const MEDIA_KEYS: ReadonlyMap<string, number> = new Map([
  ['volumeup', 0], ['volumedown', 1], ['mute', 7], ['playpause', 16], ['nexttrack', 17], ['previoustrack', 18],
]); // prettier-ignore

/** Posted events do not turn it. */
export const UNPOSTED_KEYS: ReadonlySet<string> = new Set(['capslock']);

/** What is added to the flags of every event while such a key is down. */
export const MODIFIER_FLAGS: ReadonlyMap<number, number> = new Map([
  [0x37, EVENT_FLAG.command],
  [SHIFT, EVENT_FLAG.shift],
  [OPTION, EVENT_FLAG.option],
  [0x3b, EVENT_FLAG.control],
  [0x3f, EVENT_FLAG.fn],
]);
