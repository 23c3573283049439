import { expect, test } from 'vitest';
import { fill, literal, parameterize, placeholders } from '../../src/main/sessions/index.js';

const values = (given: Record<string, string>) => new Map(Object.entries(given));

test('values go in once: what looks like a placeholder in them stays what it is', () => {
  const step = { text: 'Dear {{name}}, {{name}}{{end}}', deep: [{ title: '{{end}}' }], count: 3, flag: null };
  expect(fill(step, values({ name: '{{end}} {{{{ $& $1', end: '{{name}}' }))).toEqual({
    text: 'Dear {{end}} {{{{ $& $1, {{end}} {{{{ $& $1{{name}}',
    deep: [{ title: '{{name}}' }],
    count: 3,
    flag: null,
  });
});

test('a recorded text comes back as it was, braces and all', () => {
  for (const text of ['{{name}}', '{{', '{{{{', '{{{', 'a }} b', '{{{{{{name}}', '{ {name} }'])
    expect(fill(literal({ text }), values({ name: 'x' }))).toEqual({ text });
});

test('says which parameters are used, and whether braces stand for nothing', () => {
  expect(placeholders(['{{a}} {{b_2}}', { c: '{{a}}' }])).toEqual({ names: new Set(['a', 'b_2']), stray: false });
  for (const text of ['{{', '{{ a }}', '{{2}}', '{{a', `{{${'a'.repeat(41)}}}`])
    expect(placeholders(text).stray).toBe(true);
  expect(placeholders(literal('{{ a }}'))).toEqual({ names: new Set(), stray: false });
});

test('only a text that is exactly the one recorded becomes a parameter', () => {
  expect(parameterize([{ text: 'Ada', title: 'Ada L.' }], 'Ada', 'who')).toEqual([
    { text: '{{who}}', title: 'Ada L.' },
  ]);
  expect(parameterize([{ text: 'Adam' }], 'Ada', 'who')).toBeNull();
});
