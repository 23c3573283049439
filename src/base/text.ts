/**
 * The characters that typing a text takes, one for each code point, with every end of a line as `\n`. `untypable`: the first that no
 * key stands for (control characters but tab, halves of surrogate pairs), as `U+001B`; else null.
 */
export function readTypable(text: string): { characters: string[]; untypable: string | null } {
  const characters = [...text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')];
  const found = characters.map((character) => character.codePointAt(0) ?? 0).find(isUntypable);
  return {
    characters,
    untypable: found === undefined ? null : `U+${found.toString(16).toUpperCase().padStart(4, '0')}`,
  };
}

const [TAB, LINE_FEED] = [0x09, 0x0a];

function isUntypable(code: number): boolean {
  const control = (code < 0x20 && code !== LINE_FEED && code !== TAB) || (code >= 0x7f && code < 0xa0);
  return control || (code >= 0xd800 && code <= 0xdfff);
}

/** Quotes text of an application on one line; control and invisible characters are shown as codes. Pure. */
export const quote = (text: string): string =>
  `“${text.replaceAll('\n', '⏎').replaceAll(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069\u200B\u200E\u200F\uFEFF]/gu, code)}”`;

const code = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** The first `most` UTF-16 units of a text, or one fewer: never ends with half a surrogate pair. */
export function sliceText(text: string, most: number): string {
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}
