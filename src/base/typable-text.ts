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
