/** Every code has a sentence in every language, with the same parameters; every sentence is said somewhere. */
import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { english } from '../../src/messages/english.js';
import { createFormatter, message } from '../../src/messages/index.js';
import { moduleOf, parametersOf } from '../../scripts/messages/parameters.mjs';
import de from '../../src/messages/de.json' with { type: 'json' };
import en from '../../src/messages/en.json' with { type: 'json' };
import zh from '../../src/messages/zh.json' with { type: 'json' };

const src = new URL('../../src/', import.meta.url);
const translations = [
  ['de', de],
  ['zh', zh],
] as const;

test('the English module is what `npm run docs` writes', () => {
  expect(readFileSync(new URL('messages/english.ts', src), 'utf8')).toBe(moduleOf(en));
});

test.each(translations)('%s has the codes and parameters of the English', (_, catalogue) => {
  const shapes = (of: Record<string, string>) =>
    Object.fromEntries(Object.entries(of).map(([code, text]) => [code, [...parametersOf(text)]]));
  expect(shapes(catalogue)).toEqual(shapes(en));
});

test.each(translations)('%s leaves no sentence in English', (_, catalogue: Record<string, string>) => {
  const same = Object.entries(english).filter(
    ([code, text]) => /[a-z]{3} [a-z]{3}/.test(text) && catalogue[code] === text,
  );
  expect(same).toEqual([]);
});

test('every code is used', () => {
  const code = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('messages/english'))
    .map((path) => readFileSync(new URL(path, src), 'utf8'))
    .join();
  expect(Object.keys(en).filter((one) => !code.includes(`'${one}'`))).toEqual([]);
});

test('messages within messages, lists and numbers are said in the same language', () => {
  const say = createFormatter(de, 'de-DE').format;
  const permission = message('permission.accessibility');
  expect(say(message('health.permission', { permission, state: 'stale' }))).toBe(
    'Die Berechtigung „Bedienungshilfen“ ist veraltet',
  );
  const reason = message('display.none');
  expect(say(message('display.virtual_stands_in', { reason }))).toMatch(/^Es ist kein Bildschirm da .* Stelle\.$/);
  expect(say(message('doctor.missing_programs', { programs: ['Xvfb', 'openbox', permission] }))).toBe(
    'es fehlt: Xvfb, openbox und Bedienungshilfen',
  );
});

test('what is given stays a piece of its own, and is never read as a pattern', () => {
  const pieces = createFormatter(english, 'en-US').parts(message('record.file_missing', { path: "{code} <b>'x'" }));
  expect(pieces).toEqual([
    { kind: 'value', text: "{code} <b>'x'" },
    { kind: 'words', text: ' is missing' },
  ]);
});
