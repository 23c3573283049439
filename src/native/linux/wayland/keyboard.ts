/** A virtual keyboard with our own keymap, so that any character has a key. Comes in: key names and text. Goes out: events of zwp_virtual_keyboard_v1. */
import { writeSync } from 'node:fs';
import { KEYSYMS, keysymOf, HeldKeys, type Keycodes } from '../keysyms.js';
import { delay } from '../../../base/poll.js';
import { readTypable } from '../../../base/text.js';
import { DesktopError, type InputGuard } from '../../desktop.js';
import type { Keyboard } from '../display-server.js';
import { PressTimes } from '../release-buttons.js';
import { openMemory } from './fd-socket.js';
import type { WireConnection } from './wire.js';
import { message } from '../../../messages/index.js';

// Our own keymap: an American keyboard, and any other character on keys that it leaves free. Goes out: the text that XKB reads.

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
const MODIFIERS: ReadonlyMap<string, number> = new Map([
  ['shift', 1], ['ctrl', 4], ['alt', 8], ['super', 64], ['altgr', 128],
]); // prettier-ignore
const CAPS_LOCK = 2;

interface Stroke {
  /** As the kernel counts. */
  code: number;
  shift: boolean;
}

const TAB = 15;
const LEFT_TAB = '0xfe20';
/** X counts from eight. */
const OFFSET = 8;

const AMERICAN: ReadonlyMap<number, Stroke> = new Map(
  ROWS.flatMap(([first, plain, shifted]) =>
    [...plain].flatMap((character, index): [number, Stroke][] => [
      [keysymOf(shifted[index] ?? ''), { code: first + index, shift: true }],
      [keysymOf(character), { code: first + index, shift: false }],
    ]),
  ),
);
/** Keys that an American keyboard leaves free, of those that Chromium knows: it drops the characters of any other. */
const FREE: readonly number[] = [
  54, 85, 86, 89, 90, 91, 92, 93, 94, 116, 118, 120, 121, 122, 123, 124, 126, 128, 129, 131, 132, 133, 134, 135, 136, 137,
  142, 143, 144, 150, 152, 155, 161, 167, 168, 169, 171, 174, 179, 180, 207, 208, 209, 210,
]; // prettier-ignore

class OwnKeymap {
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

export const KEYBOARD_MANAGER = 'zwp_virtual_keyboard_manager_v1';
const XKB_V1 = 1;
const REQUEST = { keymap: 0, key: 1, modifiers: 2, destroy: 3 };
const SHIFT = 1;
/** A program that had no keyboard takes the new one only then; keys that come earlier are lost. */
const NEW_KEYBOARD_MS = 200;
/** X programs read a new keymap from XWayland, and meanwhile know the keys by the old one. */
const XWAYLAND_KEYMAP_MS = 60;

interface Held extends Stroke {
  modifier: number;
}

interface KeyboardOptions {
  wire: WireConnection;
  manager: number;
  seat: number;
  /** The seat had no keyboard before. */
  isFirst: boolean;
  /** Whether the keys go to a program of XWayland. */
  isForX(): Promise<boolean>;
  sent(): void;
}

export class VirtualKeyboard implements Keyboard {
  readonly #wire: WireConnection;
  readonly #id: number;
  readonly #options: KeyboardOptions;
  readonly #map = new OwnKeymap();
  readonly #held = new Map<string, Held>();
  readonly #times = new PressTimes<string>();
  readonly #keycodes: Keycodes;
  readonly #opened = performance.now();
  #locked = 0;

  constructor(options: KeyboardOptions) {
    this.#options = options;
    this.#wire = options.wire;
    this.#id = this.#wire.newObject();
    this.#wire.send(options.manager, 0, options.seat, this.#id);
    this.#sendKeymap();
    this.#keycodes = { press: (code) => this.#send(code, true), release: (code) => this.#send(code, false) };
  }

