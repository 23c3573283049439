import { describe, expect, it } from 'vitest';
import type { Capture, CaptureTarget, Rect } from '../../../src/native/desktop.js';
import {
  openSimulated,
  type Changes,
  type ElementSpec,
  type SimulatedOptions,
  type WindowSpec,
} from '../../../src/native/simulated/index.js';

const signal = new AbortController().signal;
const free = (): Promise<void> => Promise.resolve();

function open(options?: SimulatedOptions) {
  const desktop = openSimulated(options);
  const area = async (name: string): Promise<Rect> => {
    const { frame } = await desktop.element(desktop.world.find(name) ?? '', signal);
    if (frame === null) throw new Error(`${name} has no frame`);
    return frame;
  };
  const look = async (name: string): Promise<Capture> =>
    desktop.capture({ kind: 'region', rect: await area(name) }, signal);
  return { desktop, world: desktop.world, area, look };
}

function same(a: Capture, b: Capture): boolean {
  return Buffer.compare(a.rgb, b.rgb) === 0;
}

describe('drawn screenshots', () => {
  it('are the same every time', async () => {
    const shots = await Promise.all([1, 2].map(() => open().desktop.capture({ kind: 'display' }, signal)));
    expect(shots[0] !== undefined && shots[1] !== undefined && same(shots[0], shots[1])).toBe(true);
  });

  it('[req:DS-9-4] show text, focus, pressed buttons and checked boxes', async () => {
    const { desktop, world, look, area } = open();
    const to = await look('to');
    await desktop.typeText('a', free, signal);
    const typed = await look('to');
    expect(same(to, typed)).toBe(false);
    world.person.focus(world.find('subject') ?? '');
    expect(same(typed, await look('to'))).toBe(false);

    const send = await look('send');
    const { x, y } = await area('send');
    await desktop.movePointer({ x: x + 5, y: y + 5 }, signal);
    await desktop.button('left', true, free, signal);
    expect(same(send, await look('send'))).toBe(false);
    await desktop.button('left', false, free, signal);

    const box = await look('copy');
    await desktop.performAction(world.find('copy') ?? '', 'AXPress', signal);
    expect(same(box, await look('copy'))).toBe(false);
  });

  it('[req:SI-1] show every change at once, also where most of it was drawn before', async () => {
    type Opened = ReturnType<typeof open>;
    const changing =
      (name: string, changes: Changes) =>
      async ({ world }: Opened): Promise<void> =>
        world.change(world.find(name) ?? '', changes);
    const windowOf = async ({ desktop }: Opened): Promise<string> => (await desktop.frontmost(signal)).window?.id ?? '';
    const steps: ((opened: Opened) => Promise<void>)[] = [
      async ({ desktop }) => desktop.typeText('words', free, signal),
      async ({ desktop }) => desktop.key('left', true, free, signal),
      changing('subject', { secure: true, value: 'hidden' }),
      changing('send', { enabled: false }),
      changing('send', { title: 'Send it' }),
      changing('copy', { checked: true }),
      changing('copy', { visible: false }),
      changing('to', { frame: { x: 60, y: 20, width: 200, height: 30 } }),
      async (opened) => opened.world.retitleWindow(await windowOf(opened), 'Another title'),
      async (opened) => opened.world.moveWindow(await windowOf(opened), { x: 300, y: 200, width: 500 }),
      async ({ world }) => world.person.focus(world.find('subject') ?? ''),
      async (opened) => opened.desktop.setWindowMinimized(await windowOf(opened), true, signal),
    ];
    const long = open();
    const shots = [await long.desktop.capture({ kind: 'display' }, signal)];
    for (const [index, step] of steps.entries()) {
      await step(long);
      const fresh = open();
      for (const each of steps.slice(0, index + 1)) await each(fresh);
      const [shot, expected] = [
        await long.desktop.capture({ kind: 'display' }, signal),
        await fresh.desktop.capture({ kind: 'display' }, signal),
      ];
      expect([index, same(shot, expected)]).toEqual([index, true]);
      expect([index, shots.some((earlier) => same(earlier, shot))]).toEqual([index, false]);
      shots.push(shot);
    }
  });

  it('[req:SI-2] draw only what changed', async () => {
    const drawn: string[] = [];
    /** Asked of a button with each time that it is drawn. */
    const told = (title: string, y: number): ElementSpec => ({
      ...{ role: 'AXButton', title, identifier: title, frame: { x: 20, y, width: 100, height: 24 } },
      get isDefault() {
        drawn.push(title);
        return false;
      },
    });
    const window = (title: string, x: number, elements: ElementSpec[]): WindowSpec => ({
      ...{ title, elements, frame: { x, y: 100, width: 300, height: 200 } },
    });
    const windows = [window('Left', 50, [told('one', 20), told('two', 60)]), window('Right', 400, [told('three', 20)])];
    const { desktop, world } = open({ apps: [{ id: 'app', name: 'App', executable: '/app', windows }] });
    const drawnFor = async (step: () => unknown, target: CaptureTarget = { kind: 'display' }): Promise<string[]> => {
      await step();
      drawn.length = 0;
      await desktop.capture(target, signal);
      return drawn.toSorted();
    };
    const nothing = (): void => undefined;
    const retitle = (name: string) => () => world.change(world.find(name) ?? '', { title: `Now ${name}` });
    const [id] = (await desktop.windows(signal)).filter(({ title }) => title === 'Left').map((each) => each.id);
    expect(await drawnFor(nothing)).toEqual(['one', 'three', 'two']);
    expect(await drawnFor(nothing)).toEqual([]);
    expect(await drawnFor(retitle('one'))).toEqual(['one']);
    expect(await drawnFor(() => world.moveWindow(id ?? '', { x: 60 }))).toEqual(['one', 'two']);
    const alone: CaptureTarget = { kind: 'window', windowId: id ?? '' };
    expect(await drawnFor(nothing, alone)).toEqual(['one', 'two']);
    expect(await drawnFor(retitle('two'), alone)).toEqual(['two']);
    expect(await drawnFor(retitle('three'), alone)).toEqual([]);
    // The display was not asked for meanwhile.
    expect(await drawnFor(nothing)).toEqual(['one', 'three', 'two']);
  });

  it('belong to whoever asked: what is drawn into one shows in no other', async () => {
    const { desktop } = open();
    const first = await desktop.capture({ kind: 'display' }, signal);
    first.rgb.fill(1);
    expect(same(await desktop.capture({ kind: 'display' }, signal), first)).toBe(false);
  });

  it('tell texts apart that have no glyphs', async () => {
    const { desktop, world, look } = open();
    const to = world.find('to') ?? '';
    await desktop.setValue(to, '世', signal);
    const one = await look('to');
    await desktop.setValue(to, '界', signal);
    expect(same(one, await look('to'))).toBe(false);
  });

  it('show of a password only how long it is', async () => {
    const { desktop, world, look } = open();
    const password = world.find('account-password') ?? '';
    const before = await look('account-password');
    await desktop.setValue(password, 'CORRECT HORSE', signal);
    expect(same(before, await look('account-password'))).toBe(true);
  });

  it('scale: two pixels a point show the same, finer', async () => {
    const display = { id: 'd', name: 'Fine', frame: { x: 0, y: 0, width: 1440, height: 900 }, scale: 2, main: true };
    const [coarse, fine] = [open(), open({ displays: [display] })];
    const [a, b] = [await coarse.look('send'), await fine.look('send')];
    expect([b.width, b.height, b.scale]).toEqual([a.width * 2, a.height * 2, 2]);
    const mean = ({ rgb }: Capture): number => rgb.reduce((sum, value) => sum + value, 0) / rgb.length;
    expect(Math.abs(mean(a) - mean(b))).toBeLessThan(4);
  });

  it('cover several displays, also left of the main one', async () => {
    const displays = [
      { id: 'main', name: 'Main', frame: { x: 0, y: 0, width: 800, height: 600 }, scale: 1, main: true },
      { id: 'left', name: 'Left', frame: { x: -400, y: 0, width: 400, height: 300 }, scale: 1, main: false },
    ];
    const { desktop } = open({ displays });
    const left = await desktop.capture({ kind: 'display', displayId: 'left' }, signal);
    expect(left).toMatchObject({ width: 400, height: 300, origin: { x: -400, y: 0 } });
    const across = await desktop.capture({ kind: 'region', rect: { x: -50, y: 10, width: 100, height: 20 } }, signal);
    expect(across).toMatchObject({ width: 100, height: 20, origin: { x: -50, y: 10 } });
    const cut = await desktop.capture({ kind: 'region', rect: { x: 780, y: 590, width: 100, height: 100 } }, signal);
    expect(cut).toMatchObject({ width: 20, height: 10, origin: { x: 780, y: 590 } });
  });

  it('need a window that is not minimised', async () => {
    const { desktop } = open();
    const [mail] = await desktop.windows(signal);
    await desktop.setWindowMinimized(mail?.id ?? '', true, signal);
    const shot = desktop.capture({ kind: 'window', windowId: mail?.id ?? '' }, signal);
    await expect(shot).rejects.toMatchObject({ code: 'failed' });
  });
});
