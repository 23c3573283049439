import { expect, it } from 'vitest';
import type { DesktopBackend } from '../../../src/native/desktop.js';
import { LIMITS, PLAIN, codeOf, until, type Bench } from '../bench.js';

export function windows(bench: () => Bench): void {
  it('raises and focuses a window', async () => {
    const { desktop, apps, signal, main, second } = bench();
    for (const [window, pid] of [
      [await second(), apps.secondPid],
      [await main(), apps.pid],
    ] as const) {
      await desktop.focusWindow(window.id, signal);
      await until(async () => {
        const [top] = (await desktop.windows(signal)).filter((each) =>
          [apps.pid, apps.secondPid].includes(each.app.pid),
        );
        expect(top).toMatchObject({ id: window.id, focused: true });
        expect((await desktop.frontmost(signal)).app?.pid).toBe(pid);
      });
    }
  });

  it('moves a window and keeps its size', async () => {
    const { desktop, signal, second } = bench();
    const { id, frame } = await second();
    const granted = await desktop.setWindowFrame(id, { x: frame.x + 40, y: frame.y + 30 }, signal);
    expect(Math.abs(granted.x - frame.x - 40)).toBeLessThanOrEqual(2);
    expect(Math.abs(granted.y - frame.y - 30)).toBeLessThanOrEqual(2);
    expect([granted.width, granted.height]).toEqual([frame.width, frame.height]);
    await until(async () => expect((await second()).frame).toEqual(granted));
  });

  it('resizes a window, as far as it is granted', async () => {
    const { desktop, signal, second } = bench();
    const { id, frame } = await second();
    const granted = await desktop.setWindowFrame(id, { width: frame.width + 60, height: frame.height + 50 }, signal);
    expect(granted.width).toBeGreaterThan(frame.width);
    await until(async () => expect((await second()).frame).toEqual(granted));
    const tiny = await desktop.setWindowFrame(id, { width: 1, height: 1 }, signal);
    expect(tiny.width).toBeGreaterThanOrEqual(1);
    await until(async () => expect((await second()).frame).toEqual(tiny));
  });

  it('minimises a window and restores it', async () => {
    const { desktop, signal, main } = bench();
    const { id } = await main();
    await desktop.setWindowMinimized(id, true, signal);
    await until(async () => expect(await main()).toMatchObject({ minimized: true, focused: false }));
    await desktop.setWindowMinimized(id, false, signal);
    await until(async () => expect(await main()).toMatchObject({ minimized: false }));
  });

  it('tells the state of a window, and whether it is on screen', async () => {
    const { desktop, signal, main, second } = bench();
    const [{ id }, other] = [await main(), await second()];
    await desktop.focusWindow(id, signal);
    expect(await desktop.windowState(id, signal)).toMatchObject({ minimized: false, hidden: false, focused: true });
    expect(await desktop.windowState(other.id, signal)).toMatchObject({ focused: false });
    expect(other.visible).toBe(true);
    await desktop.setWindowMinimized(id, true, signal);
    expect(await desktop.windowState(id, signal)).toMatchObject({ minimized: true, hidden: false, focused: false });
    expect(await main()).toMatchObject({ minimized: true, visible: false });
    await desktop.setWindowMinimized(id, false, signal);
    expect(await main()).toMatchObject({ minimized: false, visible: true });
  });

  it('maximises a window and gives it its size back', async () => {
    const { desktop, signal, main, fixture } = bench();
    const { id, frame } = await main();
    const [display] = await desktop.displays(signal);
    if (display === undefined) throw new Error('expected a display');
    if (fixture.maximises === false)
      return expect(await codeOf(desktop.setWindowMaximized(id, true, signal))).toBe('unsupported');
    await desktop.setWindowMaximized(id, true, signal);
    expect(await desktop.windowState(id, signal)).toMatchObject({ maximized: true });
    expect((await main()).frame).toEqual(fixture.roomOf?.(display) ?? display.frame);
    await desktop.setWindowMaximized(id, true, signal);
    await desktop.setWindowMaximized(id, false, signal);
    expect(await desktop.windowState(id, signal)).toMatchObject({ maximized: false });
    expect((await main()).frame).toEqual(frame);
  });

  it('ends an application by one of its windows, and no other', async () => {
    const { desktop, apps, signal, main, second } = bench();
    const { id } = await second();
    await desktop.killWindow(id, signal);
    await until(async () => expect((await desktop.apps(signal)).map((each) => each.pid)).not.toContain(apps.secondPid));
    expect(await main()).toMatchObject({ visible: true });
  });

  it('quits an application', async () => {
    const { desktop, apps, signal, main } = bench();
    await desktop.quitApp(apps.secondPid, signal);
    expect((await desktop.apps(signal)).map((each) => each.pid)).not.toContain(apps.secondPid);
    expect(await main()).toMatchObject({ visible: true });
  });

  it('closes a window', async () => {
    const { desktop, signal, second } = bench();
    const { id } = await second();
    await desktop.closeWindow(id, signal);
    await until(async () => expect((await desktop.windows(signal)).map((window) => window.id)).not.toContain(id));
    const calls: ((desktop: DesktopBackend) => Promise<unknown>)[] = [
      (each) => each.focusWindow(id, signal),
      (each) => each.setWindowFrame(id, { x: 1 }, signal),
      (each) => each.setWindowMinimized(id, true, signal),
      (each) => each.setWindowMaximized(id, true, signal),
      (each) => each.windowState(id, signal),
      (each) => each.closeWindow(id, signal),
      (each) => each.killWindow(id, signal),
      (each) => each.capture({ kind: 'window', windowId: id }, signal),
    ];
    for (const call of calls) expect(['not_found', 'stale']).toContain(await codeOf(call(desktop)));
  });

  it('launches an application and answers when it is usable', async () => {
    const { desktop, signal, fixture } = bench();
    const { app } = await desktop.launch(fixture.launchable, PLAIN, signal);
    try {
      expect((await desktop.apps(signal)).map((each) => each.pid)).toContain(app.pid);
      expect((await desktop.windows(signal)).map((window) => window.app.pid)).toContain(app.pid);
      expect((await desktop.tree({ pid: app.pid }, LIMITS, signal)).nodes.length).toBeGreaterThan(1);
    } finally {
      await fixture.endLaunched(app.pid);
    }
    await until(async () => expect((await desktop.apps(signal)).map((each) => each.pid)).not.toContain(app.pid));
  });

  it('launches behind what is in front, leaves what runs alone, and brings it forward when asked', async () => {
    const { desktop, apps, signal, fixture, main } = bench();
    await desktop.focusWindow((await main()).id, signal);
    const behind = { background: true, newInstance: false };
    const { app, how, focus } = await desktop.launch(fixture.launchable, behind, signal);
    const isInFront = async (pid: number) => expect((await desktop.frontmost(signal)).app?.pid).toBe(pid);
    try {
      expect(how).toBe('started');
      // A window that opens has the focus first, where the platform knows nothing else.
      const ways = fixture.takesFocus === null ? ['kept', 'given_back'] : [fixture.takesFocus ? 'given_back' : 'kept'];
      expect(ways).toContain(focus);
      await isInFront(apps.pid);
      const order = (await desktop.windows(signal)).filter((each) => each.visible).map((each) => each.app.pid);
      expect(order.indexOf(app.pid)).toBeGreaterThan(order.indexOf(apps.pid));
      expect(await desktop.launch(fixture.launchable, behind, signal)).toMatchObject({ how: 'running', focus: 'kept' });
      await isInFront(apps.pid);
      expect(await desktop.launch(fixture.launchable, PLAIN, signal)).toMatchObject({
        app: { pid: app.pid, frontmost: true },
        how: 'activated',
        focus: 'moved',
      });
      await isInFront(app.pid);
    } finally {
      await fixture.endLaunched(app.pid);
    }
    await until(async () => expect((await desktop.apps(signal)).map((each) => each.pid)).not.toContain(app.pid));
  });

  it('says what would be launched, and so when there is no such application', async () => {
    const { desktop, signal, fixture } = bench();
    const found = await desktop.findApplication(fixture.launchable, signal);
    expect(found).toMatchObject({ id: expect.any(String), installed: true, command: [expect.any(String)] });
    expect(await codeOf(desktop.findApplication('no application is called this', signal))).toBe('not_found');
    expect(await codeOf(desktop.launch('no application is called this', PLAIN, signal))).toBe('not_found');
  });
}
