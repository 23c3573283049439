import { expect, it } from 'vitest';
import { MAX_DEPTH, readJson } from '../../src/main/protocol/json.js';
import { Unreadable } from '../../src/main/protocol/transport.js';

const nested = (depth: number) => `${'{"a":['.repeat(depth / 2)}1${']}'.repeat(depth / 2)}`;

it('reads what is nested as deep as allowed, and says why it does not read what is deeper', () => {
  expect(readJson(nested(MAX_DEPTH))).toEqual(JSON.parse(nested(MAX_DEPTH)));
  for (const depth of [MAX_DEPTH + 2, 200_000]) expect(readJson(nested(depth))).toBeInstanceOf(Unreadable);
});

it('reads any value, and says why it does not read what is no JSON', () => {
  for (const text of ['null', '1', '"x"', '[]', '{"__proto__":1}']) expect(readJson(text)).toEqual(JSON.parse(text));
  for (const text of ['', '{', 'undefined', "{'a':1}"]) expect(readJson(text)).toBeInstanceOf(Unreadable);
});
