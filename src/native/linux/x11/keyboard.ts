import type { XKeyboardExtension, XkbState, XTest } from 'x11';
import { DesktopError, type InputGuard } from '../../desktop.js';
import { Keymap, type Stroke, openSpareKeys, type SpareKeys, readXkbMap } from './keymap.js';
import { message } from '../../../messages/index.js';
import { readTypable } from '../../../base/text.js';
import type { Keyboard as TypingKeyboard } from '../display-server.js';
import type { XConnection } from './connection.js';
import { HeldKeys, type Keycodes, isLockKeysym, KEYSYMS, keysymOf } from '../keysyms.js';
import { PressTimes } from '../release-buttons.js';

// Which keys to press, and which locks to turn meanwhile, for a character or a modifier.

/** Of each, in the order in which they are looked for; `mask` is the modifier where it is the same on all keyboards. */
const MODIFIER_KEYS: ReadonlyMap<string, { keysyms: readonly number[]; mask: number }> = new Map([
  ['shift', { keysyms: [0xffe1, 0xffe2], mask: 1 }],
  ['ctrl', { keysyms: [0xffe3, 0xffe4], mask: 4 }],
  ['alt', { keysyms: [0xffe9, 0xffea, 0xffe7], mask: 0 }],
  ['altgr', { keysyms: [0xfe03, 0xff7e], mask: 0 }],
  ['super', { keysyms: [0xffeb, 0xffec], mask: 0 }],
]);

interface Press {
  /** Modifiers first. */
  keycodes: number[];
  /** Modifiers whose lock must be the other way while the keys are pressed. */
  flips: number;
}

/** The keyboard at one moment. */
interface Moment {
  map: Keymap;
  group: number;
  locked: number;
  latched: number;
  /** Modifiers that are held. */
  base: number;
}

