/** GNOME with enlarged applications: it counts places on the screen in pixels, and applications count in points. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setScale } from '../../support/gnome-session.js';
import { eventually, openLinuxDesktop, type LinuxDesktop } from '../../support/linux-desktop.js';

const signal = new AbortController().signal;
const LIMITS = { maxDepth: 60, maxNodes: 5_000, timeoutMs: 20_000 };
const allow = (): Promise<void> => Promise.resolve();

describe('GNOME at twice the size', () => {
  let linux: LinuxDesktop;
  beforeAll(async () => {
    linux = await openLinuxDesktop({ width: 2560, height: 1600 }, { wayland: 'gnome' });
    await setScale(linux.session.env, 2);
  }, 120_000);
  afterAll(() => linux.close());

  it('clicks what accessibility tells of, and takes all the pixels', async () => {
    const { desktop } = linux;
    await eventually(async () =>
      expect(await desktop.displays(signal)).toMatchObject([{ scale: 2, frame: { width: 1280, height: 800 } }]),
    );
    const app = await linux.fixture({ title: 'Large', place: { x: 300, y: 200 } });
    const { frame, id } = await linux.window(({ title }) => title === 'Large');
    expect([frame.x, frame.y]).toEqual([300, 200]);
    const { elements } = await desktop.find({ pid: app.pid }, { titleContains: 'Send' }, 1, LIMITS, signal);
    const place = elements[0]?.frame;
    if (place == null) throw new Error('it has no place');
    const at = { x: Math.round(place.x + place.width / 2), y: Math.round(place.y + place.height / 2) };
    await desktop.movePointer(at, signal);
    expect(await desktop.pointer(signal)).toEqual(at);
    await desktop.button('left', true, allow, signal);
    await desktop.button('left', false, allow, signal);
    await eventually(async () =>
      expect(await app.journal()).toContainEqual({ control: 'send', event: 'pressed', value: '' }),
    );
    for (const target of [
      { kind: 'window', windowId: id },
      { kind: 'region', rect: frame },
    ] as const) {
      const { width, height, scale, origin } = await desktop.capture(target, signal);
      expect({ width, height, scale, origin }).toEqual({
        ...{ width: frame.width * 2, height: frame.height * 2, scale: 2 },
        origin: { x: frame.x, y: frame.y },
      });
    }
  });
});