  async key(name: string, down: boolean, guard: InputGuard, signal: AbortSignal): Promise<void> {
    if (!down && !this.#held.has(name)) return;
    await this.#times.lasted(name, signal);
    const stroke = await this.#strokeOf(name, signal);
    await guard();
    signal.throwIfAborted();
    if (down === this.#held.has(name)) return;
    if (down) this.#press(name, stroke);
    else this.#letGo(name);
    await this.#wire.roundtrip(signal);
  }

  /** Presses and releases keys in one step, so that no other event comes between and no key stays down. */
  async chord(keys: readonly string[], guard: InputGuard, signal: AbortSignal): Promise<void> {
    const strokes = await Promise.all(keys.map((name) => this.#strokeOf(name, signal)));
    await guard();
    signal.throwIfAborted();
    const pressed = keys.filter((name) => !this.#held.has(name));
    keys.forEach(
      (name, index) => pressed.includes(name) && this.#press(name, strokes[index] ?? { code: 0, shift: false }),
    );
    pressed.toReversed().forEach((name) => this.#letGo(name));
    await this.#wire.roundtrip(signal);
  }

  async typeText(text: string, hold: boolean, guard: InputGuard, signal: AbortSignal): Promise<void> {
    const { characters, untypable } = readTypable(text);
    if (untypable !== null)
      throw new DesktopError('unsupported', message('native.untypable', { character: untypable }));
    const held = hold ? new HeldKeys(this.#keycodes) : null;
    try {
      for (let next = 0; next < characters.length;) {
        const end = await this.#mapFor(characters, next, held, signal);
        for (; next < end; next += 1) await this.#type(characters[next] ?? '', held, guard, signal);
      }
      await held?.releaseAll(signal);
    } finally {
      held?.releaseNow();
      this.#sendModifiers();
    }
  }

  async release(keep: readonly string[] = []): Promise<void> {
    for (const name of [...this.#held.keys()].toReversed()) if (!keep.includes(name)) this.#letGo(name);
    await this.#wire.roundtrip();
  }

  async #type(character: string, held: HeldKeys | null, guard: InputGuard, signal: AbortSignal): Promise<void> {
    const stroke = this.#map.stroke(character);
    if (stroke === null) throw new DesktopError('failed', message('native.layout_changed'));
    await held?.makeRoom(stroke.code, signal);
    await guard();
    signal.throwIfAborted();
    const modifiers = this.#depressed() | (stroke.shift ? SHIFT : 0);
    // A lock that is on would change the character.
    this.#sendModifiers(modifiers, 0);
    if (held === null) {
      this.#send(stroke.code, true);
      this.#send(stroke.code, false);
    } else held.press(stroke.code);
    await this.#wire.roundtrip(signal);
  }

  /** Changes the keymap where it has to be, and gives the end of what can be typed with it. */
  async #mapFor(characters: readonly string[], from: number, held: HeldKeys | null, signal: AbortSignal) {
    await this.#ready(signal);
    const foreign = new Set<string>();
    let end = from;
    for (; end < characters.length && foreign.size < this.#map.capacity; end += 1) {
      const character = characters[end] ?? '';
      if (this.#map.stroke(character) === null) foreign.add(character);
    }
    if (foreign.size > 0) {
      await held?.releaseAll(signal);
      await this.#put([...foreign], signal);
    }
    const missing = characters.slice(from, end).findIndex((character) => this.#map.stroke(character) === null);
    return missing === -1 ? end : from + missing;
  }

  async #put(characters: readonly string[], signal: AbortSignal): Promise<void> {
    this.#map.add(characters);
    this.#sendKeymap();
    await this.#wire.roundtrip(signal);
    if (await this.#options.isForX()) await delay(XWAYLAND_KEYMAP_MS, signal);
  }

  async #ready(signal: AbortSignal): Promise<void> {
    const left = this.#opened + NEW_KEYBOARD_MS - performance.now();
    if (this.#options.isFirst && left > 0) await delay(left, signal);
  }

  async #strokeOf(name: string, signal: AbortSignal): Promise<Stroke> {
    await this.#ready(signal);
    const code = this.#map.named(name);
    if (code !== null) return { code, shift: false };
    const character = name === 'space' ? ' ' : name;
    if ([...character].length !== 1)
      throw new DesktopError('unsupported', message('native.no_such_key', { key: JSON.stringify(name) }));
    if (this.#map.stroke(character) === null) await this.#put([character], signal);
    return this.#map.stroke(character) ?? { code: 0, shift: false };
  }

  #press(name: string, stroke: Stroke): void {
    const modifier = (MODIFIERS.get(name) ?? 0) | (stroke.shift ? SHIFT : 0);
    this.#held.set(name, { ...stroke, modifier });
    this.#times.changed(name);
    if (name === 'capslock') this.#locked ^= CAPS_LOCK;
    // Programs expect a modifier's own key before what it changes.
    if (stroke.shift) this.#sendModifiers();
    this.#send(stroke.code, true);
    this.#sendModifiers();
  }

  #letGo(name: string): void {
    const held = this.#held.get(name);
    if (held === undefined) return;
    this.#held.delete(name);
    this.#times.changed(name);
    this.#send(held.code, false);
    this.#sendModifiers();
  }

  #depressed(): number {
    return [...this.#held.values()].reduce((all, { modifier }) => all | modifier, 0);
  }

  #send(code: number, down: boolean): void {
    this.#options.sent();
    this.#wire.send(this.#id, REQUEST.key, now(), code, down ? 1 : 0);
  }

  #sendModifiers(depressed = this.#depressed(), locked = this.#locked): void {
    this.#wire.send(this.#id, REQUEST.modifiers, depressed, 0, locked, 0);
  }

  #sendKeymap(): void {
    const text = Buffer.from(`${this.#map.text()}\0`);
    const fd = openMemory('keymap', text.length);
    writeSync(fd, text);
    this.#wire.send(this.#id, REQUEST.keymap, XKB_V1, { fd }, text.length);
  }
}

/** Milliseconds that go on, in 32 bits. */
export const now = (): number => Math.floor(performance.now()) >>> 0;
