import { expect, it } from 'vitest';
import { contains } from '../../../src/base/rect.js';
import type { Capture, Rect } from '../../../src/native/desktop.js';
import { centre, codeOf, frameOf, until, type Bench } from '../bench.js';

export function pictures(bench: () => Bench): void {
  const region = (rect: Rect): Promise<Capture> => bench().desktop.capture({ kind: 'region', rect }, bench().signal);

  it('captures a display: all its pixels, where it is', async () => {
    const { desktop, signal } = bench();
    for (const display of await desktop.displays(signal)) {
      const shot = await desktop.capture({ kind: 'display', displayId: display.id }, signal);
      expect(shot).toMatchObject({ scale: display.scale, origin: { x: display.frame.x, y: display.frame.y } });
      expect([shot.width, shot.height]).toEqual([
        display.frame.width * display.scale,
        display.frame.height * display.scale,
      ]);
      expect(shot.rgb).toHaveLength(shot.width * shot.height * 3);
      expect(new Set(shot.rgb.subarray(0, 300_000)).size).toBeGreaterThan(1);
    }
    const main = (await desktop.displays(signal)).find((display) => display.main);
    const byDefault = await desktop.capture({ kind: 'display' }, signal);
    expect(byDefault.origin).toEqual({ x: main?.frame.x, y: main?.frame.y });
  });

  it('captures a region: the same pixels as the display has there', async () => {
    const { desktop, signal, control } = bench();
    const { x, y, width, height } = frameOf(await control('send'));
    const rect = { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) };
    await desktop.movePointer({ x: 1, y: 1 }, signal);
    await until(async () => {
      const part = await region(rect);
      expect(part).toMatchObject({ origin: { x: rect.x, y: rect.y } });
      expect([part.width, part.height]).toEqual([rect.width * part.scale, rect.height * part.scale]);
      const whole = await desktop.capture({ kind: 'display' }, signal);
      expect(Buffer.compare(Buffer.from(part.rgb), cut(whole, rect))).toBe(0);
    });
  });

  it('captures a window alone, also where another covers it', async () => {
    const { desktop, signal, main, second, drawn } = bench();
    const window = await main();
    const picture = (): Promise<Capture> => desktop.capture({ kind: 'window', windowId: window.id }, signal);
    // Toolkits that draw their own frame draw all of an inactive window paler.
    const { id, frame } = await second();
    await desktop.focusWindow(id, signal);
    await until(async () => expect((await second()).focused).toBe(true));
    await drawn();
    const shot = await picture();
    expect([shot.width, shot.height]).toEqual([window.frame.width * shot.scale, window.frame.height * shot.scale]);
    expect(shot.origin).toEqual({ x: window.frame.x, y: window.frame.y });
    const cover = () => desktop.setWindowFrame(id, { x: window.frame.x + 20, y: window.frame.y + 60 }, signal);
    await cover();
    if (bench().fixture.seesCovered === false) return expect(await codeOf(picture())).toBe('unsupported');
    await until(async () => {
      await cover();
      const covered = await picture();
      await desktop.setWindowFrame(id, { x: frame.x, y: frame.y }, signal);
      const bare = await picture();
      expect([covered.width, covered.height]).toEqual([bare.width, bare.height]);
      // A title bar shows whether its window is active; the lower half is the window's own.
      const half = bare.rgb.length / 2;
      const differing = covered.rgb.subarray(half).filter((value, index) => value !== bare.rgb[half + index]).length;
      expect(differing / half).toBeLessThan(0.02);
    });
  });

  it('shows what changes', async () => {
    const { desktop, signal, control, drawn } = bench();
    const toggle = await control('toggle');
    await desktop.movePointer({ x: 1, y: 1 }, signal);
    await drawn();
    const before = await region(frameOf(toggle));
    await desktop.performAction(toggle.id, 'AXPress', signal);
    await until(async () =>
      expect(Buffer.compare(Buffer.from((await region(frameOf(toggle))).rgb), Buffer.from(before.rgb))).not.toBe(0),
    );
  });

  it('shows what lies on top', async () => {
    const { desktop, signal, control, main, second, drawn } = bench();
    const rect = frameOf(await control('send'));
    await desktop.movePointer({ x: 1, y: 1 }, signal);
    await drawn();
    const differs = async (from: Capture): Promise<boolean> =>
      Buffer.compare(Buffer.from((await region(rect)).rgb), Buffer.from(from.rgb)) !== 0;
    const before = await region(rect);
    await desktop.setWindowFrame((await second()).id, { x: rect.x - 100, y: rect.y - 70 }, signal);
    await desktop.focusWindow((await second()).id, signal);
    await until(async () => expect(await differs(before)).toBe(true));
    await desktop.focusWindow((await main()).id, signal);
    await until(async () => expect(await differs(before)).toBe(false));
  });

  it('refuses what cannot be captured', async () => {
    const { desktop, signal } = bench();
    expect(await codeOf(region({ x: 10, y: 10, width: 0, height: 10 }))).toBe('failed');
    expect(await codeOf(region({ x: 90_000, y: 90_000, width: 10, height: 10 }))).toBe('failed');
    expect(await codeOf(desktop.capture({ kind: 'display', displayId: 'no such display' }, signal))).toBe('not_found');
    expect(['not_found', 'stale']).toContain(
      await codeOf(desktop.capture({ kind: 'window', windowId: 'no such window' }, signal)),
    );
  });

  it('names the places of passwords while they show', async () => {
    const { desktop, signal, control, main } = bench();
    const at = centre(frameOf(await control('password')));
    const covered = async (): Promise<boolean> =>
      (await desktop.secureAreas(signal)).some((area) => contains(area, at));
    await until(async () => expect(await covered()).toBe(true));
    const entry = centre(frameOf(await control('entry')));
    expect((await desktop.secureAreas(signal)).some((area) => contains(area, entry))).toBe(false);
    const { id } = await main();
    await desktop.setWindowMinimized(id, true, signal);
    await until(async () => expect(await covered()).toBe(false));
    await desktop.setWindowMinimized(id, false, signal);
    await until(async () => expect(await covered()).toBe(true));
  });
}

function cut(whole: Capture, rect: Rect): Buffer {
  const { scale, width } = whole;
  const rows: Uint8Array[] = [];
  for (let row = 0; row < rect.height * scale; row++) {
    const start = (((rect.y - whole.origin.y) * scale + row) * width + (rect.x - whole.origin.x) * scale) * 3;
    rows.push(whole.rgb.subarray(start, start + rect.width * scale * 3));
  }
  return Buffer.concat(rows);
}
