/** Reading all of a long list with few calls, and when it is not taken: from an application made up here. */
import pLimit from 'p-limit';
import { describe, expect, it } from 'vitest';
import { DesktopError } from '../../../src/native/desktop.js';
import type { AccessibleObject } from '../../../src/native/linux/atspi/accessible-object.js';
import type { AccessibilityBus, Ref } from '../../../src/native/linux/atspi/bus.js';
import { createKnownInterfaces } from '../../../src/native/linux/atspi/queries.js';
import type { FoundObject } from '../../../src/native/linux/atspi/list-search.js';
import { readWholeList } from '../../../src/native/linux/atspi/whole-list.js';
import { verbatim } from '../../../src/messages/index.js';

const signal = new AbortController().signal;
const refOf = (name: string): Ref => ({ bus: ':1.7', path: `/${name}` });
const gone = () => new DesktopError('stale', verbatim('gone'));

interface Listed {
  name: string;
  parent: string;
  children: number;
}

const TWO_ROWS: Listed[] = [
  { name: 'row1', parent: 'list', children: 1 },
  { name: 'label1', parent: 'row1', children: 0 },
  { name: 'row2', parent: 'list', children: 1 },
  { name: 'label2', parent: 'row2', children: 0 },
];

const roleOf = ({ children }: Listed): number => (children === 0 ? 29 : 32);

/** The roles that a match rule wants; null for any. */
function wantedRoles(body: unknown[]): number[] | null {
  const [, , , , words]: unknown[] = Array.isArray(body[0]) ? body[0] : [];
  if (!Array.isArray(words) || words.length === 0) return null;
  return [29, 32].filter((role) => ((Number(words[role >> 5]) >> (role % 32)) & 1) === 1);
}

function scene(objects: Listed[], { searches = true, removed = '', late = false, lies = false } = {}) {
  const asked: string[] = [];
  const unused = (): never => {
    throw new Error('not asked here');
  };
  const find = ({ path }: Ref): Listed => {
    const found = objects.find(({ name }) => `/${name}` === path && name !== removed);
    if (found === undefined) throw gone();
    return found;
  };
  const answers = new Map<string, (ref: Ref) => unknown>([
    ['Accessible.GetRole', (ref) => roleOf(find(ref))],
    ['Accessible.GetState', () => [0, 0]],
    ['Accessible.GetInterfaces', (ref) => (find(ref).children === 0 ? ['org.a11y.atspi.Text'] : [])],
  ]);
  const bus: AccessibilityBus = {
    call: async (ref, member, options) => {
      asked.push(member);
      if (member === 'Collection.GetMatches') {
        if (!searches) throw new DesktopError('unsupported', verbatim('no'));
        const roles = wantedRoles(options?.body ?? []);
        if (lies && roles !== null) return [[]];
        const fitting = objects.filter((one) => roles?.includes(roleOf(one)) !== false);
        return [fitting.map(({ name }) => [':1.7', `/${name}`])];
      }
      return [answers.get(member)?.(ref)];
    },
    properties: async (ref) => {
      const { name, parent, children } = find(ref);
      const above = [':1.7', `/${parent}`];
      return new Map<string, unknown>(
        Object.entries({ Name: name, Parent: above, ChildCount: children, AccessibleId: `#${name}` }),
      );
    },
    property: unused,
    setProperty: unused,
    reading: (_names, _signal, work) => work(),
    roots: unused,
    pidOf: unused,
    hasLeft: unused,
    answers: unused,
    listen: unused,
    onEnd: () => () => {},
    heardAll: unused,
    close: unused,
  };
  const interfaces = createKnownInterfaces();
  const list = (childCount: number): AccessibleObject => ({
    ...{ ref: refOf('list'), role: 98, name: '', description: '', states: [0, 0], interfaces: new Set<string>() },
    childCount,
  });
  const read = (childCount = 2, objects = 100, levels = 10) => {
    const deadline = late ? Date.now() - 1 : Date.now() + 10_000;
    const check = (item: AccessibleObject) => item;
    return readWholeList(
      { bus, deadline, limitCalls: pLimit(8), interfaces, check },
      list(childCount),
      { objects, levels },
      signal,
    );
  };
  return { asked, read };
}

const shown = (children: readonly FoundObject[] | null): unknown[] | null =>
  children?.map(({ item, index, children: below }) => [index, item.name, item.identifier, shown(below)]) ?? null;

