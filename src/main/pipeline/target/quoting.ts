/** One line, whatever an application writes: what breaks or hides text is shown by its code. Pure. */
export const quoted = (text: string): string =>
  `“${text.replaceAll('\n', '⏎').replaceAll(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069\u200B\u200E\u200F\uFEFF]/gu, code)}”`;

const code = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
