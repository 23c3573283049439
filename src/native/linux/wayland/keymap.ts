/** Our own keymap: an American keyboard, and any other character on keys that it leaves free. Goes out: the text that XKB reads. */
import { KEYSYMS, keysymOf } from '../keysyms.js';

/** Where an American keyboard has its characters, in the codes of the kernel. */
const ROWS: readonly (readonly [number, string, string])[] = [
  [2, '1234567890-=', '!@#$%^&*()_+'],
  [16, 'qwertyuiop[]', 'QWERTYUIOP{}'],
  [30, "asdfghjkl;'`", 'ASDFGHJKL:"~'],
  [43, '\\zxcvbnm,./', '|ZXCVBNM<>?'],
  [57, ' ', ' '],
];

/** Of keys with a name, in the codes of the kernel. */
const NAMED: ReadonlyMap<string, number> = new Map([
  ['escape', 1], ['backspace', 14], ['tab', 15], ['enter', 28], ['ctrl', 29], ['shift', 42], ['alt', 56], ['capslock', 58], ['altgr', 100], ['super', 125],
  ...Array.from({ length: 10 }, (_, index): [string, number] => [`f${index + 1}`, 59 + index]), ['f11', 87], ['f12', 88],
  ...Array.from({ length: 12 }, (_, index): [string, number] => [`f${index + 13}`, 183 + index]),
  ['numlock', 69], ['scrolllock', 70], ['kp7', 71], ['kp8', 72], ['kp9', 73], ['kpsubtract', 74], ['kp4', 75], ['kp5', 76], ['kp6', 77], ['kpadd', 78],
  ['kp1', 79], ['kp2', 80], ['kp3', 81], ['kp0', 82], ['kpdecimal', 83], ['kpenter', 96], ['kpdivide', 98], ['kpmultiply', 55], ['kpequal', 117],
  ['printscreen', 99], ['home', 102], ['up', 103], ['pageup', 104], ['left', 105], ['right', 106], ['end', 107], ['down', 108], ['pagedown', 109],
  ['insert', 110], ['delete', 111], ['mute', 113], ['volumedown', 114], ['volumeup', 115], ['pause', 119], ['menu', 127], ['help', 138],
  ['nexttrack', 163], ['playpause', 164], ['previoustrack', 165], ['mediastop', 166], ['clear', 140],
]); // prettier-ignore

/** The modifiers that keys of ours hold, with their bits in every keymap of XKB. */
export const MODIFIERS: ReadonlyMap<string, number> = new Map([
  ['shift', 1], ['ctrl', 4], ['alt', 8], ['super', 64], ['altgr', 128],
]); // prettier-ignore
export const CAPS_LOCK = 2;

export interface Stroke {
  /** As the kernel counts. */
  code: number;
  shift: boolean;
}

const TAB = 15;
const LEFT_TAB = '0xfe20';
/** X counts from eight. */
const OFFSET = 8;
/** X has no more. */
const LAST_CODE = 247;

const AMERICAN: ReadonlyMap<number, Stroke> = new Map(
  ROWS.flatMap(([first, plain, shifted]) =>
    [...plain].flatMap((character, index): [number, Stroke][] => [
      [keysymOf(shifted[index] ?? ''), { code: first + index, shift: true }],
      [keysymOf(character), { code: first + index, shift: false }],
    ]),
  ),
);
const CODES: readonly number[] = [...NAMED.values(), ...[...AMERICAN.values()].map(({ code }) => code)];
const FREE: readonly number[] = Array.from({ length: LAST_CODE }, (_, index) => index + 1).filter(
  (code) => !CODES.includes(code),
);

export class OwnKeymap {
  /** On the free keys, the one used longest ago first. */
  readonly #foreign = new Map<number, number>();

  /** Those that fit on the free keys together. */
  readonly capacity = FREE.length;

  named(name: string): number | null {
    return NAMED.get(name) ?? null;
  }

  /** null where the keymap has to be changed first. */
  stroke(character: string): Stroke | null {
    const keysym = keysymOf(character);
    if (character === '\n') return { code: NAMED.get('enter') ?? 0, shift: false };
    if (character === '\t') return { code: TAB, shift: false };
    const code = this.#foreign.get(keysym);
    return AMERICAN.get(keysym) ?? (code === undefined ? null : { code, shift: false });
  }

  /** Puts these on free keys; what was there longest goes. */
  add(characters: readonly string[]): void {
    for (const keysym of new Set(characters.map(keysymOf))) {
      const known = this.#foreign.get(keysym);
      const [oldest] = this.#foreign.keys();
      const used = new Set(this.#foreign.values());
      const code = known ?? FREE.find((one) => !used.has(one)) ?? this.#foreign.get(oldest ?? 0) ?? 0;
      if (known === undefined && used.size === FREE.length && oldest !== undefined) this.#foreign.delete(oldest);
      this.#foreign.delete(keysym);
      this.#foreign.set(keysym, code);
    }
  }

  text(): string {
    const symbols = new Map<number, string>();
    for (const [name, code] of NAMED) symbols.set(code, hex(KEYSYMS.get(name) ?? 0));
    // Toolkits know Shift and Tab together by a name of its own.
    symbols.set(TAB, `${symbols.get(TAB)}, ${LEFT_TAB}`);
    for (const [keysym, { code, shift }] of AMERICAN) {
      if (!shift) symbols.set(code, `${hex(keysym)}, ${hex(shiftedAt(code) ?? keysym)}`);
    }
    for (const [keysym, code] of this.#foreign) symbols.set(code, hex(keysym));
    const keys = [...symbols].map(([code, names]) => `key <K${code}> { [ ${names} ] };`);
    const maps = [
      ['Shift', 'shift'],
      ['Lock', 'capslock'],
      ['Control', 'ctrl'],
      ['Mod1', 'alt'],
      ['Mod2', 'numlock'],
      ['Mod4', 'super'],
      ['Mod5', 'altgr'],
    ] as const;
    return `xkb_keymap {
xkb_keycodes "chaperone" { minimum = ${OFFSET}; maximum = 255;
${[...symbols.keys()].map((code) => `<K${code}> = ${code + OFFSET};`).join('\n')}
};
xkb_types "chaperone" { include "complete" };
xkb_compatibility "chaperone" { include "complete" };
xkb_symbols "chaperone" {
${keys.join('\n')}
${maps.map(([modifier, name]) => `modifier_map ${modifier} { <K${NAMED.get(name)}> };`).join('\n')}
};
};
`;
  }
}

const hex = (keysym: number): string => `0x${keysym.toString(16)}`;

function shiftedAt(code: number): number | null {
  for (const [keysym, stroke] of AMERICAN) if (stroke.code === code && stroke.shift) return keysym;
  return null;
}
