import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DesktopReader } from '../../../src/native/desktop.js';
import { never, openBench, row, told, type Bench } from './support.js';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const titled = (title: string) => (event: Record<string, unknown>) => JSON.stringify(event).includes(title);

describe('elements', () => {
  test('are told of when they change, once, with before and after, and never for what was there already', async () => {
    const { world, id, make, until } = bench;
    const name = await make();
    world.change(id('name'), { value: 'Grace' });
    const [event, ...more] = await until(name, titled('Grace'));
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      observation: name,
      sequence: 1,
      kind: 'element_modified',
      time: '1970-01-01T00:16:40.000Z',
      element: { elementId: expect.stringMatching(/^e:\d+$/), role: 'AXTextField', title: 'Name', value: 'Grace' },
      changes: [{ attribute: 'value', before: 'Ada', after: 'Grace' }],
    });
  });

  test('come with references that other tools resolve, also when they are gone', async () => {
    const { world, id, make, until, desktop, references } = bench;
    const name = await make();
    world.change(id('send'), { enabled: false });
    const [event] = await until(name, titled('Send'));
    const { elementId } = (event as unknown as { element: { elementId: string } }).element;
    expect((await references.resolve(desktop, { elementId }, never)).title).toBe('Send');
    world.removeElement(id('send'));
    const events = await until(name, ({ kind }) => kind === 'element_removed');
    expect(events.at(-1)).toMatchObject({ element: { elementId, title: 'Send' } });
    await expect(references.resolve(desktop, { elementId }, never)).rejects.toMatchObject({
      details: { reason: 'stale' },
    });
  });

  test('that come in between, or go, leave the others as they are', async () => {
    const { world, id, make, until } = bench;
    const name = await make({
      attributes: ['value', 'title', 'enabled', 'checked', 'selected', 'expanded', 'focused'],
    });
    world.removeElement(id('row-1'));
    world.addElement(id('list'), row(9));
    expect(told(await until(name, titled('Row 9')))).toEqual(['element_removed Row 1', 'element_added Row 9']);
  });

  test('move and change size only for who asks for frames', async () => {
    const { world, windowId, make, until, observations } = bench;
    const [plain, frames] = [await make(), await make({ attributes: ['frame'], roles: ['button'] })];
    world.moveWindow(windowId, { x: 90 });
    expect(told(await until(frames, titled('Send')))).toEqual(['element_modified Send frame']);
    world.retitleWindow(windowId, 'After');
    expect(told(await until(plain, titled('After')))).toEqual(['element_modified After title']);
    expect(observations.get('agent-1', frames)).toMatchObject({ last_sequence: 1 });
  });

  test.each([
    ['AXCheckBox', ['element_modified Agree checked', 'element_modified Agree title']],
    ['check box', ['element_modified Agree checked', 'element_modified Agree title']],
    ['CheckBox', ['element_modified Agree checked', 'element_modified Agree title']],
  ])('can be chosen by role (%s) and by attribute', async (role, expected) => {
    const { world, id, make, until } = bench;
    const name = await make({ roles: [role], attributes: ['checked', 'title'] });
    world.change(id('name'), { value: 'not told' });
    world.change(id('send'), { title: 'not told either' });
    world.change(id('agree'), { checked: true, enabled: false });
    await until(name, titled('checked'));
    world.change(id('agree'), { title: 'Agree' });
    world.change(id('agree'), { title: 'Agreed' });
    const events = await until(name, titled('Agreed'));
    expect(told(events).map((one) => one.replace('Agreed', 'Agree'))).toEqual(expected);
  });

  test('split into those that come and go, and those that change', async () => {
    const { world, id, make, until } = bench;
    const [tree, attributes] = [await make({ types: ['tree_changes'] }), await make({ types: ['attribute_changes'] })];
    world.change(id('name'), { value: 'first' });
    world.addElement(id('list'), row(7));
    world.change(id('name'), { value: 'last' });
    expect(told(await until(tree, titled('Row 7')))).toEqual(['element_added Row 7']);
    const changed = told(await until(attributes, titled('last')));
    expect([...new Set(changed)]).toEqual(['element_modified Name value']);
  });

  test('that nobody sees are left out where only visible ones are asked for, but for their coming to sight', async () => {
    const { world, id, make, until } = bench;
    world.change(id('name'), { visible: false });
    const name = await make({ visibleOnly: true });
    world.change(id('name'), { value: 'unseen' });
    world.addElement(id('list'), { ...row(8), visible: false });
    world.change(id('send'), { title: 'Mark' });
    expect(told(await until(name, titled('Mark')))).toEqual(['element_modified Mark title']);
    world.change(id('name'), { visible: true });
    expect(told(await until(name, titled('visible')))).toEqual([
      'element_modified Mark title',
      'element_modified Name visible',
    ]);
  });

  test('below one element, or in one window, are all that is told of where that is the parent', async () => {
    const { world, id, make, until, pid, windowId, request, observations } = bench;
    const { scope } = request();
    const below = await make({ scope: { ...scope, elementId: id('list') } });
    const other = world.addWindow(pid, {
      title: 'Second',
      frame: { x: 500, y: 40, width: 300, height: 300 },
      elements: [
        { role: 'AXButton', title: 'Elsewhere', identifier: 'elsewhere', frame: { x: 1, y: 1, width: 50, height: 20 } },
      ],
    });
    const inWindow = await make({ scope: { ...scope, windowId: other } });
    world.change(id('send'), { title: 'not told' });
    world.change(id('elsewhere'), { title: 'Here' });
    world.change(id('row-2'), { title: 'Row two' });
    expect(told(await until(below, titled('Row two')))).toEqual(['element_modified Row two title']);
    expect(told(await until(inWindow, titled('Here')))).toEqual(['element_modified Here title']);
    world.removeElement(id('list'));
    const over = await observations.poll('agent-1', below, { after: 1, timeoutMs: 20_000 }, never);
    expect(over.info).toMatchObject({ state: 'COMPLETED', reason: 'The element is gone.' });
    world.removeWindow(other);
    const gone = await observations.poll('agent-1', inWindow, { after: 1, timeoutMs: 20_000 }, never);
    expect(gone.info).toMatchObject({ state: 'COMPLETED', reason: 'The window is gone.' });
    expect(windowId).not.toBe(other);
  });

  test('that are secret never give away what is in them', async () => {
    const { world, id, make, until } = bench;
    const name = await make();
    world.change(id('secret'), { value: 'correct horse' });
    world.change(id('secret'), { title: 'Secret!' });
    const events = await until(name, titled('Secret!'));
    expect(told(events)).toEqual(['element_modified Secret! title']);
    expect(JSON.stringify(events)).not.toMatch(/hunter2|correct/);
  });

  test('with long texts are told of by the place that changed', async () => {
    const { world, id, make, until } = bench;
    const long = 'x'.repeat(60_000);
    world.change(id('name'), { value: long });
    const name = await make();
    world.change(id('name'), { value: `${long.slice(0, 900)}HERE${long.slice(900)}` });
    const [event] = await until(name, titled('HERE'));
    expect(JSON.stringify(event).length).toBeLessThan(3000);
    world.change(id('name'), { value: `${long.slice(0, 900)}HERE${long.slice(900)}end` });
    expect(await until(name, ({ sequence }) => sequence === 2)).toHaveLength(2);
  });
});

