import { PressTimes } from './release-buttons.js';

/** X keysyms: of canonical key names, and to and from characters. */

export const KEYSYMS: ReadonlyMap<string, number> = new Map([
  ['super', 0xffeb], ['ctrl', 0xffe3], ['alt', 0xffe9], ['altgr', 0xfe03], ['shift', 0xffe1], ['capslock', 0xffe5],
  ['enter', 0xff0d], ['tab', 0xff09], ['space', 0x20], ['backspace', 0xff08], ['delete', 0xffff], ['escape', 0xff1b],
  ['up', 0xff52], ['down', 0xff54], ['left', 0xff51], ['right', 0xff53],
  ['home', 0xff50], ['end', 0xff57], ['pageup', 0xff55], ['pagedown', 0xff56],
  ['insert', 0xff63], ['printscreen', 0xff61], ['menu', 0xff67],
  ['numlock', 0xff7f], ['scrolllock', 0xff14], ['pause', 0xff13], ['help', 0xff6a], ['clear', 0xff0b],
  ...Array.from({ length: 24 }, (_, index): [string, number] => [`f${index + 1}`, 0xffbe + index]),
  ...Array.from({ length: 10 }, (_, index): [string, number] => [`kp${index}`, 0xffb0 + index]),
  ['kpadd', 0xffab], ['kpsubtract', 0xffad], ['kpmultiply', 0xffaa], ['kpdivide', 0xffaf], ['kpdecimal', 0xffae], ['kpequal', 0xffbd],
  ['kpenter', 0xff8d],
  ['volumeup', 0x1008ff13], ['volumedown', 0x1008ff11], ['mute', 0x1008ff12],
  ['playpause', 0x1008ff14], ['nexttrack', 0x1008ff17], ['previoustrack', 0x1008ff16],
  ['mediastop', 0x1008ff15],
]); // prettier-ignore

export const NUM_LOCK = 0xff7f;
const SCROLL_LOCK = 0xff14;
const [CAPS_LOCK, SHIFT_LOCK, ISO_LOCK] = [0xffe5, 0xffe6, 0xfe01];

/** Its key turns a lock when it is pressed. */
export const isLockKeysym = (keysym: number): boolean =>
  [NUM_LOCK, SCROLL_LOCK, CAPS_LOCK, SHIFT_LOCK, ISO_LOCK].includes(keysym);

const UNICODE = 0x01000000;

/** The keysym that any toolkit turns into this character. */
export function keysymOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (character === '\n') return 0xff0d;
  if (character === '\t') return 0xff09;
  return (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff) ? code : UNICODE | code;
}

/** Older keysyms, which keyboard layouts still use, follow these character sets: `page << 8 | byte`. */
const PAGES: ReadonlyMap<number, { charset: string; first: number }> = new Map([
  [0x1, { charset: 'iso-8859-2', first: 0xa1 }],
  [0x2, { charset: 'iso-8859-3', first: 0xa1 }],
  [0x3, { charset: 'iso-8859-4', first: 0xa2 }],
  [0x5, { charset: 'iso-8859-6', first: 0xac }],
  [0x6, { charset: 'koi8-r', first: 0xc0 }],
  [0x7, { charset: 'iso-8859-7', first: 0xc1 }],
  [0xc, { charset: 'iso-8859-8', first: 0xe0 }],
  [0xd, { charset: 'windows-874', first: 0xa1 }],
  [0x13, { charset: 'iso-8859-15', first: 0xbc }],
]);

/** The keysym under which {@link keysymOf} would give the same character, or the keysym itself. */
export function modernKeysym(keysym: number): number {
  if (keysym === 0x20ac) return UNICODE | 0x20ac;
  const page = PAGES.get(keysym >> 8);
  const byte = keysym & 0xff;
  if (page === undefined || byte < page.first) return keysym;
  const character = new TextDecoder(page.charset).decode(new Uint8Array([byte]));
  return character === '\ufffd' ? keysym : keysymOf(character);
}

/** A character beyond ASCII. */
export function isForeign(keysym: number): boolean {
  return (keysym >= 0xa0 && keysym <= 0xff) || (keysym >= UNICODE + 0x100 && keysym <= UNICODE + 0x10ffff);
}

/** Keys that shift, lock or switch: never rewritten. */
export function isModifierKeysym(keysym: number): boolean {
  return (
    (keysym >= 0xffe1 && keysym <= 0xffee) ||
    (keysym >= 0xfe01 && keysym <= 0xfe13) ||
    keysym === 0xff7e ||
    keysym === 0xff7f
  );
}

export interface Keycodes {
  press(keycode: number): void;
  release(keycode: number): void;
}

/** Fewer than a keyboard of a person can tell at once. */
const MOST = 6;

/** Keys that stay down for a frame while the next ones are pressed, as fast typists do it. */
export class HeldKeys {
  readonly #keycodes: Keycodes;
  readonly #times = new PressTimes<number>();
  readonly #down: number[] = [];

  constructor(keycodes: Keycodes) {
    this.#keycodes = keycodes;
  }

  /** Resolves once this key can be pressed: it has been up for a frame, and not too many are down. */
  async makeRoom(keycode: number, signal: AbortSignal): Promise<void> {
    if (this.#down.includes(keycode)) await this.#up(keycode, signal);
    const [first] = this.#down;
    if (first !== undefined && this.#down.length >= MOST) await this.#up(first, signal);
    await this.#times.lasted(keycode, signal);
  }

  press(keycode: number): void {
    this.#keycodes.press(keycode);
    this.#times.changed(keycode);
    this.#down.push(keycode);
  }

  /** Each after its frame. */
  async releaseAll(signal: AbortSignal): Promise<void> {
    for (const keycode of [...this.#down]) await this.#up(keycode, signal);
  }

  releaseNow(): void {
    for (const keycode of this.#down.splice(0)) this.#keycodes.release(keycode);
  }

  async #up(keycode: number, signal: AbortSignal): Promise<void> {
    await this.#times.lasted(keycode, signal);
    this.#keycodes.release(keycode);
    this.#times.changed(keycode);
    this.#down.splice(this.#down.indexOf(keycode), 1);
  }
}
