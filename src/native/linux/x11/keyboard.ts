import { readTypable } from '../../../base/typable-text.js';
import type { XTest } from 'x11';
import { DesktopError, type InputGuard } from '../../desktop.js';
import type { XConnection } from './connection.js';
import { type Keymap, readKeymap } from './keymap.js';
import { CAPS_LOCK, isModifierKeysym, KEYSYMS, keysymOf, LEVEL3_SHIFT, SHIFT } from './keysyms.js';
import { openSpareKeys } from './spare-keys.js';
import { message } from '../../../messages/index.js';

export interface Keyboard {
  key(key: string, down: boolean, guard: InputGuard, signal: AbortSignal): Promise<void>;
  typeText(text: string, guard: InputGuard, signal: AbortSignal): Promise<void>;
  /** Presses and releases keys in one step, so that no other event comes between and no key stays down. */
  chord(keys: string[], guard: InputGuard, signal: AbortSignal): Promise<void>;
  /** Releases all keys that this object holds down, except those of `keep`. */
  release(keep?: readonly string[]): Promise<void>;
  /** Releases all keys, and clears the keycodes that it has assigned. */
  close(): Promise<void>;
}

const LOCK_MASK = 2;

export async function openKeyboard(
  x: XConnection,
  xtest: XTest,
  inputHandled: (signal: AbortSignal) => Promise<void>,
): Promise<Keyboard> {
  const spare = openSpareKeys(x, inputHandled);
  const held = new Map<string, number[]>();

  const xkb = await x.extension('xkb');
  if (xkb !== null) await x.query<unknown>((r) => xkb.UseExtension(1, 0, r));
  const state = async (): Promise<{ group: number; locked: number }> => {
    if (xkb === null) return { group: 0, locked: 0 };
    const now = await x.query<{ mods: number; lockedMods: number; group: number }>((r) =>
      xkb.GetState(xkb.UseCoreKbd, r),
    );
    return { group: now.group, locked: now.lockedMods };
  };

  /**
   * The current keymap, and whether Caps Lock is on. Read each time: a client that has requested the XKB state gets no more
   * MappingNotify events, and with an outdated map it would type wrong characters.
   */
  const current = async (): Promise<{ map: Keymap; caps: boolean; group: number }> => {
    const now = await state();
    const map = await readKeymap(x, now.group, spare.ours);
    spare.dropOverwritten(map);
    return { map, caps: (now.locked & LOCK_MASK) !== 0, group: now.group };
  };

  const { pressKeycode, releaseKeycode, pressAndRelease } = createKeycodes(xtest);

  const codesOf = async (key: string, signal: AbortSignal): Promise<number[]> => {
    const { map } = await current();
    const named = KEYSYMS.get(key);
    if (named === undefined && [...key].length !== 1) {
      throw new DesktopError('unsupported', message('native.no_such_key', { key: JSON.stringify(key) }));
    }
    const keysym = named ?? keysymOf(key);
    if (named !== undefined) {
      const stroke = map.stroke(named);
      // A keypad digit that shares its key depends on Num Lock, and some layouts have no F13 and above.
      if (stroke !== null && !stroke.shift && !stroke.level3) return [stroke.keycode];
      if (isModifierKeysym(named)) return [requireKeycode(map, named, key)];
      await spare.assign([named], map, signal);
      return [spare.keycode(named) ?? 0];
    }
    const chord = chordOf(map, keysym);
    if (chord !== null) return chord;
    await spare.assign([keysym], map, signal);
    return [spare.keycode(keysym) ?? 0];
  };

  const key: Keyboard['key'] = async (name, down, guard, signal) => {
    if (!down) {
      const codes = held.get(name);
      if (codes === undefined) return;
      await guard();
      signal.throwIfAborted();
      codes.toReversed().forEach(releaseKeycode);
      held.delete(name);
      return x.sync();
    }
    const codes = await codesOf(name, signal);
    await guard();
    signal.throwIfAborted();
    if (held.has(name)) return;
    held.set(name, codes);
    codes.forEach(pressKeycode);
    await x.sync();
  };

  const chord: Keyboard['chord'] = async (keys, guard, signal) => {
    const codes: number[] = [];
    for (const name of keys) codes.push(...(await codesOf(name, signal)));
    await guard();
    signal.throwIfAborted();
    pressAndRelease(codes);
    await x.sync();
  };

  const typeCharacters = async (characters: string[], guard: InputGuard, signal: AbortSignal): Promise<void> => {
    let next = 0;
    while (next < characters.length) {
      const { map, group } = await current();
      const batch = nextBatch(characters, next, spare.capacity(map), (keysym) => chordOf(map, keysym) !== null);
      if (batch.foreign.length > 0) await spare.assign(batch.foreign, map, signal);
      for (; next < batch.end; next += 1) {
        const keysym = keysymOf(characters[next] ?? '');
        const code = spare.keycode(keysym);
        const codes = chordOf(map, keysym) ?? (code === null ? null : [code]);
        if (codes === null) throw new DesktopError('failed', message('native.layout_changed'));
        const [now] = await Promise.all([state(), guard()]);
        // Desktops switch the layout with the window, and a moment after it: the same key would be another character.
        if (now.group !== group) break;
        signal.throwIfAborted();
        pressAndRelease(codes);
        await x.sync();
      }
    }
  };

  const typeText: Keyboard['typeText'] = async (text, guard, signal) => {
    const characters = typableCharacters(text);
    if (characters.length === 0) return;
    const { map, caps } = await current();
    const capsKey = caps ? requireKeycode(map, CAPS_LOCK, 'capslock') : 0;
    if (!caps) return typeCharacters(characters, guard, signal);
    await guard();
    signal.throwIfAborted();
    pressAndRelease([capsKey]);
    try {
      await typeCharacters(characters, guard, signal);
    } finally {
      pressAndRelease([capsKey]);
      await x.sync();
    }
  };

  const release = async (keep: readonly string[] = []): Promise<void> => {
    for (const [name, codes] of [...held].toReversed()) {
      if (keep.includes(name)) continue;
      codes.toReversed().forEach(releaseKeycode);
      held.delete(name);
    }
    await x.sync();
  };

  return {
    key,
    typeText,
    chord,
    release,
    close: async () => {
      await release();
      if (spare.ours.size > 0) await spare.clear((await current()).map);
    },
  };
}

