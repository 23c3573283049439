/** Quotes text of an application on one line; control and invisible characters are shown as codes. Pure. */
export const quote = (text: string): string =>
  `“${text.replaceAll('\n', '⏎').replaceAll(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069\u200B\u200E\u200F\uFEFF]/gu, code)}”`;

const code = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