describe('a whole list', () => {
  it('is put together from its order and the parents told', async () => {
    const found = await scene(TWO_ROWS).read();
    expect(found?.complete).toBe(true);
    expect(shown(found?.children ?? [])).toEqual([
      [0, 'row1', '#row1', [[0, 'label1', '#label1', []]]],
      [1, 'row2', '#row2', [[0, 'label2', '#label2', []]]],
    ]);
    expect([...(found?.children[1]?.children?.[0]?.item.interfaces ?? [])]).toEqual(['Text']);
  });

  it('asks which objects have a role where it has many', async () => {
    const rows = Array.from({ length: 40 }, (_, index) => [
      { name: `row${index}`, parent: 'list', children: 1 },
      { name: `label${index}`, parent: `row${index}`, children: 0 },
    ]).flat();
    const [by, one] = [scene(rows), scene(rows, { lies: true })];
    const found = await by.read(40);
    expect(found?.children[39]?.item.role).toBe(32);
    expect(found?.children[39]?.children?.[0]?.item.role).toBe(29);
    expect(
      by.asked.filter((call) => call === 'Accessible.GetRole'),
      'of one, and of the few left',
    ).toHaveLength(41);
    expect(by.asked.filter((call) => call === 'Collection.GetMatches')).toHaveLength(2);
    expect(await one.read(40), 'no search tells of a role').toEqual(found);
    expect(one.asked.filter((call) => call === 'Accessible.GetRole')).toHaveLength(81);
  });

  it('asks for the interfaces of an object once', async () => {
    const { asked, read } = scene(TWO_ROWS);
    const first = await read();
    expect(await read()).toEqual(first);
    expect(asked.filter((one) => one === 'Accessible.GetInterfaces')).toHaveLength(4);
    expect(asked.filter((one) => one === 'Accessible.GetState')).toHaveLength(8);
  });

  it.each([
    ['a row is missing', scene(TWO_ROWS.slice(0, 2)).read()],
    ['a row has come since', scene(TWO_ROWS).read(1)],
    [
      'one has moved to another list',
      scene(TWO_ROWS.map((one) => ({ ...one, parent: one.parent === 'list' ? 'other' : one.parent }))).read(),
    ],
    ['it has more objects than are wanted', scene(TWO_ROWS).read(2, 3)],
    ['only its rows are wanted', scene(TWO_ROWS).read(2, 100, 1)],
    ['an object is told twice', scene([...TWO_ROWS, { name: 'row1', parent: 'label1', children: 1 }]).read()],
    ['it is told to be in itself', scene([...TWO_ROWS, { name: 'list', parent: 'label1', children: 2 }]).read()],
    ['it does not search', scene(TWO_ROWS, { searches: false }).read()],
  ])('is not taken where %s', async (_, found) => {
    expect(await found).toBeNull();
  });

  it.each([
    ['is missing', TWO_ROWS.slice(0, 3), ''],
    ['was removed while it was read', TWO_ROWS, 'label2'],
  ])('leaves open what is in a row of which a part %s', async (_, objects, removed) => {
    const found = await scene(objects, { removed }).read();
    expect(found?.complete).toBe(true);
    expect(shown(found?.children ?? [])).toEqual([
      [0, 'row1', '#row1', [[0, 'label1', '#label1', []]]],
      [1, 'row2', '#row2', null],
    ]);
  });

  it('ends at a level', async () => {
    const [first] = (await scene(TWO_ROWS).read(2, 100, 2))?.children ?? [];
    expect(shown(first?.children ?? null)).toEqual([[0, 'label1', '#label1', null]]);
  });

  it('is not asked for where its rows alone are too many', async () => {
    const { asked, read } = scene(TWO_ROWS);
    expect(await read(2, 1)).toBeNull();
    expect(asked).toEqual([]);
  });

  it('says that the time was too short', async () => {
    expect(await scene(TWO_ROWS, { late: true }).read()).toEqual({ children: [], complete: false });
  });
});

describe('known interfaces', () => {
  const ask = (name: string) => () => Promise.resolve([`org.a11y.atspi.${name}`]);

  it('are those of this object', async () => {
    const known = createKnownInterfaces();
    await known.of(refOf('a'), ask('Text'));
    expect([...(await known.of(refOf('a'), ask('Value')))]).toEqual(['Text']);
    expect([...(await known.of(refOf('b'), ask('Value')))]).toEqual(['Value']);
    expect([...(await known.of({ bus: ':1.8', path: '/a' }, ask('Value')))]).toEqual(['Value']);
  });

  it('are let go of where there are too many', async () => {
    const known = createKnownInterfaces(2, 2);
    const of = (bus: string, path: string, name: string) => known.of({ bus, path }, ask(name));
    for (const bus of [':1.1', ':1.2', ':1.1', ':1.3']) await of(bus, '/a', 'Text');
    expect([...(await of(':1.1', '/a', 'Value'))], 'used since the other').toEqual(['Text']);
    expect([...(await of(':1.2', '/a', 'Value'))], 'the oldest').toEqual(['Value']);
    for (const path of ['/b', '/c']) await of(':1.2', path, 'Text');
    expect([...(await of(':1.2', '/a', 'Action'))], 'too many objects').toEqual(['Action']);
  });
});
