/** Every code has a sentence in every language, with the same parameters; every sentence is said somewhere. */
import { readFileSync, readdirSync } from 'node:fs';
import { IntlMessageFormat } from 'intl-messageformat';
import { expect, test } from 'vitest';
import { english } from '../../src/messages/english.js';
import { createFormatter, isMessage, message, type Catalogue, type Message } from '../../src/messages/index.js';
import { parametersModule, parametersOf } from '../../scripts/messages/parameters.mjs';
import { NOT_FOR_PAGE } from '../../scripts/messages/page.mjs';
import de from '../../src/messages/de.json' with { type: 'json' };
import en from '../../src/messages/en.json' with { type: 'json' };
import zh from '../../src/messages/zh.json' with { type: 'json' };

const src = new URL('../../src/', import.meta.url);
const translations = [
  ['de', de],
  ['zh', zh],
] as const;

test('the parameters are what `npm run docs` writes', () => {
  expect(readFileSync(new URL('messages/parameters.ts', src), 'utf8')).toBe(parametersModule(en));
});

test.each(translations)('%s has the codes and parameters of the English', (_, catalogue) => {
  const shapes = (of: Record<string, string>) =>
    Object.fromEntries(Object.entries(of).map(([code, text]) => [code, [...parametersOf(text)]]));
  expect(shapes(catalogue)).toEqual(shapes(en));
});

/** Names, and words that are one in both languages. */
const SAME = new Set(['Agent', 'App', 'Automation', 'Backend', 'Live', 'Name', 'Node', 'Standard', 'System', 'Text', 'Version', 'Chaperone']); // prettier-ignore

test.each(translations)(
  '[req:AP-W-1] %s leaves no sentence in English, and none empty',
  (_, catalogue: Record<string, string>) => {
    const left = Object.entries(english).filter(([code, text]) => {
      const said = catalogue[code] ?? '';
      return said.trim() === '' || (said === text && /\p{L}/u.test(withoutNames(text)) && !SAME.has(text));
    });
    expect(left.filter(([code]) => !/^page\.marks\./.test(code))).toEqual([]);
  },
);

const withoutNames = (text: string) => text.replace(/\{\w+\}|\bX11\b| in /g, '');

test.each([
  ['de', de, /—|"|[，。]|\s$/u],
  ['zh', zh, /—|"|\p{Script=Han}\.$|\s$/u],
] as const)('%s has no em dash, no straight quotes and no full stop of another language', (_, catalogue, wrong) => {
  const own = Object.entries(catalogue).filter(([code]) => !code.startsWith('page.marks.'));
  expect(own.filter(([, text]) => wrong.test(text))).toEqual([]);
});

test('English has no straight apostrophe, which ICU reads as a quote', () => {
  expect(Object.entries(en).filter(([, text]) => text.includes("'"))).toEqual([]);
});

test('the person is addressed the same way everywhere', () => {
  const addressing = (catalogue: Record<string, string>, familiar: RegExp) =>
    Object.entries(catalogue).filter(([, text]) => familiar.test(text));
  expect(addressing(de, /\b(du|dich|dir|dein\w*)\b/i)).toEqual([]);
  expect(addressing(zh, /你|代理/)).toEqual([]);
});

test('every code is used, and every code that is used has a sentence', () => {
  const code = sourceOf((path) => path !== 'messages/parameters.ts');
  const patterns = [...code.matchAll(/`((?:page|app|cli)\.[\w.]*\$\{[^`]*)`/g)].map(
    ([, template = '']) => new RegExp(`^${template.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[^.]+')}$`),
  );
  const used = (one: string) => code.includes(`'${one}'`) || patterns.some((pattern) => pattern.test(one));
  expect(Object.keys(en).filter((one) => !used(one))).toEqual([]);
  expect(patterns.filter((pattern) => !Object.keys(en).some((one) => pattern.test(one)))).toEqual([]);
});

test('what the page is built without is said by the app, the command line, the demo and on the wire only', () => {
  const elsewhere =
    /^(?:messages|main\/(?:app|cli|remote|shim|transport|protocol|serve\/gabp|serve\/connection\.ts))(?:\/|$)/;
  const code = sourceOf((path) => !elsewhere.test(path));
  const left = Object.keys(en).filter((one) => NOT_FOR_PAGE.test(one));
  expect(left.filter((one) => code.includes(`'${one}'`))).toEqual([]);
});

const sourceOf = (included: (path: string) => boolean) =>
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && included(path))
    .map((path) => readFileSync(new URL(path, src), 'utf8'))
    .join();

test('messages within messages, lists and numbers are said in the same language', () => {
  const say = createFormatter(de, 'de-DE').format;
  const permission = message('permission.accessibility');
  expect(say(message('health.permission', { permission, state: 'stale' }))).toBe(
    'Die Berechtigung „Bedienungshilfen“ ist veraltet',
  );
  const reason = message('display.none');
  expect(say(message('display.virtual_stands_in', { reason }))).toMatch(/^Es ist kein Bildschirm da .* verwendet\.$/);
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

test.each([
  ['en-US', en],
  ['de-DE', de],
  ['zh-CN', zh],
])('%s: sentences are what ICU makes of them, piece by piece', (locale, catalogue: Catalogue) => {
  const formatter = createFormatter(catalogue, locale);
  for (const [code, text] of Object.entries(catalogue).filter(([, one]) => one.includes('{'))) {
    const icu = new IntlMessageFormat(text, locale, undefined, { ignoreTag: true });
    const complete = exampleOf(text);
    const incomplete = Object.keys(complete).map((name) => ({ ...complete, [name]: undefined }));
    for (const params of [complete, ...incomplete.map(withoutUndefined)]) {
      const said = outcome(() => formatter.parts(messageOf(code, params)));
      expect([code, params, said]).toEqual([code, params, outcome(() => icuParts(icu, params))]);
    }
  }
});

type Example = Record<string, string | number>;

const exampleOf = (text: string): Example =>
  Object.fromEntries(
    [...parametersOf(text)].map(([name, type]) => [name, type === 'text' ? "<b>{x}'" : Array.isArray(type) ? (type[0] ?? '') : 0]), // prettier-ignore
  );

const withoutUndefined = (values: Readonly<Record<string, string | number | undefined>>): Example =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

function messageOf(code: string, params: Example): Message {
  const made = { code, params };
  if (!isMessage(made)) throw new Error(`${code} is no message`);
  return made;
}

/** ICU keeps objects as pieces of their own, so texts are given to it as these. */
function icuParts(icu: IntlMessageFormat, params: Example) {
  const given = Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? { toString: () => value } : value]); // prettier-ignore
  const pieces: { type: number; value: unknown }[] = icu.formatToParts(Object.fromEntries(given));
  return pieces.map(({ type, value }) => ({ kind: type === 0 ? 'words' : 'value', text: String(value) }));
}

/** What is returned, or the name of the value that is missing. */
function outcome<T>(work: () => T): T | string {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'MISSING_VALUE') return thrown.message;
    throw thrown;
  }
}
