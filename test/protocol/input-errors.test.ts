import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { formatterFor } from '../../src/messages/catalogues.js';
import { parseInput } from '../../src/main/pipeline/define.js';
import { ruleError, closestName, similarNames } from '../../src/main/protocol/input-errors.js';
import { WireError } from '../../src/main/protocol/index.js';

const SCHEMA = z
  .object({
    x: z.number(),
    click_count: z.number().int().min(1).max(3).default(1),
    button: z.enum(['left', 'right']).optional(),
    display_id: z.union([z.string(), z.number()]).optional(),
    element_id: z.string().min(2).max(4).optional(),
    steps: z
      .array(z.object({ tool: z.string() }).strict())
      .max(2)
      .optional(),
    secret_alias: z.string().optional().meta({ unpublished: true }),
  })
  .strict();

function refused(given: unknown): WireError {
  try {
    parseInput(SCHEMA, given, 'act');
  } catch (error) {
    if (error instanceof WireError && error.details['reason'] === 'invalid_params') return error;
    throw error;
  }
  throw new Error('accepted');
}

const refusal = (given: unknown): string => refused(given).message;

describe('parameters that do not fit', () => {
  it.each([
    [{}, 'act: x: required (a number)'],
    [{ x: null }, 'act: x: must be a number, not null'],
    [{ x: '1' }, 'act: x: must be a number, not "1"'],
    [{ x: Number.POSITIVE_INFINITY }, 'act: x: must be a number, not Infinity'],
    [{ x: Number.NaN }, 'act: x: must be a number, not NaN'],
    [{ x: 1, click_count: 1.5 }, 'act: click_count: must be a whole number, not 1.5'],
    [{ x: 1, click_count: 7 }, 'act: click_count: must be at most 3, not 7'],
    [{ x: 1, button: 'back' }, 'act: button: must be one of "left", "right", not "back"'],
    [{ x: 1, display_id: {} }, 'act: display_id: must be a string or a number, not an object'],
    [{ x: 1, element_id: 'e' }, 'act: element_id: must have at least 2 characters, not "e"'],
    [
      { x: 1, element_id: 'e'.repeat(99) },
      'act: element_id: must have at most 4 characters, not a string of 99 characters',
    ],
    [{ x: 1, steps: [{}, {}, {}] }, /steps: must have at most 2 items, not an array of 3/],
    [
      { x: 1, steps: [{ tol: 'a' }] },
      'act: steps.0.tool: required (a string). steps.0.tol: unknown parameter (did you mean tool?)',
    ],
    [[], 'act: must be an object, not an array of 0'],
    ['x', 'act: must be an object, not "x"'],
  ])('are told by name: %j', (given, words) => {
    expect(refusal(given)).toMatch(words);
  });

  it.each([
    ['clickCount', 'click_count'],
    ['CLICK-COUNT', 'click_count'],
    ['buton', 'button'],
    ['id', 'it takes'],
    ['element', 'element_id'],
    ['secret_alia', 'it takes x, click_count, button, display_id, element_id, steps'],
  ])('that nobody knows are refused, and the nearest known one is named: %s', (given, near) => {
    expect(refusal({ x: 1, [given]: 1 })).toContain(`act: ${given}: unknown parameter (`);
    expect(refusal({ x: 1, [given]: 1 })).toContain(near);
    expect(refusal({ x: 1, [given]: 1 })).not.toContain('secret_alias');
  });

  it('are told in the words of each language', () => {
    const { text } = refused({ click_count: 7, element_id: 'e', steps: [{ tol: 'a' }] });
    expect(formatterFor(['de']).format(text)).toBe(
      'act: x: fehlt (eine Zahl). click_count: muss höchstens 3 sein, nicht 7. element_id: muss mindestens 2 Zeichen haben, nicht "e". steps.0.tool: fehlt (ein Text). steps.0.tol: unbekannter Parameter (meinten Sie tool?)',
    );
    expect(formatterFor(['zh']).format(text)).toContain('click_count：必须是最多 3，而不是7');
  });

  it('are told by code where a rule of the tool’s own or zod’s less usual ones refuse them', () => {
    const odd = z.object({
      even: z.number().multipleOf(2).optional(),
      name: z
        .string()
        .regex(/^[a-z]+$/)
        .optional(),
      names: z.record(z.string().regex(/^[a-z]+$/), z.number()).optional(),
      path: z
        .string()
        .refine((path) => path.startsWith('/'), ruleError('input.absolute_path'))
        .optional(),
      other: z
        .string()
        .refine(() => false, 'English of nobody')
        .optional(),
    });
    const told = (given: unknown) => {
      try {
        parseInput(odd, given, 'act');
        return 'accepted';
      } catch (error) {
        return error instanceof WireError ? error.message : error;
      }
    };
    expect(told({ even: 3 })).toBe('act: even: must be a multiple of 2');
    expect(told({ name: 'A' })).toBe('act: name: must be of the form /^[a-z]+$/, not "A"');
    expect(told({ names: { A: 1 } })).toContain('act: names.A: must be of the form /^[a-z]+$/');
    expect(told({ path: 'a' })).toBe('act: path: must be an absolute path without control characters');
    expect(told({ other: 'a' })).toBe('act: other: is not valid');
  });

  it('case 9: whole numbers may be written 1.0, and nothing given is enough where nothing is required', () => {
    expect(parseInput(SCHEMA, JSON.parse('{"x": 2.0, "click_count": 1.0}'), 'act')).toEqual({ x: 2, click_count: 1 });
    expect(parseInput(z.object({}).strict(), undefined, 'act')).toEqual({});
  });

  it('with names of an object’s own machinery are refused like any other', () => {
    const given: unknown = JSON.parse('{"x":1,"__proto__":{"x":2},"constructor":1,"toString":2}');
    for (const name of ['__proto__', 'constructor', 'toString'])
      expect(refusal(given)).toContain(`${name}: unknown parameter`);
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });

  it('make no long or unreadable error, however long or strange they are', () => {
    const many = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, index) => [`\u202e\n${index}${'k'.repeat(500)}`, 1]),
    );
    const words = refusal({ x: 1, ...many });
    expect(words.length).toBeLessThan(2_000);
    expect(words).not.toMatch(/[\u202e\n]/);
  });
});

describe('nearest', () => {
  it('names only what is near', () => {
    const names = ['click', 'click_element', 'capture_screenshot', 'find_elements'];
    expect(closestName('clik', names)).toBe('click');
    expect(closestName('titel', ['title', 'role'])).toBe('title');
    expect(closestName('eltit', ['title', 'role'])).toBeNull();
    expect(closestName('screenshot', names)).toBe('capture_screenshot');
    expect(closestName('findElement', names)).toBe('find_elements');
    for (const none of ['', 'launch_rocket', '__proto__', 'x'.repeat(1e6)]) expect(closestName(none, names)).toBeNull();
    for (const several of ['element', 'e']) expect(closestName(several, names)).toBeNull();
  });

  it('lists all that may be meant, closest first', () => {
    const names = ['Mousepad', 'org.xfce.mousepad', 'KCalc', 'Galculator', 'Mouse settings', 'Mousepad'];
    expect(similarNames('mousepd', names)).toEqual(['Mousepad']);
    expect(similarNames('mouse', names)).toEqual(['Mousepad', 'org.xfce.mousepad', 'Mouse settings']);
    for (const none of ['', 'zzzz', 'm'.repeat(100_000)]) expect(similarNames(none, names)).toEqual([]);
    expect(
      similarNames(
        'name',
        Array.from({ length: 9 }, (_, index) => `name ${index}`),
      ),
    ).toHaveLength(5);
  });
});
