/** What a reading asks of pages and menus that are not shown: in an application made up here. */
import { describe, expect, it } from 'vitest';
import { DesktopError } from '../../../src/native/desktop.js';
import { verbatim } from '../../../src/messages/index.js';
import type { AccessibilityBus, Ref } from '../../../src/native/linux/atspi/bus.js';
import { openObjectReader } from '../../../src/native/linux/atspi/object-reader.js';
import { ROLE, STATE } from '../../../src/native/linux/atspi/accessible-object.js';

const signal = new AbortController().signal;
const refOf = (name: string): Ref => ({ bus: ':1.7', path: `/${name}` });
const bits = (...states: number[]): [number, number] => [
  states.filter((one) => one < 32).reduce((sum, one) => sum + 2 ** one, 0),
  0,
];

interface Widget {
  name: string;
  role: number;
  visible: boolean;
  children: string[];
}

/** A window with a page that shows and one that does not, which holds another. `cached`: the application keeps them in its cache, without their order. */
function scene(cached = false) {
  const widgets = new Map<string, Widget>();
  const add = (path: string, role: number, visible: boolean, children: string[] = []) =>
    void widgets.set(path, { name: path, role, visible, children });
  add('window', ROLE.frame, true, ['shown', 'hidden']);
  add('shown', ROLE.panel, true, ['button']);
  add('button', ROLE.pushButton, true);
  add('hidden', ROLE.panel, false, ['group']);
  add('group', ROLE.panel, false, ['field', 'label']);
  add('field', ROLE.text, false);
  add('label', ROLE.label, false);
  const asked: string[] = [];
  const unused = (): never => {
    throw new Error('not asked here');
  };
  const parentOf = (path: string) => [...widgets].find(([, { children }]) => children.includes(path))?.[0] ?? 'none';
  const find = ({ path }: Ref): Widget => {
    const found = widgets.get(path.slice(1));
    if (found === undefined) throw new DesktopError('stale', verbatim('gone'));
    return found;
  };
  const answers = new Map<string, (ref: Ref) => unknown>([
    [
      'Cache.GetItems',
      () => (cached ? [...widgets].map(([path, widget]) => entryOf(path, widget, parentOf(path))) : []),
    ],
    ['Accessible.GetRole', (ref) => find(ref).role],
    ['Accessible.GetState', (ref) => bits(...(find(ref).visible ? [STATE.visible, STATE.showing] : []))],
    ['Accessible.GetInterfaces', () => []],
    ['Accessible.GetChildren', (ref) => find(ref).children.map((name) => [':1.7', `/${name}`])],
    ['Accessible.ChildCount', (ref) => find(ref).children.length],
    ['Accessible.Name', (ref) => find(ref).name],
    ['Accessible.Description', () => ''],
  ]);
  const answer = (ref: Ref, member: string): unknown => {
    asked.push(`${ref.path} ${member}`);
    const known = answers.get(member);
    if (known === undefined) throw new DesktopError('unsupported', verbatim('no'));
    return known(ref);
  };
  const bus: AccessibilityBus = {
    call: async (ref, member) => [answer(ref, member)],
    property: async (ref, name) => answer(ref, name),
    properties: unused,
    setProperty: unused,
    reading: async (_names, _signal, work) => work(),
    roots: unused,
    pidOf: unused,
    hasLeft: unused,
    answers: unused,
    listen: unused,
    onEnd: () => () => {},
    heardAll: unused,
    close: unused,
  };
  const reader = openObjectReader(bus, async () => false);
  const search = async (role: number, keepsHidden = true) => {
    asked.length = 0;
    const wanted = { state: null, roles: new Set([role]), named: null, unnamed: new Set<number>() };
    const limits = { maxDepth: 20, maxNodes: 100, deadline: Date.now() + 60_000, keepsHidden, wanted };
    const { nodes } = await reader.snapshot(refOf('window'), [], limits, signal);
    return nodes.filter(({ item }) => item.role === role).map(({ item, path }) => `${item.ref.path} ${path.join('.')}`);
  };
  const searchRoles = async () => {
    asked.length = 0;
    const limits = { maxDepth: 20, maxNodes: 100, deadline: Date.now() + 60_000, rolesOnly: true };
    const { nodes } = await reader.snapshot(refOf('window'), [], limits, signal);
    return nodes.map(({ item }) => item.ref.path.slice(1));
  };
  return { widgets, add, asked, search, searchRoles };
}

/** As in the reply of Cache.GetItems. */
const entryOf = (path: string, { name, role, visible, children }: Widget, parent: string): unknown[] => [
  [':1.7', `/${path}`],
  [':1.7', '/root'],
  [':1.7', `/${parent}`],
  -1,
  children.length,
  [],
  name,
  role,
  '',
  bits(...(visible ? [STATE.visible, STATE.showing] : [])),
];

const HIDDEN = /^\/(?:group|field|label) /;

describe('objects that are not shown', () => {
  it('are asked for once, and those that may fit each time', async () => {
    const { asked, search } = scene();
    expect(await search(ROLE.text)).toEqual(['/field 1.0.0']);
    expect(asked.filter((one) => HIDDEN.test(one))).not.toEqual([]);
    expect(await search(ROLE.pushButton)).toEqual(['/button 0.0']);
    expect(asked.filter((one) => HIDDEN.test(one))).toEqual([]);
    expect(await search(ROLE.text)).toEqual(['/field 1.0.0']);
    expect(new Set(asked.filter((one) => HIDDEN.test(one)).map((one) => one.split(' ')[0]))).toEqual(
      new Set(['/field']),
    );
  });

  it('are left out once they are gone', async () => {
    const { widgets, search } = scene();
    await search(ROLE.text);
    widgets.delete('field');
    expect(await search(ROLE.text)).toEqual([]);
  });

  it('are asked for again as soon as they show', async () => {
    const { add, search } = scene();
    await search(ROLE.text);
    add('hidden', ROLE.panel, true, ['other']);
    add('other', ROLE.text, true);
    expect(await search(ROLE.text)).toEqual(['/other 1.0']);
  });

  it('are asked for each time where the reading does not allow otherwise', async () => {
    const { asked, search } = scene();
    await search(ROLE.text, false);
    await search(ROLE.pushButton, false);
    expect(asked.filter((one) => HIDDEN.test(one))).not.toEqual([]);
  });
});

it('a search for password fields takes objects from the cache, in whatever order', async () => {
  const { asked, searchRoles } = scene(true);
  expect((await searchRoles()).toSorted()).toEqual(['button', 'field', 'group', 'hidden', 'label', 'shown', 'window']);
  expect(asked).toEqual(['/window Accessible.ChildCount', '/org/a11y/atspi/cache Cache.GetItems']);
});
