import { expect, it } from 'vitest';
import type { Capture, WindowPaint } from '../../../src/native/desktop.js';
import { until, type Bench } from '../bench.js';

const TWO_FRAMES_MS = 33;

/** Of a platform that does not tell. */
export function withoutPaints(bench: () => Bench): void {
  it('tells nothing of when a window is painted', async () => {
    const { desktop, signal, main } = bench();
    expect(await desktop.windowPaint((await main()).id, null, signal)).toBeNull();
  });
}

export function painting(bench: () => Bench): void {
  const paintOf = async (id: string, after: string | null = null): Promise<WindowPaint> => {
    const paint = await bench().desktop.windowPaint(id, after, bench().signal);
    if (paint === null) throw new Error('no word of when the window was painted');
    return paint;
  };
  const picture = (windowId: string): Promise<Capture> =>
    bench().desktop.capture({ kind: 'window', windowId }, bench().signal);

  it('tells when a window was painted last', async () => {
    const { id } = await bench().main();
    await until(async () => expect((await paintOf(id)).unpaintedMs).toBeGreaterThanOrEqual(TWO_FRAMES_MS));
  });

  it('has another generation after each paint, and waits for it', async () => {
    const { desktop, signal, main, control } = bench();
    const { id } = await main();
    const toggle = await control('toggle');
    for (let press = 0; press < 3; press += 1) {
      const { generation } = await paintOf(id);
      const before = await picture(id);
      const painted = paintOf(id, generation);
      await desktop.performAction(toggle.id, 'AXPress', signal);
      expect((await painted).generation).not.toBe(generation);
      await until(async () => expect(Buffer.compare((await picture(id)).rgb, before.rgb)).not.toBe(0));
      expect((await paintOf(id)).generation).not.toBe(generation);
    }
  });

  it('has the same pictures between two readings of one generation', async () => {
    const { desktop, signal, main, control } = bench();
    const { id } = await main();
    const toggle = await control('toggle');
    let same = 0;
    for (let round = 0; round < 60 || same === 0; round += 1) {
      const [first, one] = [await paintOf(id), await picture(id)];
      // Without waiting for it: the application paints somewhere between the readings.
      const press = round % 3 === 0 ? desktop.performAction(toggle.id, 'AXPress', signal) : null;
      const [other, last] = [await picture(id), await paintOf(id)];
      if (first.generation === last.generation) {
        expect(Buffer.compare(one.rgb, other.rgb)).toBe(0);
        same += 1;
      }
      await press;
    }
  });

  it('has another generation where the window was moved, resized, hidden for a while', async () => {
    const { desktop, signal, second } = bench();
    const { id, frame } = await second();
    const acts = [
      () => desktop.setWindowFrame(id, { x: frame.x + 20 }, signal),
      () => desktop.setWindowFrame(id, { width: frame.width + 40 }, signal),
      async () => {
        await desktop.setWindowMinimized(id, true, signal);
        await until(async () => expect(await desktop.windowPaint(id, null, signal)).toBeNull());
        await desktop.setWindowMinimized(id, false, signal);
      },
    ];
    for (const act of acts) {
      const { generation } = await paintOf(id);
      await act();
      expect((await paintOf(id)).generation).not.toBe(generation);
    }
  });

  it('[req:WE-5] tells when the application has read its input, and when it rests; or that it cannot tell', async () => {
    const { desktop, signal, main, control, click, journal } = bench();
    const { id } = await main();
    const tells = desktop.platform === 'linux' ? true : null;
    const { frame } = await control('send');
    if (frame === null) throw new Error('the button has no frame');
    for (const presses of [1, 2, 3]) {
      await click({ x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 });
      // What it has read may still be in its own queue, until it rests.
      expect(await desktop.untilApplication(id, 'read', signal)).toBe(tells);
      expect(await desktop.untilApplication(id, 'rest', signal)).toBe(tells);
      expect(await journal('send', 'pressed')).toHaveLength(presses);
    }
  });

  it('[req:WE-5] never takes a window that is gone for one of which it cannot tell', async () => {
    const { desktop, signal, second } = bench();
    const { id } = await second();
    await desktop.closeWindow(id, signal);
    expect(await desktop.untilApplication(id, 'read', signal)).toBe(desktop.platform === 'linux' ? false : null);
  });

  it('ends its wait with the signal', async () => {
    const { desktop, second } = bench();
    const { id } = await second();
    const [ended, reason] = [new AbortController(), new Error('enough')];
    await until(async () => expect((await paintOf(id)).unpaintedMs).toBeGreaterThanOrEqual(TWO_FRAMES_MS));
    const { generation } = await paintOf(id);
    const waiting = desktop.windowPaint(id, generation, ended.signal);
    ended.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });
}
