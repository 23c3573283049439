/** The keyboard layout in use, read from the system: which keys type which characters. */
import type { Bound } from '../calls/bind.js';
import { KEY_ACTION_DOWN, LAYOUT_DATA, NO_DEAD_KEYS, TRANSLATION_MODIFIER } from '../calls/text-input.js';
import type { Owned, Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { KeyPress } from './events.js';

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
