import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Element, Point, Selector, TreeLimits, Window } from '../../../src/native/desktop.js';
import { eventually, type LinuxDesktop, openLinuxDesktop, type RunningApp } from '../../support/linux-desktop.js';

const LIMITS: TreeLimits = { maxDepth: 60, maxNodes: 10_000, timeoutMs: 30_000 };
const signal = new AbortController().signal;
const running: RunningApp[] = [];
let linux: LinuxDesktop;

beforeAll(async () => {
  linux = await openLinuxDesktop();
});
afterEach(() => Promise.all(running.splice(0).map((app) => app.end())));
afterAll(() => linux.close());

async function open(program: string, args: string[] = []): Promise<Window> {
  const app = linux.run(program, args);
  running.push(app);
  return linux.window((window) => window.app.pid === app.pid && window.normal);
}

async function one(pid: number, selector: Selector): Promise<Element> {
  const { elements, matched } = await linux.desktop.find({ pid }, selector, 5, LIMITS, signal);
  const [element] = elements;
  if (element === undefined || matched !== 1) throw new Error(`${matched} elements fit ${JSON.stringify(selector)}`);
  return element;
}

async function click(at: Point): Promise<void> {
  const free = (): Promise<void> => Promise.resolve();
  await linux.desktop.movePointer(at, signal);
  await linux.desktop.button('left', true, free, signal);
  await linux.desktop.button('left', false, free, signal);
}

async function press(pid: number, titles: string[]): Promise<void> {
  for (const titleContains of titles) {
    const { elements } = await linux.desktop.find({ pid }, { titleContains, visibleOnly: true }, 20, LIMITS, signal);
    const button = elements.find(({ title, actions }) => title === titleContains && actions.includes('AXPress'));
    if (button === undefined) throw new Error(`no button ${titleContains}`);
    await linux.desktop.performAction(button.id, 'AXPress', signal);
  }
}

describe('real applications', () => {
  it('counts in galculator (GTK 3)', async () => {
    const { app } = await open('galculator');
    expect(app).toMatchObject({ id: 'galculator', name: 'Galculator' });
    const display = await one(app.pid, { role: 'AXTextArea', visibleOnly: true });
    expect(display.value).toBe('0');
    await press(app.pid, ['6', '*', '7', '=']);
    await eventually(async () => expect((await linux.desktop.element(display.id, signal)).value).toBe('42'));
  });

  it('[req:DS-4-16] counts in KCalc (Qt 5)', async () => {
    const { app, id } = await open('kcalc');
    expect(app).toMatchObject({ id: 'org.kde.kcalc', name: 'KCalc' });
    await press(app.pid, ['6', '×', '7', '=']);
    await eventually(async () => {
      const scope = { pid: app.pid, windowId: id };
      const { nodes } = await linux.desktop.tree(scope, LIMITS, signal);
      const texts = nodes.flatMap(({ element }) => [element.title, element.value, element.description]);
      expect(texts).toContain('42');
    });
  });

  it('writes, edits and saves nothing on its own in mousepad', async () => {
    const { app, id } = await open('mousepad', ['--disable-server']);
    expect(app.id).toBe('org.xfce.mousepad');
    const text = await one(app.pid, { role: 'AXTextArea' });
    await linux.desktop.setValue(text.id, 'Grüße\nfrom 世界', signal);
    await linux.desktop.insertText(text.id, '👋', signal);
    const { value } = await linux.desktop.element(text.id, signal);
    expect([...(value ?? '')].toSorted()).toEqual([...'Grüße\nfrom 世界👋'].toSorted());
    // Mousepad asks whether to save, so its window stays.
    await expect(linux.desktop.closeWindow(id, signal)).rejects.toMatchObject({ code: 'failed' });
    const dialog = await eventually(async () => {
      const found = (await linux.desktop.windows(signal)).find((window) => window.id !== id && window.normal);
      if (found === undefined) throw new Error('no dialog');
      return found;
    });
    expect(dialog.app.pid).toBe(app.pid);
    const { elements } = await linux.desktop.find(
      { pid: app.pid, windowId: dialog.id },
      { role: 'AXButton', visibleOnly: true },
      20,
      LIMITS,
      signal,
    );
    expect(elements.map(({ title }) => title)).toEqual(expect.arrayContaining(['Cancel']) as string[]);
  });

  it('reads GTK 4, where places are relative to the window', { timeout: 120_000 }, async () => {
    const { app, frame } = await open('gtk4-widget-factory');
    // It builds its window and finds the place of it while it is read.
    const { secure, checked, at } = await eventually(async () => {
      const { elements } = await linux.desktop.find({ pid: app.pid }, { visibleOnly: true }, 2000, LIMITS, signal);
      const secure = elements.filter(({ states, role }) => states.secure && role === 'AXTextField');
      expect(secure).toHaveLength(1);
      expect(secure[0]?.value).toBeNull();
      const [area] = await linux.desktop.secureAreas(signal);
      expect(area).toBeDefined();
      expect(area).toEqual(secure[0]?.frame);
      const checked = elements.find(({ title, states }) => title === 'checkbutton' && states.checked === true);
      const at = { x: (checked?.frame?.x ?? 0) + 6, y: (checked?.frame?.y ?? 0) + 8 };
      expect(at.x).toBeGreaterThan(frame.x);
      expect((await linux.desktop.elementAt({ ...at, x: at.x + 40 }, signal))?.id).toBe(checked?.id);
      return { secure, checked, at };
    });
    await click(at);
    await eventually(async () =>
      expect((await linux.desktop.element(checked?.id ?? '', signal)).states.checked).toBe(false),
    );
    await expect(linux.desktop.focusElement(secure[0]?.id ?? '', signal)).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('Click it') as string,
    });
  });

  it('finds the items of a GTK 4 menu where the menu is', { timeout: 120_000 }, async () => {
    const { app, id } = await open('gtk4-widget-factory');
    const menu = await eventually(async () => {
      const { elements } = await linux.desktop.find({ pid: app.pid }, { role: 'AXButton', visibleOnly: true }, 200, LIMITS, signal); // prettier-ignore
      const last = elements.findLast(({ title, path, actions }) => title === '' && path[1] === 1 && actions.length > 0);
      if (last === undefined) throw new Error('the window shows no menu button yet');
      return last;
    });
    await linux.desktop.performAction(menu.id, 'AXPress', signal);
    // The menu tells of its items before its window has come to rest.
    const middle = await eventually(async () => {
      const item = await one(app.pid, { titleContains: 'About Widget Factory', role: 'AXMenuItem', visibleOnly: true });
      const all = await linux.desktop.windows(signal);
      const popup = all.find((window) => window.app.pid === app.pid && !window.normal);
      const at = { x: (item.frame?.x ?? 0) + 60, y: (item.frame?.y ?? 0) + 15 };
      expect(popup).toBeDefined();
      expect((await linux.desktop.windowAt(at, signal))?.id).toBe(popup?.id);
      expect((await linux.desktop.elementAt(at, signal))?.id).toBe(item.id);
      return at;
    });
    await click(middle);
    await eventually(async () => {
      const windows = (await linux.desktop.windows(signal)).filter((each) => each.app.pid === app.pid && each.normal);
      expect(windows.filter((each) => each.id !== id)).toHaveLength(1);
    });
  });
});