function createKeycodes(xtest: XTest) {
  /** How often each keycode is held: a character that needs Shift must not release a Shift that is held anyway. */
  const pressCounts = new Map<number, number>();
  const pressKeycode = (keycode: number): void => {
    const times = pressCounts.get(keycode) ?? 0;
    pressCounts.set(keycode, times + 1);
    if (times === 0) xtest.FakeInput(xtest.KeyPress, keycode, 0, 0, 0, 0);
  };
  const releaseKeycode = (keycode: number): void => {
    const times = pressCounts.get(keycode) ?? 0;
    if (times > 1) return void pressCounts.set(keycode, times - 1);
    pressCounts.delete(keycode);
    xtest.FakeInput(xtest.KeyRelease, keycode, 0, 0, 0, 0);
  };
  const pressAndRelease = (keycodes: number[]): void => {
    keycodes.forEach(pressKeycode);
    keycodes.toReversed().forEach(releaseKeycode);
  };
  return { pressKeycode, releaseKeycode, pressAndRelease };
}

function requireKeycode(map: Keymap, keysym: number, name: string): number {
  const stroke = map.stroke(keysym);
  if (stroke !== null) return stroke.keycode;
  throw new DesktopError('unsupported', message('native.layout_lacks_key', { key: JSON.stringify(name) }));
}

/** Modifiers first, or null where the layout has no such key. */
function chordOf(map: Keymap, keysym: number): number[] | null {
  const stroke = map.stroke(keysym);
  if (stroke === null) return null;
  const level3 = stroke.level3 ? map.stroke(LEVEL3_SHIFT)?.keycode : undefined;
  const shift = stroke.shift ? map.stroke(SHIFT)?.keycode : undefined;
  if ((stroke.level3 && level3 === undefined) || (stroke.shift && shift === undefined)) return null;
  return [level3, shift, stroke.keycode].filter((keycode) => keycode !== undefined);
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
