import { expect, it } from 'vitest';
import type { Selector } from '../../../src/native/desktop.js';
import { LIMITS, type Bench } from '../bench.js';

export function finding(bench: () => Bench): void {
  const titles = async (selector: Selector): Promise<string[]> => {
    const { desktop, apps, signal } = bench();
    const { elements } = await desktop.find({ pid: apps.pid }, selector, 100, LIMITS, signal);
    return elements.map((element) => element.title);
  };

  it('matches a role exactly', async () => {
    const buttons = await titles({ role: 'AXButton' });
    for (const title of ['Send', 'Locked', 'Temporary']) expect(buttons).toContain(title);
    expect(buttons).not.toContain('Remind me');
    expect(await titles({ role: 'AXButto' })).toEqual([]);
    expect(await titles({ role: 'axbutton' })).toEqual([]);
  });

  it('matches a part of the title, by case', async () => {
    expect(await titles({ role: 'AXButton', titleContains: 'Tempo' })).toEqual(['Temporary']);
    expect(await titles({ role: 'AXButton', titleContains: 'tempo' })).toEqual([]);
  });

  it('matches a part of the value', async () => {
    expect(await titles({ role: 'AXTextArea', valueContains: 'Line 7 of' })).toEqual(['Story']);
    expect(await titles({ valueContains: 'Line 700 of' })).toEqual([]);
  });

  it('matches an identifier exactly', async () => {
    const { control } = bench();
    const { identifier } = await control('send');
    expect(await titles({ identifier: 'no element is called this' })).toEqual([]);
    if (identifier === '') return;
    expect(await titles({ identifier })).toEqual(['Send']);
    expect(await titles({ identifier: identifier.slice(0, -1) })).toEqual([]);
  });

  it('needs every field to match', async () => {
    expect(await titles({ role: 'AXCheckBox', titleContains: 'Send' })).toEqual([]);
    expect(await titles({ role: 'AXTextArea', titleContains: 'Story', valueContains: 'nowhere' })).toEqual([]);
  });

  it('tells how many matched beside those it gives', async () => {
    const { desktop, apps, signal } = bench();
    const all = await desktop.find({ pid: apps.pid }, { role: 'AXButton' }, 100, LIMITS, signal);
    const one = await desktop.find({ pid: apps.pid }, { role: 'AXButton' }, 1, LIMITS, signal);
    expect(all.matched).toBe(all.elements.length);
    expect(one.matched).toBe(all.matched);
    expect(one.elements.map((each) => each.id)).toEqual(all.elements.slice(0, 1).map((each) => each.id));
  });

  it('finds in tree order and says when the search was cut short', async () => {
    const { desktop, apps, signal } = bench();
    const tree = await desktop.tree({ pid: apps.pid }, LIMITS, signal);
    const found = await desktop.find({ pid: apps.pid }, { role: 'AXButton' }, 100, LIMITS, signal);
    const inTree = tree.nodes.map((node) => node.element).filter((element) => element.role === 'AXButton');
    expect(found.elements.map((each) => each.id)).toEqual(inTree.map((each) => each.id));
    expect(found.truncated).toEqual({ depth: false, nodes: false, time: false });
    const short = await desktop.find({ pid: apps.pid }, { role: 'AXButton' }, 100, { ...LIMITS, maxNodes: 2 }, signal);
    expect(short.truncated.nodes).toBe(true);
  });

  it('looks only where it is told', async () => {
    const { desktop, apps, signal, main, control } = bench();
    const other = await desktop.find(
      { pid: apps.secondPid },
      { role: 'AXButton', titleContains: 'Other' },
      5,
      LIMITS,
      signal,
    );
    expect(other.matched).toBe(1);
    expect(await titles({ titleContains: 'Other' })).toEqual([]);
    const inMain = { pid: apps.pid, windowId: (await main()).id };
    expect((await desktop.find(inMain, { role: 'AXButton', titleContains: 'Send' }, 5, LIMITS, signal)).matched).toBe(
      1,
    );
    const inToggle = { pid: apps.pid, elementId: (await control('toggle')).id };
    expect((await desktop.find(inToggle, { role: 'AXButton', titleContains: 'Send' }, 5, LIMITS, signal)).matched).toBe(
      0,
    );
  });

  it('reads an element again, with its ancestors up to the window', async () => {
    const { desktop, signal, control } = bench();
    const send = await control('send');
    expect(await desktop.element(send.id, signal)).toMatchObject({
      id: send.id,
      role: 'AXButton',
      title: 'Send',
      frame: send.frame,
    });
    const ancestors = await desktop.ancestors(send.id, signal);
    expect(ancestors.at(-1)?.role).toBe('AXWindow');
    expect(ancestors.filter((each) => each.role === 'AXWindow')).toHaveLength(1);
    const lengths = ancestors.map((each) => each.path.length);
    expect(lengths).toEqual([...lengths].sort((a, b) => b - a));
  });
}