describe('the fixture', () => {
  it('lists two thousand rows whole, and says where it was cut', async () => {
    const app = await linux.fixture({ rows: 700 });
    running.push(app);
    const whole = await linux.desktop.tree({ pid: app.pid }, LIMITS, signal);
    expect(whole.truncated).toEqual({ depth: false, nodes: false, time: false });
    const titles = whole.nodes.map(({ element }) => element.title);
    for (const row of [1, 350, 700]) expect(titles).toContain(`Row ${row}`);
    const cut = await linux.desktop.tree({ pid: app.pid }, { ...LIMITS, maxNodes: 100 }, signal);
    expect(cut.nodes).toHaveLength(100);
    expect(cut.truncated.nodes).toBe(true);
    const flat = await linux.desktop.tree({ pid: app.pid }, { ...LIMITS, maxDepth: 2 }, signal);
    expect(Math.max(...flat.nodes.map(({ depth }) => depth))).toBe(2);
    expect(flat.truncated.depth).toBe(true);
    const found = await linux.desktop.find({ pid: app.pid }, { titleContains: 'Row 69' }, 3, LIMITS, signal);
    expect(found).toMatchObject({ matched: 11, elements: { length: 3 } });
  });

  it.each(['gtk', 'qt'] as const)(
    'answers a dialog (%s), also while its toolkit keeps the press waiting',
    async (kit) => {
      const app = await linux.fixture({ kit });
      running.push(app);
      const ask = await one(app.pid, { role: 'AXButton', titleContains: 'Ask' });
      await linux.desktop.performAction(ask.id, 'AXPress', signal);
      const save = await eventually(() => one(app.pid, { role: 'AXButton', titleContains: 'Save' }));
      expect((await linux.desktop.ancestors(save.id, signal)).at(-1)).toMatchObject({
        role: 'AXWindow',
        title: 'Save changes?',
      });
      await linux.desktop.performAction(save.id, 'AXPress', signal);
      await eventually(async () =>
        expect(await app.journal()).toContainEqual({ control: 'dialog', event: 'pressed', value: 'Save' }),
      );
      await eventually(async () =>
        expect(['stale', 'not_found']).toContain(
          await linux.desktop.element(save.id, signal).then(
            () => 'still there',
            (error: { code: string }) => error.code,
          ),
        ),
      );
    },
  );

  it.each(['gtk', 'qt'] as const)('finds the element under the pointer (%s)', async (kit) => {
    const app = await linux.fixture({ kit, secret: 'hidden' });
    running.push(app);
    for (const titleContains of ['Name', 'Secret', 'Remind me', 'Send', 'Story']) {
      const element = await one(app.pid, { titleContains });
      const { x = 0, y = 0, width = 0, height = 0 } = element.frame ?? {};
      const hit = await linux.desktop.elementAt({ x: x + width / 2, y: y + height / 2 }, signal);
      expect(hit?.title).toBe(titleContains);
      expect(hit?.value ?? '').not.toContain('hidden');
    }
  });

  it('finds the items of an open menu', async () => {
    const { app } = await open('galculator');
    const menu = await one(app.pid, { role: 'AXMenu', titleContains: 'Help' });
    await linux.desktop.performAction(menu.id, 'AXPress', signal);
    const item = await eventually(() => one(app.pid, { titleContains: 'About', visibleOnly: true }));
    const { x = 0, y = 0, width = 0, height = 0 } = item.frame ?? {};
    const at = { x: x + width / 2, y: y + height / 2 };
    await eventually(async () => {
      expect(await linux.desktop.windowAt(at, signal)).toMatchObject({ normal: false, app: { pid: app.pid } });
      expect((await linux.desktop.elementAt(at, signal))?.id).toBe(item.id);
    });
  });

  it('tells each process from a later one', async () => {
    const app = await linux.fixture();
    running.push(app);
    const found = async () => (await linux.desktop.apps(signal)).find(({ pid }) => pid === app.pid);
    const stat = await readFile(`/proc/${app.pid}/stat`, 'utf8');
    expect(stat).toContain((await found())?.startTime ?? 'nothing');
    await eventually(async () => expect((await found())?.frontmost).toBe(true));
  });
});
