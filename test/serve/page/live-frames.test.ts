import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createImaging } from '../../../src/main/evidence/index.js';
import { createLiveFrames } from '../../../src/main/serve/page/live-frames.js';
import type { Frame } from '../../../src/main/protocol/index.js';
import { DesktopError, type Capture, type DesktopBackend, type Window } from '../../../src/native/desktop.js';
import { openSimulated } from '../../../src/native/simulated/index.js';
import { decoded, pixelAt } from '../../support/pictures.js';
import { verbatim } from '../../../src/messages/index.js';
import { waitFor } from '../../support/eventually.js';

const SIZE = { width: 1600, height: 900 };
const RED = [200, 30, 30];

interface Scene {
  captures: number;
  colour: number[];
  pointer: { x: number; y: number };
  windows: Window[];
  trouble: Error | null;
  blind: boolean;
  acted: string[];
}

async function scene({ real = false } = {}) {
  const simulated = await openSimulated();
  onTestFinished(() => simulated.close());
  const state: Scene = { captures: 0, colour: RED, pointer: { x: 800, y: 450 }, windows: [], trouble: null, blind: false, acted: [] }; // prettier-ignore
  const desktop: DesktopBackend = {
    ...simulated,
    capture: (): Promise<Capture> => {
      state.captures += 1;
      if (state.trouble !== null) return Promise.reject(state.trouble);
      const rgb = new Uint8Array(SIZE.width * SIZE.height * 3).map((_, index) => state.colour[index % 3] ?? 0);
      return Promise.resolve({ ...SIZE, rgb, origin: { x: 0, y: 0 }, scale: 1 });
    },
    secureAreas: () => Promise.reject(new Error('not looked for: dots are all the person sees')),
    pointer: () => Promise.resolve(state.pointer),
    windows: () => Promise.resolve(state.windows),
  };
  const live = createLiveFrames({
    desktop,
    protection: {
      isProtected: (window) => window?.title === 'Chaperone',
      hintFor: () => null,
      hidesDocument: () => false,
      isPairingLinkOpen: () => state.blind,
    },
    imaging: createImaging(),
    actedWindows: () => state.acted,
    onlySingle: real,
    now: () => new Date(),
  });
  onTestFinished(live.close);
  const watch = (still = false) => {
    const viewer = {};
    const frames: Frame[] = [];
    live.show(viewer, still, (frame) => frames.push(frame));
    return {
      frames,
      viewer,
      next: (count: number) => waitFor(() => expect(frames.length).toBeGreaterThanOrEqual(count)),
      take: () => live.taken(viewer, frames.at(-1)?.seq ?? 0),
      leave: () => live.leave(viewer),
    };
  };
  return { state, live, watch };
}

const windowOf = (id: string, title: string, frame: Window['frame']): Window => ({
  id, title, frame, focused: true, minimized: false, visible: true, normal: true, documentUrl: null,
  app: { id: 'app', name: 'App', pid: 7, startTime: '1', frontmost: true },
}); // prettier-ignore

async function pixelsOf({ picture }: Frame) {
  if (picture === null) throw new Error('no picture');
  return decoded(Buffer.from(picture.base64, 'base64'));
}

describe('the desktop live', () => {
  it('[req:AP-L-1] is one bounded picture, and the next only where something changed and the last was taken', async () => {
    const { state, watch } = await scene();
    const one = watch();
    await one.next(1);
    const first = one.frames[0];
    expect(first).toMatchObject({ seq: 1, noFrameReason: null, ring: null, pointer: { x: 640, y: 360 } });
    expect(first?.picture).toMatchObject({ mimeType: 'image/jpeg', width: 1280, height: 720 });
    state.colour = [20, 20, 220];
    const other = watch();
    await other.next(1);
    expect(one.frames).toHaveLength(1);
    one.take();
    await one.next(2);
    const [red, , blue] = pixelAt(await pixelsOf(one.frames[1] ?? first ?? fail()), 600, 300);
    expect(blue).toBeGreaterThan(Number(red) + 100);
    one.take();
    const before = state.captures;
    await waitFor(() => expect(state.captures).toBeGreaterThan(before + 2));
    expect(one.frames).toHaveLength(2);
    state.pointer = { x: 0, y: 0 };
    await one.next(3);
    expect(one.frames[2]).toMatchObject({ picture: null, pointer: { x: 0, y: 0 } });
  });

  it('[req:AP-L-2] captures nothing for nobody, and for one who takes nothing', async () => {
    const { state, watch } = await scene();
    const clock = (await scene()).watch;
    const one = watch();
    await one.next(1);
    /** Time enough for several looks, by the looks of another desktop. */
    const tick = async (times: number) => {
      for (let turn = 0; turn < times; turn += 1) await clock(true).next(1);
    };
    await tick(3);
    expect(state.captures).toBe(1);
    one.take();
    await waitFor(() => expect(state.captures).toBeGreaterThan(2));
    one.leave();
    const left = state.captures;
    await tick(3);
    expect(state.captures).toBeLessThanOrEqual(left + 1);
  });

  it('is taken once for all who look', async () => {
    const { state, watch } = await scene();
    const viewers = [watch(), watch(), watch()];
    for (const viewer of viewers) await viewer.next(1);
    expect(state.captures).toBeLessThanOrEqual(2);
  });

  it('rings the window an agent acts on, and covers our own', async () => {
    const { state, watch } = await scene();
    state.windows = [
      windowOf('w1', 'Chaperone', { x: 0, y: 0, width: 400, height: 400 }),
      windowOf('w2', 'Mail', { x: 800, y: 450, width: 1600, height: 225 }),
    ];
    state.acted = ['w1', 'w2'];
    const one = watch();
    await one.next(1);
    expect(one.frames[0]?.ring).toEqual({ x: 640, y: 360, width: 640, height: 180 });
    const pixels = await pixelsOf(one.frames[0] ?? fail());
    const [covered] = pixelAt(pixels, 100, 100);
    const [shown] = pixelAt(pixels, 900, 100);
    expect(Number(shown) - Number(covered)).toBeGreaterThan(50);
    expect((await sharp(Buffer.from(one.frames[0]?.picture?.base64 ?? '', 'base64')).metadata()).width).toBe(1280);
  });

  it('says why there is no picture, and goes on when there is one', async () => {
    const { state, watch } = await scene();
    state.blind = true;
    const one = watch();
    await one.next(1);
    expect(one.frames[0]).toMatchObject({ noFrameReason: 'pairing', picture: null });
    state.blind = false;
    state.trouble = new DesktopError('lost', verbatim('The display is gone.'));
    one.take();
    await one.next(2);
    expect(one.frames[1]).toMatchObject({ noFrameReason: 'gone' });
    state.trouble = null;
    one.take();
    await one.next(3);
    expect(one.frames[2]).toMatchObject({ noFrameReason: null, picture: { width: 1280 } });
  });

  it('of the screen in front of the person is a single picture', async () => {
    const { state, watch } = await scene({ real: true });
    const one = watch(false);
    await one.next(1);
    one.take();
    const other = watch(true);
    await other.next(1);
    expect(one.frames).toHaveLength(1);
    expect(state.captures).toBe(2);
  });
});

function fail(): never {
  throw new Error('no frame');
}
