import { expect, test } from 'vitest';
import fc from 'fast-check';
import { backoffMs, createEventLog } from '../../src/main/gabp/app.js';
import { appEntrySchema } from '../../src/main/gabp/config.js';
import { publishedSchema } from '../../src/main/gabp/tool-list.js';
import { createRateLimit } from '../../src/main/gabp/connection.js';
import { toolNames } from '../../src/main/gabp/app-tools.js';
import { plainWords } from '../../src/main/protocol/characters.js';
import { readFromApp, readWelcome } from '../../src/main/protocol/gabp.js';

const gabpName = fc.stringMatching(/^[a-z][a-z0-9_-]{0,30}(\/[a-z][a-z0-9_-]{0,30}){1,3}$/);

test('[req:TP-57] [req:GC-6] names are short, never the same, never a reserved one, and the same in any order', () => {
  fc.assert(
    fc.property(fc.uniqueArray(gabpName, { minLength: 1, maxLength: 30 }), (tools) => {
      const reserved = new Set(['game_a_b']);
      const names = toolNames('game', tools, reserved);
      expect(new Set(names.values()).size).toBe(tools.length);
      for (const name of names.values()) expect(name).toMatch(/^game_[a-z0-9_]{1,35}$/);
      expect([...names.values()].some((name) => reserved.has(name))).toBe(false);
      expect(new Map([...toolNames('game', [...tools].reverse(), reserved)].reverse())).toEqual(names);
    }),
  );
  expect(toolNames('game', ['a/b'], new Set()).get('a/b')).toBe('game_a_b');
  expect(toolNames('game', ['a/b'], new Set(['game_a_b'])).get('a/b')).not.toBe('game_a_b');
  const both = toolNames('game', ['a/b_c', 'a_b/c'], new Set());
  expect(both.get('a/b_c')).not.toBe(both.get('a_b/c'));
});

test('[req:GC-6] any schema is published as one of an object, small, and without hidden characters', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (given) => {
      const schema = publishedSchema({ type: 'array', properties: { given }, required: ['given', 'no'], items: given });
      expect(schema['type']).toBe('object');
      expect(JSON.stringify(schema).length).toBeLessThanOrEqual(4000);
      expect(schema['required'] ?? ['given']).toEqual(['given']);
    }),
  );
  expect(publishedSchema({ properties: { a: { type: 'string', enum: ['x\u202e', 1], $ref: '#' } } })).toEqual({
    type: 'object',
    properties: { a: { type: 'string', enum: ['x', 1] } },
  });
  expect(publishedSchema('no')).toEqual({ type: 'object' });
  expect(plainWords('a\u0000\u202e\n\n b', 10)).toBe('a b');
  expect(plainWords('x'.repeat(50), 10)).toBe(`${'x'.repeat(9)}…`);
});

test('[req:TP-56] [req:GC-7] each wait is longer than the one before, up to half a minute and a quarter, and never the same for all', () => {
  expect([0, 1, 2, 3].map((failures) => backoffMs(failures, 0.5))).toEqual([250, 500, 1000, 2000]);
  expect([backoffMs(2, 0), backoffMs(2, 1)]).toEqual([750, 1250]);
  expect(backoffMs(1000, 1)).toBe(37_500);
});

test('[req:GC-5] a burst is read, a flood is not', () => {
  let now = 0;
  const within = createRateLimit(() => now);
  expect(Array.from({ length: 2000 }, within).every(Boolean)).toBe(true);
  expect(within()).toBe(false);
  now += 1000;
  expect(Array.from({ length: 400 }, within).every(Boolean)).toBe(true);
});

test('[req:GC-5] envelopes: empty halves are none, both halves are a contradiction, anything else means nothing', () => {
  const response = (more: object) => readFromApp({ v: 'gabp/1', id: 'x', type: 'response', ...more });
  expect(response({ result: null, error: null })).toMatchObject({ outcome: { ok: true, result: null } });
  expect(response({ result: 0 })).toMatchObject({ outcome: { ok: true, result: 0 } });
  expect(response({ result: null, error: { code: 5, message: 'no' } })).toMatchObject({
    outcome: { code: 5, text: 'no' },
  });
  expect(response({ result: 1, error: { code: 5, message: 'no' } })).toMatchObject({ outcome: { ok: 'both' } });
  expect(response({ error: 'no' })).toMatchObject({ outcome: { ok: false, code: 0 } });
  const event = { v: 'gabp/1', type: 'event', channel: 'a/b', payload: 1 };
  expect(readFromApp({ ...event, seq: 7 })).toEqual({ kind: 'event', channel: 'a/b', seq: 7, payload: 1 });
  expect(readFromApp({ ...event, seq: -1 })).toMatchObject({ seq: null });
  for (const other of [null, 1, {}, { ...event, v: 'gabp/2' }, { ...event, channel: '' }])
    expect(readFromApp(other)).toEqual({ kind: 'invalid' });
  expect(readWelcome({ capabilities: { methods: [1, 'a/b'], events: 'no' } })).toMatchObject({
    capabilities: { methods: ['a/b'], events: [], limits: {} },
  });
  expect(readWelcome('hello')).toBeNull();
});

test('[req:GC-1] an entry says either what is launched or what is attached to, by whole paths', () => {
  const launch = { command: ['/usr/bin/game'], folder: '/' };
  const attach = { bridgeFile: '/tmp/bridge.json' };
  expect(appEntrySchema.parse({ launch })).toMatchObject({ start: 'manual', effects: {} });
  for (const bad of [
    {},
    { launch, attach },
    { launch: { ...launch, command: ['game'] } },
    { attach, more: 1 },
    { attach, effects: { 'a/b': 'allow' } },
  ])
    expect(appEntrySchema.safeParse(bad).success).toBe(false);
});

test('[req:GC-8] gaps in numbers are lost events, a restart is none, and only who keeps events is asked for earlier ones', () => {
  const log = createEventLog();
  const event = (seq: number | null, payload: unknown = seq) => ({ channel: 'a/b', seq, payload });
  const welcome = (extensions: Record<string, unknown>) => ({
    claim: '',
    capabilities: { events: [], extensions, limits: {} },
  });
  log.reconnected();
  for (const seq of [5, 6, 6, 9]) log.add(event(seq));
  expect([log.lost(), log.read(0, 10, null).map(({ payload }) => payload)]).toEqual([2, [5, 6, 9]]);
  expect(log.replay(welcome({}))).toEqual({});
  expect(log.replay(welcome({ replay: {} }))).toEqual({ from: { 'a/b': 10 } });
  log.reconnected();
  log.add(event(1));
  log.add(event(null, 'uncounted'));
  expect(log.lost()).toBe(2);
  expect(log.read(3, 10, 'a/b').map(({ payload }) => payload)).toEqual([1, 'uncounted']);
  for (let count = 0; count < 600; count++) log.add(event(null, count));
  expect(log.read(0, 1000, null)).toHaveLength(500);
});
