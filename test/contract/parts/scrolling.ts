import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Element } from '../../../src/native/desktop.js';
import { LIMITS, codeOf, until, type Bench } from '../bench.js';

export function scrolling(bench: () => Bench): void {
  let app: { pid: number; end(): Promise<void> };
  beforeEach(async () => {
    app = await bench().fixture.rows();
  });
  afterEach(() => app.end());

  const row = async (title: string): Promise<Element> => {
    const { desktop, signal } = bench();
    const { elements } = await desktop.find({ pid: app.pid }, { titleContains: title }, 50, LIMITS, signal);
    const [element] = elements.filter((one) => one.title === title);
    if (element === undefined) throw new Error(`no ${title}`);
    return element;
  };

  it('tells what would have to scroll for an element to show, and scrolls to it or says that it cannot', async () => {
    const { desktop, signal, control } = bench();
    await until(async () => expect((await row('Row 1')).states.visible).toBe(true));
    expect(await desktop.scrollerOf((await row('Row 1')).id, signal)).toBeNull();
    expect(await desktop.scrollerOf((await control('send')).id, signal)).toBeNull();
    const far = await row('Row 38');
    expect(far.states.visible).toBe(false);
    const scroller = await desktop.scrollerOf(far.id, signal);
    expect(scroller?.states.visible).toBe(true);
    expect(scroller?.frame).not.toBeNull();
    const above = await desktop.ancestors(far.id, signal);
    expect(above.map(({ id }) => id)).toContain(scroller?.id);
    const code = await codeOf(desktop.scrollIntoView(far.id, signal));
    expect(['no error', 'unsupported']).toContain(code);
    expect((await desktop.element(far.id, signal)).states.visible).toBe(code === 'no error');
    expect((await desktop.scrollerOf(far.id, signal)) === null).toBe(code === 'no error');
  });
}
