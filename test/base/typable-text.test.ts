import { expect, it } from 'vitest';
import { readTypable } from '../../src/base/text.js';

it('gives each code point by itself, and one kind of line end', () => {
  expect(readTypable('a\r\nb\rc\td😀')).toEqual({
    characters: ['a', '\n', 'b', '\n', 'c', '\t', 'd', '😀'],
    untypable: null,
  });
});

it.each([
  ['\u001b', 'U+001B'],
  ['\u007f', 'U+007F'],
  ['\u0085', 'U+0085'],
  ['\ud83d', 'U+D83D'],
])('names the first character that no key stands for: %j', (character, name) => {
  expect(readTypable(`ab${character}\u0000`).untypable).toBe(name);
});
