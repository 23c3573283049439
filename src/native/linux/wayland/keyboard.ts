/** A virtual keyboard with our own keymap, so that any character has a key. Comes in: key names and text. Goes out: events of zwp_virtual_keyboard_v1. */
import { writeSync } from 'node:fs';
import { delay } from '../../../base/poll.js';
import { readTypable } from '../../../base/typable-text.js';
import { DesktopError, type InputGuard } from '../../desktop.js';
import type { Keyboard } from '../display-server.js';
import { HeldKeys, type Keycodes } from '../held-keys.js';
import { PressTimes } from '../press-times.js';
import { openMemory } from './fd-socket.js';
import { CAPS_LOCK, MODIFIERS, OwnKeymap, type Stroke } from './keymap.js';
import type { WireConnection } from './wire.js';
import { message } from '../../../messages/index.js';

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
