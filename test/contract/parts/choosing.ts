import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Element } from '../../../src/native/desktop.js';
import { LIMITS, codeOf, until, type Bench } from '../bench.js';
import type { Controls } from '../fixture.js';

export function choosing(bench: () => Bench): void {
  let controls: Controls;
  beforeEach(async () => {
    controls = await bench().fixture.controls();
  });
  afterEach(() => controls.end());

  const named = async (title: string, roles?: string[]): Promise<Element> => {
    const { desktop, signal } = bench();
    const selector = { titleContains: title, ...(roles === undefined ? {} : { roles }) };
    const { elements } = await desktop.find({ pid: controls.pid }, selector, 50, LIMITS, signal);
    const [element] = elements.filter((one) => one.title === title);
    if (element === undefined) throw new Error(`no ${title}`);
    return element;
  };
  const row = (title: string) => named(title, ['AXRow']);

  it('finds by any of several roles, as AX or as the platform names them', async () => {
    const apple = await row('Apple');
    expect((await named('Apple', ['AXButton', apple.nativeRole])).id).toBe(apple.id);
    expect((await named('Apple', ['AXRow', 'AXButton'])).id).toBe(apple.id);
    await expect(named('Apple', ['AXButton'])).rejects.toThrow('no Apple');
    await expect(named('Apple', [])).rejects.toThrow('no Apple');
  });

  it('selects a row, and another in its place', async () => {
    const { desktop, signal } = bench();
    for (const title of ['Cherry', 'Apple']) {
      const { id, states } = await row(title);
      expect(states.selected).toBe(false);
      await desktop.setSelected(id, true, signal);
      expect((await desktop.element(id, signal)).states.selected).toBe(true);
      await until(async () => expect((await controls.selected()).at(-1)).toBe(title));
    }
    expect((await row('Cherry')).states.selected).toBe(false);
  });

  it('does nothing to what is so already', async () => {
    const { desktop, signal } = bench();
    const { id } = await row('Banana');
    await desktop.setSelected(id, false, signal);
    await desktop.setSelected(id, true, signal);
    await until(async () => expect(await controls.selected()).toHaveLength(1));
    await desktop.setSelected(id, true, signal);
    await desktop.setSelected((await row('Cherry')).id, true, signal);
    await until(async () =>
      expect((await controls.selected()).filter((one) => one !== '')).toEqual(['Banana', 'Cherry']),
    );
  });

  it('expands and folds, where the kit has such a thing', async () => {
    const { desktop, signal } = bench();
    const { expanded } = controls;
    if (expanded === null) {
      const { id } = await named('Animals');
      expect(await codeOf(desktop.setExpanded(id, true, signal))).toBe('unsupported');
      return;
    }
    const { id } = await named('More');
    for (const on of [true, false]) {
      await desktop.setExpanded(id, on, signal);
      expect((await desktop.element(id, signal)).states.expanded).toBe(on);
      await until(async () => expect((await expanded()).at(-1)).toBe(String(on)));
      await until(async () =>
        expect((await named('Hidden words').catch(() => null))?.states.visible ?? false).toBe(on),
      );
    }
  });

  it('refuses what can neither be selected nor expanded', async () => {
    const { desktop, signal, control } = bench();
    const { id } = await control('send');
    expect(await codeOf(desktop.setSelected(id, true, signal))).toBe('unsupported');
    expect(await codeOf(desktop.setExpanded(id, true, signal))).toBe('unsupported');
  });

  it('leaves what does not show out of a tree, on request', async () => {
    const { desktop, signal } = bench();
    const whole = await desktop.tree({ pid: controls.pid }, LIMITS, signal);
    const shown = await desktop.tree({ pid: controls.pid }, { ...LIMITS, visibleOnly: true }, signal);
    const visible = whole.nodes.filter(({ element }, index) => index === 0 || element.states.visible);
    expect(shown.nodes.map(({ element }) => element.title)).toEqual(visible.map(({ element }) => element.title));
    expect(visible.length).toBeLessThan(whole.nodes.length);
    shown.nodes.forEach(({ parent, depth }, index) => {
      expect(parent).toBeLessThan(index);
      expect(depth).toBe(index === 0 ? 0 : (shown.nodes[parent]?.depth ?? -2) + 1);
    });
  });
}
