import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldLetters, plainDigits, readingsOf } from '../../../src/main/pipeline/consequence/fold.js';
import alike from '../../../src/main/pipeline/consequence/confusables.json' with { type: 'json' };
import { isAmount, kindNamed } from '../../../src/main/pipeline/consequence/naming.js';

const WORDS = ['pay', 'delete', 'send', 'authorize', 'buy', 'unsubscribe', 'erase', 'approve'] as const;
const UNSEEN = ['\u200B', '\u200C', '\u200D', '\u2060', '\uFEFF', '\u00AD', '\u034F', '\uFE0F', '\u061C', '\u200E', '\u2066', '\u180E', '\u{E0061}', '\u{E0100}', '\u115F', '\u3164']; // prettier-ignore
/** The last two are vowels of their own scripts, and mean nothing on a Latin letter. */
const MARKS = ['\u0301', '\u0323', '\u0336', '\u20DD', '\u0488', '\u1DC4', '\u0951', '\u093F', '\u3099'];
const LIKE = new Map<string, string[]>();
for (const [like, characters] of Object.entries(alike)) {
  const letter = like.toLowerCase();
  if (letter.length === 1) LIKE.set(letter, [...(LIKE.get(letter) ?? []), ...characters]);
}

const word = fc.constantFrom(...WORDS);
/** One number for each letter, as many as the longest word needs. */
const picks = fc.array(fc.nat(), { minLength: 20, maxLength: 20 });
const spell = (text: string, at: readonly number[], change: (letter: string, pick: number) => string): string =>
  [...text].map((letter, index) => change(letter, at[index] ?? 0)).join('');
const from = (list: readonly string[], pick: number): string => list[pick % list.length] ?? '';
const recognised = (text: string): boolean => kindNamed(text) !== null;

test('[req:RC-1] characters that show nothing hide no word', () => {
  fc.assert(
    fc.property(word, picks, (text, at) => recognised(spell(text, at, (letter, pick) => letter + from(UNSEEN, pick)))),
  );
  // One in the middle leaves two pieces, which nobody would read as spelled letters.
  for (const unseen of UNSEEN)
    for (const text of WORDS) expect(recognised(`${text.slice(0, 2)}${unseen}${text.slice(2)}`), text).toBe(true);
});

test('[req:RC-1] marks, full-width, styled and enclosed letters hide no word', () => {
  const alphabets = [0xff41, 0x1d41a, 0x1d44e, 0x1d4ea, 0x1d5ba, 0x24d0, 0x249c, 0x1f130, 0x1f150, 0x1f170, 0x1f1e6];
  const styled = (letter: string, pick: number) => {
    const code = (alphabets[pick % alphabets.length] ?? 0) + letter.charCodeAt(0) - 97;
    // One letter is not assigned in the italic alphabet.
    return code === 0x1d455 ? letter : String.fromCodePoint(code);
  };
  fc.assert(fc.property(word, picks, (text, at) => recognised(spell(text, at, (letter, pick) => letter + from(MARKS, pick))))); // prettier-ignore
  fc.assert(fc.property(word, fc.nat(), (text, pick) => recognised(spell(text, [], (letter) => styled(letter, pick)))));
});

test('[req:RC-1] letters that look alike, in any mixture, hide no word', () => {
  fc.assert(
    fc.property(word, picks, (text, at) =>
      recognised(spell(text, at, (letter, pick) => from([letter, ...(LIKE.get(letter) ?? [])], pick))),
    ),
  );
});

test('[req:RC-1] a word spelled letter by letter, in pieces, backwards by an override, or with digits is read', () => {
  const gaps = fc.constantFrom(' ', '.', '-', '_', ' · ', '/', '\u00A0', '\u2009');
  fc.assert(fc.property(word, gaps, (text, gap) => recognised([...text].join(gap))));
  const long = fc.constantFrom(...WORDS.filter(({ length }) => length > 3));
  fc.assert(fc.property(long, fc.nat(), (text, at) => {
    const cut = 1 + (at % (text.length - 1));
    return recognised(`${text.slice(0, cut)} ${text.slice(cut)}`);
  })); // prettier-ignore
  for (const text of ['\u202Eyap\u202C', '\u202Eeteled', 'P4y', 'D3l3te', 'S3nd', '$end', 'p@y', '8uy', 'Er@5e', 'PayNow', 'DELETE', 'sEnD'])
    expect([text, recognised(text)]).toEqual([text, true]); // prettier-ignore
});

test('folding is the same in any locale and stays what it is when done again', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => foldLetters(foldLetters(text)) === foldLetters(text))); // prettier-ignore
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => readingsOf(text).every((words) => words.length > 0))); // prettier-ignore
  for (let code = 0; code < 0x110000; code += 1) {
    const one = String.fromCodePoint(code);
    const folded = foldLetters(one);
    if (folded !== one) expect([one, foldLetters(folded)]).toEqual([one, folded]);
  }
  expect(['İIıi', 'ŁÓDŹ', 'Straße', 'ＳＥＮＤ'].map(foldLetters)).toEqual(['llll', 'lodz', 'strasse', 'send']);
});

test('[req:RC-1] amounts are read in any digits and currency', () => {
  expect(plainDigits('٥٠٠ १२ ５ 𝟗')).toBe('500 12 5 9');
  for (const text of ['٥٠٠ ر.س', '₹५००', '５００円', '500 บาท', '₦500', 'Rs. 500', '500 euros', '500 грн'])
    expect([text, isAmount(text)]).toEqual([text, true]);
});
