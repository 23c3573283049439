import { describe, expect, it } from 'vitest';
import type { Capture, Rect } from '../../../src/native/desktop.js';
import { openSimulated, type SimulatedOptions } from '../../../src/native/simulated/index.js';

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
  return Buffer.compare(Buffer.from(a.rgb), Buffer.from(b.rgb)) === 0;
}

describe('drawn screenshots', () => {
  it('are the same every time', async () => {
    const shots = await Promise.all([1, 2].map(() => open().desktop.capture({ kind: 'display' }, signal)));
    expect(shots[0] !== undefined && shots[1] !== undefined && same(shots[0], shots[1])).toBe(true);
  });

  it('show text, focus, pressed buttons and checked boxes', async () => {
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
