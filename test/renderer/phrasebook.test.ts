import { expect, test } from 'vitest';
import { createPhrasebook, partsOf } from '../../src/renderer/words/phrasebook.js';

const book = createPhrasebook({
  'Wait {n#} s': '{n} s warten',
  'Type {what*} into the field': '{what} ins Feld tippen',
  '{n#} characters': '{n} Zeichen',
  'Drags from “{from}” to “{to}”.': 'Zieht nach „{to}“, aus „{from}“.',
  'Ends over {where}.': 'Endet über {where}.',
  'Ends over the bare desktop.': 'Endet über dem leeren Schreibtisch.',
  'Failed: {why*}': 'Gescheitert: {why}',
});

test.each([
  ['Wait 2.5 s', '2.5 s warten'],
  ['Wait two s', null],
  ['Wait 2 s.', null],
  ['So: Wait 2 s', null],
  ['Wait  s', null],
  ['Type 12 characters into the field', '12 Zeichen ins Feld tippen'],
  ['Type something into the field', 'something ins Feld tippen'],
  ['Drags from “A” to “B”.', 'Zieht nach „B“, aus „A“.'],
  ['', null],
])('the whole sentence or nothing: %s', (english, said) => {
  expect(book.say(english)).toBe(said);
});

test('what is fixed goes before what has places, and more that is fixed before less', () => {
  expect(book.say('Ends over the bare desktop.')).toBe('Endet über dem leeren Schreibtisch.');
  expect(book.say('Ends over Mail.')).toBe('Endet über Mail.');
});

test('a value is never a phrase, unless its place says that it is one', () => {
  expect(book.say('Ends over 12 characters.')).toBe('Endet über 12 characters.');
  expect(book.say('Ends over {where}.')).toBe('Endet über {where}.');
  expect(book.say('Failed: Failed: Wait 3 s')).toBe('Gescheitert: Gescheitert: 3 s warten');
});

test('a value keeps every character, hidden ones too', () => {
  const odd = 'M\u0430il\u202e\u200b \n“x” to “y”';
  expect(book.say(`Ends over ${odd}.`)).toBe(`Endet über ${odd}.`);
});

test('what an application writes into a value cannot take the rest of the sentence along', () => {
  expect(book.say('Drags from “A” to “B”.” to “C”.')).toBe('Zieht nach „B”.” to “C“, aus „A“.');
});

test('long and repetitive text is read once, not over and over', () => {
  const long = '” to “'.repeat(50_000);
  expect(book.say(`Drags from “${long}”.`)?.length).toBeGreaterThan(long.length);
  expect(book.say('Failed: '.repeat(50_000))).toMatch(/^Gescheitert: /);
  expect(book.say(`Wait ${'1'.repeat(100_000)}x s`)).toBeNull();
});

test('places are told from words', () => {
  expect(partsOf('a {b} {c#}{d*}')).toEqual([
    'a ',
    { name: 'b', kind: 'text' },
    ' ',
    { name: 'c', kind: 'number' },
    { name: 'd', kind: 'phrase' },
  ]);
  expect(() => createPhrasebook({ '{a}{b}': '' }).say('xy')).toThrow('two places');
});
