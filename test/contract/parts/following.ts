import { expect, it } from 'vitest';
import { LIMITS, centre, codeOf, frameOf, until, type Bench } from '../bench.js';

/** What is seen and found follows what happens to windows and elements. */
export function following(bench: () => Bench): void {
  it('hits what lies on top, and nothing beside every window', async () => {
    const { desktop, apps, signal, control, main, second } = bench();
    const at = centre(frameOf(await control('send')));
    await desktop.setWindowFrame((await second()).id, { x: at.x - 120, y: at.y - 80 }, signal);
    await desktop.focusWindow((await second()).id, signal);
    await until(async () => expect((await desktop.windowAt(at, signal))?.app.pid).toBe(apps.secondPid));
    await until(async () => expect((await desktop.elementAt(at, signal))?.pid).toBe(apps.secondPid));
    await desktop.focusWindow((await main()).id, signal);
    await until(async () => expect((await desktop.windowAt(at, signal))?.app.pid).toBe(apps.pid));
    const [display] = await desktop.displays(signal);
    const outside = { x: (display?.frame.x ?? 0) - 5_000, y: -5_000 };
    expect(await desktop.windowAt(outside, signal)).toBeNull();
    expect(await desktop.elementAt(outside, signal)).toBeNull();
  });

  it('finds only what shows when asked to', async () => {
    const { desktop, apps, signal, main } = bench();
    const send = async (): Promise<string[]> => {
      const selector = { role: 'AXButton', titleContains: 'Send', visibleOnly: true };
      const { elements } = await desktop.find({ pid: apps.pid }, selector, 5, LIMITS, signal);
      return elements.map((element) => element.title);
    };
    expect(await send()).toEqual(['Send']);
    const { id } = await main();
    await desktop.setWindowMinimized(id, true, signal);
    await until(async () => expect(await send()).toEqual([]));
    await desktop.setWindowMinimized(id, false, signal);
    await until(async () => expect(await send()).toEqual(['Send']));
  });

  it('says stale for an element that is gone, whatever is asked of it', async () => {
    const { desktop, signal, control, told } = bench();
    const { id } = await control('removed');
    await desktop.performAction(id, 'AXPress', signal);
    await told('removed', 'pressed');
    await until(async () => expect(await codeOf(desktop.element(id, signal))).toBe('stale'));
    expect(await codeOf(desktop.ancestors(id, signal))).toBe('stale');
    expect(await codeOf(desktop.performAction(id, 'AXPress', signal))).toBe('stale');
    expect(await codeOf(desktop.setValue(id, 'x', signal))).toBe('stale');
    expect(await codeOf(desktop.insertText(id, 'x', signal))).toBe('stale');
    expect(await codeOf(desktop.focusElement(id, signal))).toBe('stale');
  });
}
