/** The keyboard layout in use, read from the system: which keys type which characters. */
import type { Bound } from '../calls/bind.js';
import { KEY_ACTION_DOWN, LAYOUT_DATA, NO_DEAD_KEYS, TRANSLATION_MODIFIER } from '../calls/libraries.js';
import type { Owned, Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { KeyPress } from './events.js';
import { EVENT_FLAG } from '../calls/events.js';

export interface Layout {
  /** Another one for another layout. */
  serial: number;
  /** Characters that one press types. */
  keys: ReadonlyMap<string, KeyPress>;
  /** Also those of dead keys, as shortcuts take them. */
  shortcuts: ReadonlyMap<string, KeyPress>;
  /** A dead key and another one; null where no two keys type it. */
  composed(character: string): KeyPress[] | null;
}

interface Read {
  source: Ref;
  keyboard: number;
  layout: Layout;
}

const LAST_CODE = 127;
const MOST_UNITS = 8;
const MODIFIERS = [
  0,
  TRANSLATION_MODIFIER.shift,
  TRANSLATION_MODIFIER.option,
  TRANSLATION_MODIFIER.shift | TRANSLATION_MODIFIER.option,
];

export function openLayouts({ bound, scoped }: Core) {
  const { textInput, coreFoundation: cf } = bound;
  const key = bound.object('textInput', LAYOUT_DATA);
  const read: Read[] = [];
  let serial = 0;

  const dataOf = (source: Ref | null): Ref | null =>
    source === null ? null : textInput.TISGetInputSourceProperty(source, key);

  /** Input modes have no layout of their own. */
  const layoutOf = (copies: readonly (() => Owned | null)[]): Layout =>
    scoped((scope) => {
      const source = copies.map((copy) => scope.own(copy())).find((each) => dataOf(each) !== null) ?? null;
      const data = dataOf(source);
      if (source === null || data === null)
        return { serial: 0, keys: new Map(), shortcuts: new Map(), composed: () => null };
      const keyboard = textInput.LMGetKbdType();
      const known = read.find((one) => one.keyboard === keyboard && cf.CFEqual(one.source, source) !== 0);
      if (known !== undefined) return known.layout;
      cf.CFRetain(source);
      const layout = { serial: ++serial, ...readKeys(bound, data, keyboard) };
      read.push({ source, keyboard, layout });
      return layout;
    });

  const latin = textInput.TISCopyCurrentASCIICapableKeyboardLayoutInputSource;
  return {
    /** Read anew where another one was chosen meanwhile. */
    current: (): Layout => layoutOf([textInput.TISCopyCurrentKeyboardLayoutInputSource, latin]),
    /** One with Latin letters. */
    latin: (): Layout => layoutOf([latin]),
    /** An input method composes characters out of keys, so keys type something else than their characters. */
    composes: (): boolean =>
      scoped((scope) => {
        const source = scope.own(textInput.TISCopyCurrentKeyboardInputSource());
        const layout = scope.own(textInput.TISCopyCurrentKeyboardLayoutInputSource());
        return source === null || layout === null || cf.CFEqual(source, layout) === 0;
      }),
    close(): void {
      for (const { source } of read.splice(0)) cf.CFRelease(source);
    },
  };
}

interface Translated {
  press: KeyPress;
  text: string;
  dead: number;
}

function readKeys({ coreFoundation, coreServices }: Bound, data: Ref, keyboard: number): Omit<Layout, 'serial'> {
  // It lives as long as its source, which is kept.
  const bytes = coreFoundation.CFDataGetBytePtr(data);
  const translate = (code: number, modifiers: number, options: number, before: number): Translated => {
    const [dead, length, units] = [new Uint32Array([before]), new BigUint64Array(1), Buffer.alloc(MOST_UNITS * 2)];
    const failed = coreServices.UCKeyTranslate(
      bytes,
      code,
      KEY_ACTION_DOWN,
      modifiers,
      keyboard,
      options,
      dead,
      MOST_UNITS,
      length,
      units,
    );
    const text = failed === 0 ? units.toString('utf16le', 0, Number(length[0]) * 2) : '';
    return { press: pressOf(code, modifiers), text, dead: failed === 0 ? (dead[0] ?? 0) : 0 };
  };
  const all = (options: number, before = 0): Translated[] =>
    MODIFIERS.flatMap((modifiers) =>
      Array.from({ length: LAST_CODE + 1 }, (_, code) => translate(code, modifiers, options, before)),
    );
  const plain = all(0);
  const deadKeys = plain.filter(({ text, dead }) => text === '' && dead !== 0);
  return {
    keys: charactersOf(plain.filter(({ dead }) => dead === 0)),
    shortcuts: charactersOf(all(NO_DEAD_KEYS)),
    composed(character) {
      for (const { press, dead } of deadKeys) {
        const second = charactersOf(all(0, dead).filter((each) => each.dead === 0)).get(character);
        if (second !== undefined) return [press, second];
      }
      return null;
    },
  };
}

const pressOf = (code: number, modifiers: number): KeyPress => ({
  code,
  shift: (modifiers & TRANSLATION_MODIFIER.shift) !== 0,
  option: (modifiers & TRANSLATION_MODIFIER.option) !== 0,
});

/** The press with the fewest modifiers for each. */
function charactersOf(translated: readonly Translated[]): Map<string, KeyPress> {
  const found = new Map<string, KeyPress>();
  for (const { press, text } of translated) {
    const code = text.codePointAt(0) ?? 0;
    const isOne = code >= 0x20 && code !== 0x7f && text.length === String.fromCodePoint(code).length;
    if (isOne && !found.has(text)) found.set(text, press);
  }
  return found;
}

/** Virtual key codes (kVK_… of Events.h) of named keys. They name places of the keyboard and are the same on every layout. */
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
