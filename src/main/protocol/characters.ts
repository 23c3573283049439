import { sliceText } from '../../base/text.js';

/** Characters that a reader cannot see, or that change how other text reads, and their names. */

export type HiddenKind = 'control' | 'bidi' | 'zero_width';

/** Runs of more spaces than this are counted instead of shown. */
export const COUNTED_SPACES = 3;

const BIDI = /^[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]$/u;
/** Drawn as nothing or as blank; U+2800 is a Braille cell without dots. */
const ZERO_WIDTH = /^[\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]$/u;
/** Controls, line and paragraph separators, private and unassigned characters, half surrogates. */
const CONTROL = /^[\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]$/u;

/** `one`: a code point or half surrogate. null: visible. Callers handle line feeds themselves. */
export function hiddenKind(one: string): HiddenKind | null {
  if (BIDI.test(one)) return 'bidi';
  if (ZERO_WIDTH.test(one)) return 'zero_width';
  return CONTROL.test(one) ? 'control' : null;
}

const NAMES = new Map<number, string>([
  [0x00, 'null'],
  [0x07, 'bell'],
  [0x08, 'backspace'],
  [0x09, 'tab'],
  [0x0a, 'line feed'],
  [0x0d, 'return'],
  [0x1b, 'escape'],
  [0x7f, 'delete'],
  [0xa0, 'no-break space'],
  [0xad, 'soft hyphen'],
  [0x34f, 'joiner'],
  [0x61c, 'Arabic letter mark'],
  [0x200b, 'zero-width space'],
  [0x200c, 'zero-width non-joiner'],
  [0x200d, 'zero-width joiner'],
  [0x200e, 'left-to-right mark'],
  [0x200f, 'right-to-left mark'],
  [0x2028, 'line separator'],
  [0x2029, 'paragraph separator'],
  [0x202a, 'left-to-right embedding'],
  [0x202b, 'right-to-left embedding'],
  [0x202c, 'end of direction'],
  [0x202d, 'left-to-right'],
  [0x202e, 'right-to-left'],
  [0x2060, 'word joiner'],
  [0x2066, 'left-to-right isolate'],
  [0x2067, 'right-to-left isolate'],
  [0x2068, 'first-strong isolate'],
  [0x2069, 'end of isolate'],
  [0x2800, 'blank Braille'],
  [0x3164, 'Hangul filler'],
  [0xfeff, 'zero-width no-break space'],
]);

/** `U+202E right-to-left`, or the number alone where there is no name. */
export function describeMark(one: string): string {
  const code = one.codePointAt(0) ?? 0;
  const name = NAMES.get(code) ?? rangeName(code);
  const number = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return name === null ? number : `${number} ${name}`;
}

function rangeName(code: number): string | null {
  if (code >= 0xe0000 && code <= 0xe007f) return 'invisible tag';
  if ((code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef)) return 'variation selector';
  if (code >= 0xd800 && code <= 0xdfff) return 'half a character';
  if (code >= 0x2000 && code <= 0x200a) return 'wide or narrow space';
  if (code === 0x3000) return 'wide space';
  return code < 0xa0 ? 'control' : null;
}

/** Words of a program that is not trusted, as they may be shown or listed: on one line, nothing hidden in them, not too long. Pure. */
export function plainWords(given: string, most: number): string {
  const visible = [...sliceText(given, most * 4)].map((one) => (hiddenKind(one) === null ? one : ' ')).join('');
  const line = visible.replace(/\s+/gu, ' ').trim();
  return line.length <= most ? line : `${sliceText(line, most - 1)}…`;
}