describe('a tree too large to read whole', () => {
  const cut =
    (is: { cut: boolean }) =>
    (desktop: DesktopReader): DesktopReader => ({
      ...desktop,
      onChange: (listener) => desktop.onChange(listener),
      windows: (signal) => desktop.windows(signal),
      apps: (signal) => desktop.apps(signal),
      async tree(scope, limits, signal) {
        const tree = await desktop.tree(scope, limits, signal);
        expect(limits.maxNodes).toBeLessThanOrEqual(5000);
        return is.cut ? { nodes: tree.nodes.slice(0, 4), truncated: { ...tree.truncated, nodes: true } } : tree;
      },
    });

  test('tells of no coming and going that it cannot know of, says so, and still tells what changed', async () => {
    const is = { cut: false };
    const part = await openBench(cut(is));
    const { world, id, make, until, observations } = part;
    const name = await make();
    is.cut = true;
    world.change(id('name'), { value: 'changed' });
    expect(told(await until(name, titled('changed')))).toEqual(['element_modified Name value']);
    expect(observations.get('agent-1', name).notes.join()).toMatch(/too large/i);
    is.cut = false;
    world.change(id('name'), { value: 'whole again' });
    expect(told(await until(name, titled('whole again')))).toEqual(Array(2).fill('element_modified Name value'));
    expect(observations.get('agent-1', name).notes.join()).not.toMatch(/too large/i);
    await part.close();
  });
});
