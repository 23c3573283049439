import { expect, it } from 'vitest';
import type { Tree } from '../../../src/native/desktop.js';
import { LIMITS, centre, codeOf, frameOf, type Bench } from '../bench.js';
import { SECRET, STORY } from '../fixture.js';

export function seeing(bench: () => Bench): void {
  it('lists displays, one of them main', async () => {
    const { desktop, signal } = bench();
    const displays = await desktop.displays(signal);
    expect(displays.filter((display) => display.main)).toHaveLength(1);
    for (const display of displays) {
      expect(display.frame.width).toBeGreaterThan(0);
      expect(display.frame.height).toBeGreaterThan(0);
      expect(display.scale).toBeGreaterThan(0);
    }
    expect(new Set(displays.map((display) => display.id)).size).toBe(displays.length);
  });

  it('says which permissions it has', async () => {
    const { desktop, signal } = bench();
    const permissions = await desktop.permissions(signal);
    expect(Object.keys(permissions).sort()).toEqual(['accessibility', 'screenRecording']);
    expect(permissions.accessibility).toBe('granted');
  });

  it('lists applications, the frontmost marked', async () => {
    const { desktop, apps, signal } = bench();
    const listed = await desktop.apps(signal);
    const ours = listed.filter((app) => [apps.pid, apps.secondPid].includes(app.pid));
    expect(ours).toHaveLength(2);
    for (const app of ours) expect([app.id, app.name, app.startTime]).not.toContain('');
    expect(listed.filter((app) => app.frontmost).map((app) => app.pid)).toEqual([apps.pid]);
  });

  it('lists windows topmost first, with one focused', async () => {
    const { desktop, apps, signal, main, second } = bench();
    const windows = await desktop.windows(signal);
    const [first, other] = [await main(), await second()];
    expect(windows.filter((window) => window.focused).map((window) => window.id)).toEqual([first.id]);
    expect(windows.findIndex((each) => each.id === first.id)).toBeLessThan(
      windows.findIndex((each) => each.id === other.id),
    );
    expect([first.app.pid, other.app.pid]).toEqual([apps.pid, apps.secondPid]);
    expect([first.normal, first.minimized, other.minimized]).toEqual([true, false, false]);
  });

  it('names the frontmost application and window', async () => {
    const { desktop, apps, signal, main } = bench();
    const { app, window } = await desktop.frontmost(signal);
    expect([app?.pid, window?.id]).toEqual([apps.pid, (await main()).id]);
  });

  it('reads a whole tree in preorder', async () => {
    const { desktop, apps, signal } = bench();
    const tree = await desktop.tree({ pid: apps.pid }, LIMITS, signal);
    expect(tree.truncated).toEqual({ depth: false, nodes: false, time: false });
    expectPreorder(tree);
    expect(tree.nodes[0]).toMatchObject({ depth: 0, parent: -1, element: { role: 'AXApplication', path: [] } });
    const children = tree.nodes.map((_, index) => tree.nodes.filter((node) => node.parent === index).length);
    expect(tree.nodes.map((node) => node.childCount)).toEqual(children);
    const titles = tree.nodes.map((node) => node.element.title);
    for (const title of ['Send', 'Remind me', 'Name', 'Secret', 'Story', 'Locked', 'Temporary'])
      expect(titles).toContain(title);
    expect(titles).not.toContain('Other');
    const paths = tree.nodes.map((node) => node.element.path.join('.'));
    expect(new Set(paths).size).toBe(paths.length);
    for (const node of tree.nodes) expect(node.element.pid).toBe(apps.pid);
  });

  it('reads in a brief tree and for a single node what the whole tree says, but for actions, identifiers and the selection', async () => {
    const { desktop, apps, signal } = bench();
    const read = async (more: Partial<typeof LIMITS> & { brief?: boolean }) => {
      const { nodes } = await desktop.tree({ pid: apps.pid }, { ...LIMITS, ...more }, signal);
      return nodes.map(({ element: { selection: _, ...element }, ...node }) => ({
        ...node,
        element: { ...element, actions: [], identifier: '' },
      }));
    };
    const whole = await read({});
    expect(await read({ brief: true })).toEqual(whole);
    expect(await read({ maxNodes: 1 })).toEqual(whole.slice(0, 1));
  });

  it('says so when the depth cuts a tree short', async () => {
    const { desktop, apps, signal } = bench();
    const root = await desktop.tree({ pid: apps.pid }, { ...LIMITS, maxDepth: 0 }, signal);
    expect(root.nodes).toHaveLength(1);
    expect(root.nodes[0]?.childCount).toBeGreaterThan(0);
    expect(root.truncated).toEqual({ depth: true, nodes: false, time: false });
  });

  it('says so when the number of nodes cuts a tree short, and only then', async () => {
    const { desktop, apps, signal } = bench();
    const whole = await desktop.tree({ pid: apps.pid }, LIMITS, signal);
    const exact = await desktop.tree({ pid: apps.pid }, { ...LIMITS, maxNodes: whole.nodes.length }, signal);
    expect(exact.truncated.nodes).toBe(false);
    const short = await desktop.tree({ pid: apps.pid }, { ...LIMITS, maxNodes: whole.nodes.length - 1 }, signal);
    expect(short.nodes).toHaveLength(whole.nodes.length - 1);
    expect(short.truncated.nodes).toBe(true);
    expectPreorder(short);
  });

  it('reads below a window and below an element', async () => {
    const { desktop, apps, signal, main, control } = bench();
    const below = await desktop.tree({ pid: apps.pid, windowId: (await main()).id }, LIMITS, signal);
    expect(below.nodes[0]?.element.role).toBe('AXWindow');
    expect(below.nodes.map((node) => node.element.title)).toContain('Send');
    const send = await control('send');
    const leaf = await desktop.tree({ pid: apps.pid, elementId: send.id }, LIMITS, signal);
    expect(leaf.nodes[0]?.element).toMatchObject({ id: send.id, title: 'Send', path: send.path });
    expectPreorder(leaf);
  });

  it('tells the states of controls', async () => {
    const { control } = bench();
    expect((await control('send')).states).toMatchObject({
      enabled: true,
      visible: true,
      editable: false,
      secure: false,
      checked: null,
    });
    expect((await control('toggle')).states).toMatchObject({ enabled: true, checked: false });
    expect((await control('disabled')).states.enabled).toBe(false);
    expect(await control('entry')).toMatchObject({
      value: '',
      states: { editable: true, focused: true, secure: false },
    });
    expect(await control('area')).toMatchObject({ value: STORY, states: { editable: true } });
    expect((await control('send')).actions).toContain('AXPress');
  });

  it('never tells the text of a password', async () => {
    const { desktop, apps, signal, control } = bench();
    const password = await control('password');
    expect(password).toMatchObject({ value: null, states: { secure: true } });
    const tree = await desktop.tree({ pid: apps.pid }, LIMITS, signal);
    const atPoint = await desktop.elementAt(centre(frameOf(password)), signal);
    const again = await desktop.element(password.id, signal);
    expect(JSON.stringify([tree, atPoint, again])).not.toContain(SECRET);
    const found = await desktop.find({ pid: apps.pid }, { valueContains: SECRET.slice(0, 7) }, 5, LIMITS, signal);
    expect(found.matched).toBe(0);
  });

  it('knows what has the focus', async () => {
    const { desktop, signal, control } = bench();
    const focused = await desktop.focusedElement(signal);
    expect(focused?.id).toBe((await control('entry')).id);
    expect(focused?.states.focused).toBe(true);
  });

  it('hits the element and the window at a point', async () => {
    const { desktop, signal, control, main } = bench();
    const send = await control('send');
    const hit = await desktop.elementAt(centre(frameOf(send)), signal);
    expect(hit).toMatchObject({ id: send.id, title: 'Send' });
    expect((await desktop.windowAt(centre(frameOf(send)), signal))?.id).toBe((await main()).id);
  });

  it('refuses to look into an application that does not run', async () => {
    const { desktop, signal } = bench();
    expect(await codeOf(desktop.tree({ pid: 2_147_483_000 }, LIMITS, signal))).toBe('not_found');
  });
}

function expectPreorder(tree: Tree): void {
  tree.nodes.forEach((node, index) => {
    if (index === 0) return;
    const parent = tree.nodes[node.parent];
    expect(node.parent).toBeLessThan(index);
    expect(node.depth).toBe((parent?.depth ?? -2) + 1);
    const siblings = tree.nodes.slice(node.parent + 1, index);
    for (const between of siblings) expect(between.depth).toBeGreaterThanOrEqual(node.depth);
  });
}
