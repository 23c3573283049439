import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import '../support/property-tests.js';
import { parseInput } from '../../src/main/pipeline/define.js';
import { readArguments } from '../../src/main/pipeline/lenient-arguments.js';

const SCHEMA = z
  .object({
    x: z.number().max(1000).optional(),
    count: z.number().int().min(1).default(1),
    paste: z.boolean().optional(),
    button: z.enum(['left', 'right']).optional(),
    modifiers: z.array(z.enum(['shift', 'ctrl'])).max(6).optional(),
    roles: z.array(z.string()).optional(),
    title: z.string().min(1).optional(),
    text: z.string().min(1).optional(),
    window_id: z.string().min(1).optional(),
    display_id: z.union([z.number(), z.enum(['all'])]).optional(),
    target: z.union([z.object({ point: z.object({ x: z.number() }).strict() }).strict(), z.object({ element: z.string() }).strict()]).optional(),
    steps: z.array(z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) }).strict()).max(20).optional(),
    confirm: z.boolean().optional(),
    command: z.string().min(1).optional(),
    args: z.array(z.string()).optional(),
    environment: z.record(z.string(), z.string()).optional(),
  })
  .strict(); // prettier-ignore

const step = { tool: 'press_key', arguments: { key: 'a' } };

describe('[req:CL-2] arguments as models write them', () => {
  it.each([
    [{ x: '448' }, { x: 448 }],
    [{ x: ' -4.5 ' }, { x: -4.5 }],
    [{ paste: 'false' }, { paste: false }],
    [{ paste: 'True' }, { paste: true }],
    [{ modifiers: '["shift"]' }, { modifiers: ['shift'] }],
    [{ modifiers: 'shift' }, { modifiers: ['shift'] }],
    [{ x: null, count: null, modifiers: null, title: null, window_id: null, confirm: null }, {}],
    [{ x: '', count: '', modifiers: '', title: '', button: '' }, {}],
    [{ steps: JSON.stringify([step]) }, { steps: [step] }],
    [{ steps: JSON.stringify(step) }, { steps: [step] }],
    [{ steps: step }, { steps: [step] }],
    [{ steps: [{ ...step, arguments: '{"key":"a"}' }] }, { steps: [step] }],
    [{ target: '{"point":{"x":"3"}}' }, { target: { point: { x: 3 } } }],
    [{ display_id: '2' }, { display_id: 2 }],
    [
      { windowId: 'w', displayId: 'all' },
      { window_id: 'w', display_id: 'all' },
    ],
    [{ 'window-id': 'w', window_id: 'w' }, { window_id: 'w' }],
    ['{"x":"1"}', { x: 1 }],
    [null, {}],
  ])('%j is read as %j', (given, read) => {
    expect(readArguments(SCHEMA, given)).toEqual(read);
    expect(() => parseInput(SCHEMA, read, 'act')).not.toThrow();
  });

  it.each([
    [{ text: '448' }], [{ text: 'null' }], [{ text: 'true' }], [{ text: '[1]' }], [{ title: '{}' }], [{ window_id: '7' }],
  ])('%j is taken as it is', (given) => expect(readArguments(SCHEMA, given)).toEqual(given)); // prettier-ignore

  it.each([
    [{ x: '4px' }, 'must be a number'],
    [{ x: '0x10' }, 'must be a number'],
    [{ x: '1e3' }, 'must be a number'],
    [{ x: '010' }, 'must be a number'],
    [{ x: '9007199254740993' }, 'must be a number'],
    [{ x: '' + 1001 }, 'must be at most 1000, not 1001'],
    [{ paste: 1 }, 'must be true or false'],
    [{ paste: 'yes' }, 'must be true or false'],
    [{ modifiers: 'ctrl+shift' }, 'must be one of'],
    [{ modifiers: '["shift"' }, 'must be an array'],
    [{ roles: 'a, b' }, 'must be an array'],
    [{ text: '' }, 'must have at least 1'],
    [{ window_id: '' }, 'must have at least 1'],
    [{ command: '' }, 'must have at least 1'],
    [{ confirm: 'true' }, 'must be true or false'],
    [{ args: '-rf' }, 'must be an array'],
    [{ args: '["-rf"]' }, 'must be an array'],
    [{ environment: '{"A":"b"}' }, 'must be an object'],
    [{ windowId: 'a', window_id: 'b' }, 'did you mean window_id'],
    [{ windowId: 'a', 'window-id': 'a' }, 'did you mean window_id'],
    [{ text: 5 }, 'must be a string'],
    [{ steps: `[${'['.repeat(300)}${']'.repeat(300)}]` }, 'must be an array'],
  ])('%j is refused', (given, words) => {
    expect(() => parseInput(SCHEMA, readArguments(SCHEMA, given), 'act')).toThrow(words);
  });

  it('names no limit that was not exceeded', () => {
    expect(() => parseInput(SCHEMA, { steps: 'a text of more than twenty characters' }, 'act')).toThrow(
      /^act: steps: must be an array, not "[^"]*"$/,
    );
  });
});

test('[req:CL-2] property: what the schema takes is never changed', () => {
  const texts = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('448', 'null', 'true', '[]', '{}', '""'));
  const valid = fc.record(
    { text: texts, title: texts, window_id: texts, command: texts, args: fc.array(texts), environment: fc.dictionary(texts, texts), x: fc.integer({ max: 1000 }), paste: fc.boolean(), roles: fc.array(texts) },
    { requiredKeys: [] },
  ); // prettier-ignore
  fc.assert(
    fc.property(valid, (given) => {
      expect(readArguments(SCHEMA, given)).toBe(given);
    }),
  );
});

test('[req:CL-2] property: any JSON is read, without a fault, to what is read the same again', () => {
  const names = fc.constantFrom(...Object.keys(SCHEMA.shape), 'windowId', '__proto__', 'point');
  const given = fc.dictionary(
    names,
    fc.oneof(
      fc.jsonValue(),
      fc.jsonValue().map((one) => JSON.stringify(one)),
    ),
  );
  fc.assert(
    fc.property(given, (one) => {
      const read = readArguments(SCHEMA, one);
      expect(readArguments(SCHEMA, read)).toEqual(read);
    }),
  );
});