/** null for a key that is no modifier. Where a layout has its modifiers in other places, or makes them switch layouts, any key that sets the modifier; else its lock. */
function modifierPress(name: string, now: Moment, on: number): Press | null {
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

function pressing(stroke: Stroke, now: Moment, on: number): Press {
  const { keycodes, missing } = now.map.modifierKeys(stroke.modifiers & ~on, on);
  const flips = now.map.locks(stroke) ? 0 : flipsFor(now, stroke, missing);
  return { keycodes: [...keycodes, stroke.keycode], flips };
}

/** A lock that is on changes characters and commands, but for Num Lock, where the key does not look at it. */
function flipsFor({ map, locked }: Moment, { mask }: { mask: number }, wanted: number): number {
  return locked ^ ((locked & map.numLock & ~mask) | wanted);
}

export interface Keyboard extends TypingKeyboard {
  /** Presses and releases keys in one step, so that no other event comes between and no key stays down. */
  chord(keys: string[], guard: InputGuard, signal: AbortSignal): Promise<void>;
  /** Releases all keys that this object holds down, except those of `keep`. */
  release(keep?: readonly string[]): Promise<void>;
  /** Releases all keys, and clears the keycodes that it has assigned. */
  close(): Promise<void>;
}

const SUPER = 0xffeb;
const ASYNCHRONOUS = 1;
/** Names of keys that type a character. */
const TYPES = /^(?:.|space|kp(?:\d|add|subtract|multiply|divide|decimal|equal))$/u;
/** Mod3: locked for no time, which no key falls into. */
const ANY_MODIFIER = 0x20;

interface Held extends Press {
  locked: number;
}

export async function openKeyboard(
  x: XConnection,
  { xtest, xkb }: { xtest: XTest; xkb: XKeyboardExtension },
  inputHandled: (signal: AbortSignal) => Promise<void>,
): Promise<Keyboard> {
  await x.query<unknown>((reply) => xkb.UseExtension(1, 0, reply));
  return new XkbKeyboard(x, xtest, xkb, openSpareKeys(x, inputHandled));
}

class XkbKeyboard implements Keyboard {
  readonly #x: XConnection;
  readonly #xkb: XKeyboardExtension;
  readonly #spare: SpareKeys;
  readonly #keycodes: Keycodes;
  readonly #held = new Map<string, Held>();
  readonly #times = new PressTimes<string>();

  constructor(x: XConnection, xtest: XTest, xkb: XKeyboardExtension, spare: SpareKeys) {
    this.#x = x;
    this.#xkb = xkb;
    this.#spare = spare;
    this.#keycodes = createKeycodes(xtest);
  }

  async key(name: string, down: boolean, guard: InputGuard, signal: AbortSignal): Promise<void> {
    if (!down) return this.#up(name, guard, signal);
    if (!this.#held.has(name)) await this.#times.lasted(name, signal);
    const now = await this.#now();
    const press = await this.#pressOf(name, now, now.base, signal);
    await guard();
    signal.throwIfAborted();
    if (this.#held.has(name)) return;
    this.#held.set(name, { ...press, locked: now.locked });
    this.#times.changed(name);
    this.#announceGroup(now);
    this.#flip(press, now);
    press.keycodes.forEach(this.#keycodes.press);
    await this.#x.sync();
  }

  async #up(name: string, guard: InputGuard, signal: AbortSignal): Promise<void> {
    const held = this.#held.get(name);
    if (held === undefined) return;
    await this.#times.lasted(name, signal);
    await guard();
    signal.throwIfAborted();
    this.#letGo(name, held);
    return this.#x.sync();
  }

  #letGo(name: string, held: Held): void {
    held.keycodes.toReversed().forEach(this.#keycodes.release);
    this.#restore(held, held);
    this.#held.delete(name);
    this.#times.changed(name);
  }

  async chord(keys: string[], guard: InputGuard, signal: AbortSignal): Promise<void> {
    const now = await this.#now();
    const all: Press = { keycodes: [], flips: 0 };
    let on = now.base;
    for (const name of keys) {
      const { keycodes, flips } = await this.#pressOf(name, now, on, signal);
      all.keycodes.push(...keycodes);
      all.flips |= flips;
      for (const keycode of keycodes) on |= now.map.sets(keycode, on);
    }
    await guard();
    signal.throwIfAborted();
    this.#announceGroup(now);
    this.#pressAndRelease(all, now);
    await this.#x.sync();
  }

  async typeText(text: string, hold: boolean, guard: InputGuard, signal: AbortSignal): Promise<void> {
    const held = hold ? new HeldKeys(this.#keycodes) : null;
    try {
      await this.#typeCharacters(typableCharacters(text), held, guard, signal);
      await held?.releaseAll(signal);
    } finally {
      held?.releaseNow();
      await this.#x.sync();
    }
  }

  async #typeCharacters(
    characters: string[],
    held: HeldKeys | null,
    guard: InputGuard,
    signal: AbortSignal,
  ): Promise<void> {
    let next = 0;
    while (next < characters.length) {
      const start = await this.#now();
      const { map } = start;
      const batch = nextBatch(characters, next, this.#spare.capacity(map), (keysym) => map.stroke(keysym) !== null);
      if (batch.foreign.length > 0) {
        await held?.releaseAll(signal);
        await this.#spare.assign(batch.foreign, map, signal);
      }
      this.#announceGroup(start);
      for (; next < batch.end; next += 1) {
        const keysym = keysymOf(characters[next] ?? '');
        const key = held === null ? undefined : this.#character(keysym, start)?.keycodes.at(-1);
        if (key !== undefined) await held?.makeRoom(key, signal);
        const [state] = await Promise.all([this.#state(), guard()]);
        // Desktops switch the layout with the window, and a moment after it: the same key would be another character.
        if (state.group !== start.group) break;
        const now = { map, ...state };
        const press = this.#character(keysym, now);
        if (press === null) throw new DesktopError('failed', message('native.layout_changed'));
        signal.throwIfAborted();
        this.#pressAndRelease(press, now, held);
        await this.#x.sync();
      }
    }
  }

  async release(keep: readonly string[] = []): Promise<void> {
    for (const [name, held] of [...this.#held].toReversed()) if (!keep.includes(name)) this.#letGo(name, held);
    await this.#x.sync();
  }

  async close(): Promise<void> {
    await this.release();
    if (this.#spare.ours.size > 0) await this.#spare.clear((await this.#now()).map);
  }

  async #state(): Promise<Omit<Moment, 'map'>> {
    const { group, lockedMods, latchedMods, baseMods } = await this.#x.query<XkbState>((reply) =>
      this.#xkb.GetState(this.#xkb.UseCoreKbd, reply),
    );
    return { group, locked: lockedMods, latched: latchedMods, base: baseMods };
  }

  /** Read each time: a client that has requested the XKB state gets no more MappingNotify events, and with an outdated map it would type wrong characters. */
  async #now(): Promise<Moment> {
    const [keys, state] = await Promise.all([readXkbMap(this.#x, this.#xkb), this.#state()]);
    const map = new Keymap(keys(state.group), this.#spare.ours);
    this.#spare.dropOverwritten(map);
    return { map, ...state };
  }

  /** For the key or character of this name, while the modifiers `on` are held. */
  async #pressOf(name: string, now: Moment, on: number, signal: AbortSignal): Promise<Press> {
    const modifier = modifierPress(name, now, on);
    if (modifier !== null) return modifier;
    const press = await this.#keyPress(name, now, on, signal);
    if (TYPES.test(name)) await this.#assertNotTyped(name, press, now, on);
    return press;
  }

  /** With Super, applications type the character all the same; only a program that has claimed the shortcut keeps it from them. */
  async #assertNotTyped(name: string, { keycodes }: Press, { map }: Moment, on: number): Promise<void> {
    const [key = 0, ...before] = keycodes.toReversed();
    const superKey = map.alone(SUPER);
    if (superKey === null || (on & map.sets(superKey.keycode, 0)) === 0) return;
    const modifiers = before.reduce((all, keycode) => all | map.sets(keycode, all), on);
    const { client, root } = this.#x;
    const claim = this.#x.send((done) => client.GrabKey(root, 1, modifiers, key, ASYNCHRONOUS, ASYNCHRONOUS, done));
    const isFree = await claim.then(
      () => true,
      () => false,
    );
    if (!isFree) return;
    await this.#x.send((done) => client.UngrabKey(root, key, modifiers, done));
    throw new DesktopError('unsupported', message('native.shortcut_not_taken', { key: name }));
  }

  async #keyPress(name: string, now: Moment, on: number, signal: AbortSignal): Promise<Press> {
    const named = KEYSYMS.get(name);
    if (named === undefined && [...name].length !== 1)
      throw new DesktopError('unsupported', message('native.no_such_key', { key: JSON.stringify(name) }));
    const keysym = named ?? keysymOf(name);
    const stroke = named === undefined ? null : now.map.alone(named);
    if (stroke !== null) return pressing(stroke, now, on);
    if (named !== undefined && isLockKeysym(named))
      throw new DesktopError('unsupported', message('native.layout_lacks_key', { key: JSON.stringify(name) }));
    const press = named === undefined ? this.#character(keysym, now) : this.#borrowed(keysym, now);
    if (press !== null) return press;
    await this.#spare.assign([keysym], now.map, signal);
    return this.#borrowed(keysym, now) ?? { keycodes: [], flips: 0 };
  }

  /** null where no key has it yet. */
  #character(keysym: number, now: Moment): Press | null {
    const stroke = now.map.stroke(keysym);
    return stroke === null ? this.#borrowed(keysym, now) : pressing(stroke, now, now.base);
  }

  #borrowed(keysym: number, now: Moment): Press | null {
    const keycode = this.#spare.keycode(keysym);
    return keycode === null ? null : pressing({ keycode, modifiers: 0, mask: 0 }, now, now.base);
  }

  /** `held`: what the key itself, without its modifiers, stays down in. */
  #pressAndRelease(press: Press, now: Moment, held: HeldKeys | null = null): void {
    this.#flip(press, now);
    const [key, ...modifiers] = press.keycodes.toReversed();
    modifiers.toReversed().forEach(this.#keycodes.press);
    if (key !== undefined) (held ?? this.#keycodes).press(key);
    if (key !== undefined && held === null) this.#keycodes.release(key);
    modifiers.forEach(this.#keycodes.release);
    this.#restore(press, now);
  }

  /** Qt takes the first layout for the one in use after it has read the keyboard anew, until it is told that any part of the state changed. */
  #announceGroup(now: Moment): void {
    if (now.group === 0) return;
    // The first event after one of another keyboard makes programs read the keyboard: that is this one, of a key that is up.
    this.#keycodes.release(this.#x.display.max_keycode);
    const nothing = { keycodes: [], flips: ANY_MODIFIER };
    this.#flip(nothing, { ...now, latched: 0 });
    this.#restore(nothing, now);
  }

  #flip({ flips }: Press, { locked, latched }: Moment): void {
    if ((flips | latched) === 0) return;
    this.#xkb.LatchLockState(this.#xkb.UseCoreKbd, flips, ~locked & flips, 0, 0, latched, 0, 0, 0);
  }

  #restore({ flips }: Press, { locked }: { locked: number }): void {
    if (flips !== 0) this.#xkb.LatchLockState(this.#xkb.UseCoreKbd, flips, locked & flips, 0, 0, 0, 0, 0, 0);
  }
}

function createKeycodes(xtest: XTest): Keycodes {
  /** How often each keycode is held: a character that needs Shift must not release a Shift that is held anyway. */
  const pressCounts = new Map<number, number>();
  return {
    press(keycode) {
      const times = pressCounts.get(keycode) ?? 0;
      pressCounts.set(keycode, times + 1);
      if (times === 0) xtest.FakeInput(xtest.KeyPress, keycode, 0, 0, 0, 0);
    },
    release(keycode) {
      const times = pressCounts.get(keycode) ?? 0;
      if (times > 1) return void pressCounts.set(keycode, times - 1);
      pressCounts.delete(keycode);
      xtest.FakeInput(xtest.KeyRelease, keycode, 0, 0, 0, 0);
    },
  };
}

/** As many characters as can be typed with one layout of the spare keys. */
function nextBatch(
  characters: string[],
  from: number,
  capacity: number,
  known: (keysym: number) => boolean,
): { end: number; foreign: number[] } {
  const foreign = new Set<number>();
  let end = from;
  for (; end < characters.length; end += 1) {
    const keysym = keysymOf(characters[end] ?? '');
    if (known(keysym) || foreign.has(keysym)) continue;
    if (foreign.size >= Math.max(1, capacity)) break;
    foreign.add(keysym);
  }
  return { end, foreign: [...foreign] };
}

function typableCharacters(text: string): string[] {
  const { characters, untypable } = readTypable(text);
  if (untypable !== null) throw new DesktopError('unsupported', message('native.untypable', { character: untypable }));
  return characters;
}
