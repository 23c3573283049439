import { readTypable } from '../../../base/text.js';
import { DesktopError, type InputGuard } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import type { InputEvent, InputServed, KeyEvent, KeyPress, Post, Stroke } from './events.js';
import { COMMAND, KEY_CODES, MEDIA_KEYS, MODIFIER_FLAGS, OPTION, SHIFT, UNPOSTED_KEYS } from './layouts.js';
import { isUnposted, postAgain } from './release-buttons.js';

export interface Keyboard {
  key(key: string, down: boolean, guard: InputGuard, signal: AbortSignal): Promise<void>;
  typeText(text: string, guard: InputGuard, signal: AbortSignal): Promise<void>;
  /** Presses and lets go of the character with Command. */
  shortcut(character: string, guard: InputGuard, signal: AbortSignal): Promise<void>;
  /** Of all modifiers that are held. */
  flags(): number;
  /** Of what is held, except these names. Never rejects. */
  release(keep: readonly string[]): Promise<void>;
}

type NamedStroke = Stroke | { media: number };

interface Held {
  stroke: NamedStroke;
  /** False where its event may not have been posted. */
  sure: boolean;
}

const SHORTCUT_MODIFIERS = ['cmd', 'ctrl'] as const;

export function createKeyboard(helper: InputServed, post: Post): Keyboard {
  const pressed = createPressedKeys();
  const held = new Map<string, Held>();
  /** Keys of characters that may have been posted in part. */
  const doubtful = new Set<number>();

  const strokeOf = async (
    name: string,
    signal: AbortSignal,
  ): Promise<{ stroke: NamedStroke; layout: number | null }> => {
    const code = KEY_CODES.get(name);
    if (code !== undefined) return { stroke: { keys: [{ code, shift: false, option: false }] }, layout: null };
    const media = MEDIA_KEYS.get(name);
    if (media !== undefined) return { stroke: { media }, layout: null };
    if (UNPOSTED_KEYS.has(name)) throw new DesktopError('unsupported', message('native.key_not_posted', { key: name }));
    const characters = typableCharacters(name);
    if (characters.length !== 1)
      throw new DesktopError('unsupported', message('native.no_such_key', { key: JSON.stringify(name) }));
    const forShortcut = SHORTCUT_MODIFIERS.some((each) => held.has(each));
    const { layout, strokes } = await (forShortcut ? helper.shortcut(name, signal) : helper.typing(characters, signal));
    const [stroke] = strokes;
    if (stroke === undefined) throw new Error('a character has no stroke');
    return { stroke, layout };
  };

  const key: Keyboard['key'] = async (name, down, guard, signal) => {
    if (!down) {
      const known = held.get(name);
      if (known === undefined) return;
      await guard();
      signal.throwIfAborted();
      await post(releases(known.stroke), null, null, signal);
      held.delete(name);
      return;
    }
    const { stroke, layout } = await strokeOf(name, signal);
    await guard();
    signal.throwIfAborted();
    const known = held.get(name);
    if (known?.sure === true) return;
    const now: Held = { stroke, sure: false };
    held.set(name, now);
    try {
      await post(presses(stroke, known !== undefined), layout, null, signal);
    } catch (thrown) {
      if (known === undefined && isUnposted(thrown)) {
        held.delete(name);
        releases(stroke);
      }
      throw thrown;
    }
    now.sure = true;
  };

  const presses = (stroke: NamedStroke, again: boolean): InputEvent[] => {
    if ('media' in stroke) return [{ kind: 'media', key: stroke.media, down: true }];
    if ('text' in stroke) return [textEvent(stroke.text, true)];
    // Of two keys the first one is a dead key: it is not held.
    const [last, ...before] = stroke.keys.toReversed();
    const dead = before.toReversed().flatMap((press) => typed(press));
    return [...dead, ...(last === undefined ? [] : codesOf(last).flatMap((code) => pressed.press(code, again)))];
  };
  const releases = (stroke: NamedStroke): InputEvent[] => {
    if ('media' in stroke) return [{ kind: 'media', key: stroke.media, down: false }];
    if ('text' in stroke) return [textEvent(stroke.text, false)];
    const last = stroke.keys.at(-1);
    return last === undefined
      ? []
      : codesOf(last)
          .toReversed()
          .flatMap((code) => pressed.release(code));
  };
  const textEvent = (text: string, down: boolean): KeyEvent => ({
    kind: 'key',
    code: 0,
    down,
    flags: pressed.flags(),
    text,
  });
  const typed = (press: KeyPress): KeyEvent[] => {
    const codes = codesOf(press);
    return [
      ...codes.flatMap((code) => pressed.press(code)),
      ...codes.toReversed().flatMap((code) => pressed.release(code)),
    ];
  };
  const character = (stroke: Stroke): KeyEvent[] =>
    'text' in stroke ? [textEvent(stroke.text, true), textEvent(stroke.text, false)] : stroke.keys.flatMap(typed);

  const typeText: Keyboard['typeText'] = async (text, guard, signal) => {
    const characters = typableCharacters(text);
    if (characters.length === 0) return;
    const { layout, strokes } = await helper.typing(characters, signal);
    for (const stroke of strokes) {
      await guard();
      signal.throwIfAborted();
      const events = character(stroke);
      for (const event of events) doubtful.add(event.code);
      await post(events, layout, null, signal);
      doubtful.clear();
    }
  };

  const shortcut: Keyboard['shortcut'] = async (name, guard, signal) => {
    const { layout, strokes } = await helper.shortcut(name, signal);
    await guard();
    signal.throwIfAborted();
    const events = [...pressed.press(COMMAND), ...strokes.flatMap(character), ...pressed.release(COMMAND)];
    for (const event of events) doubtful.add(event.code);
    await post(events, layout, null, signal);
    doubtful.clear();
  };

  return {
    key,
    typeText,
    shortcut,
    flags: pressed.flags,
    async release(keep) {
      const names = [...held.keys()].filter((name) => !keep.includes(name));
      const isModifier = (name: string): boolean => MODIFIER_FLAGS.has(KEY_CODES.get(name) ?? -1);
      // Modifiers last: a key that is let go of after its modifiers would be another one.
      const ordered = names.toReversed().toSorted((a, b) => Number(isModifier(a)) - Number(isModifier(b)));
      const left = [...doubtful].filter((code) => !pressed.has(code));
      const sorted = left.toSorted((a, b) => Number(MODIFIER_FLAGS.has(a)) - Number(MODIFIER_FLAGS.has(b)));
      const ups = sorted.map((code): KeyEvent => ({ kind: 'key', code, down: false, flags: pressed.flags() }));
      const events = ordered.flatMap((name) => releases(held.get(name)?.stroke ?? { keys: [] }));
      for (const name of names) held.delete(name);
      doubtful.clear();
      await postAgain(helper, [...ups, ...events]);
    },
  };
}

/** Modifiers first. */
const codesOf = ({ code, shift, option }: KeyPress): number[] => [
  ...(shift ? [SHIFT] : []),
  ...(option ? [OPTION] : []),
  code,
];

/** One for each code point: a receiver may lose all after the first of several in one event. */
function typableCharacters(text: string): string[] {
  const { characters, untypable } = readTypable(text);
  if (untypable !== null) throw new DesktopError('unsupported', message('native.untypable', { character: untypable }));
  return characters;
}

/** How often each key is held: a character that needs Shift must not let go of a Shift that is held anyway. */
function createPressedKeys() {
  const counts = new Map<number, number>();
  const flags = (): number => [...counts.keys()].reduce((sum, code) => sum + (MODIFIER_FLAGS.get(code) ?? 0), 0);
  return {
    /** Of all modifiers that are held. */
    flags,
    has: (code: number): boolean => counts.has(code),
    /** No event where it is down already, unless that is in doubt. */
    press(code: number, again: boolean = false): KeyEvent[] {
      const times = counts.get(code) ?? 0;
      if (!again || times === 0) counts.set(code, times + 1);
      return times > 0 && !again ? [] : [{ kind: 'key', code, down: true, flags: flags() }];
    },
    release(code: number): KeyEvent[] {
      const times = counts.get(code) ?? 0;
      if (times > 1) {
        counts.set(code, times - 1);
        return [];
      }
      counts.delete(code);
      return [{ kind: 'key', code, down: false, flags: flags() }];
    },
  };
}
