import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toPoint } from '../../src/main/tools/images.js';
import { createImages } from '../../src/main/calls/images.js';
import { openSimulated } from '../../src/native/simulated/index.js';
import type { Display } from '../../src/native/desktop.js';
import { ALLOWED, CALLER, createTestPipeline, failure, pressed } from '../support/pipeline.js';
import { cut, decoded, isAll, MASK } from '../support/pictures.js';
import type { PictureResult } from '../../src/main/tools/screen/picture.js';

const never = new AbortController().signal;
const ME = CALLER.agent.id;
const display = (id: string, x: number, y: number, scale: number, main = false): Display => ({
  id,
  name: id,
  frame: { x, y, width: 1440, height: 900 },
  scale,
  main,
});
const RETINA = [display('one', 0, 0, 2, true), display('two', 1440, 0, 1), display('left', -1440, 100, 2)];

const createPipeline = (displays?: Display[]) => createTestPipeline(async () => ALLOWED, openSimulated(displays === undefined ? {} : { displays })); // prettier-ignore
type TestPipeline = ReturnType<typeof createPipeline>;

async function taken(given: TestPipeline, tool: string, input: unknown) {
  const result = await given.run(tool, input);
  const value = result.value as PictureResult;
  const kept = given.images.get(value.image.id, ME);
  if (kept === null) throw new Error('the picture was not kept');
  return { ...value, text: result.text ?? '', kept, pixels: await decoded(kept.bytes) };
}

const windowCalled = async ({ desktop }: TestPipeline, title: string) => {
  const found = (await desktop.windows(never)).find((one) => one.title === title);
  if (found === undefined) throw new Error(`no window ${title}`);
  return { ...found, name: `applications/${found.app.pid}/windows/${found.id}` };
};

describe('what a picture says of itself', () => {
  test.each([
    ['png', [0x89, 0x50, 0x4e, 0x47]],
    ['jpeg', [0xff, 0xd8, 0xff]],
    ['webp', [0x52, 0x49, 0x46, 0x46]],
  ])('case 14: %s, whose size is the one told [req:MT-T-capture_screenshot]', async (format, magic) => {
    const { kept, pixels, text, image } = await taken(createPipeline(), 'capture_screenshot', { format });
    expect([...kept.bytes.subarray(0, magic.length)]).toEqual(magic);
    expect([image.mimeType, pixels.format]).toEqual([`image/${format}`, format]);
    expect(text).toContain(`${pixels.width}×${pixels.height} px, 1 px per point`);
    expect([image.width, image.height]).toEqual([pixels.width, pixels.height]);
  });

  test('[req:MT-T-capture_window_screenshot] of a lower quality is of the same size and takes less room', async () => {
    const given = createPipeline();
    const window = (await windowCalled(given, 'New Message')).name;
    const take = (quality: number) => taken(given, 'capture_window_screenshot', { window, format: 'jpeg', quality });
    const [low, high] = [await take(10), await take(95)];
    expect([low.image.width, low.image.height]).toEqual([high.image.width, high.image.height]);
    expect(low.kept.bytes.length).toBeLessThan(high.kept.bytes.length / 2);
  });

  test('case 14: tiff, which models cannot read, is refused with those that can be asked for', async () => {
    const error = await failure(createPipeline().run('capture_screenshot', { format: 'tiff' }));
    expect(error.code).toBe('DESKTOP_INVALID_REQUEST');
    for (const format of ['png', 'jpeg', 'webp']) expect(error.message).toContain(format);
  });

  test('[req:DS-5-8] [req:MT-T-capture_screenshot] case 15: it fits the width or height asked for, in its own proportions, and is small by itself', async () => {
    const given = createPipeline(RETINA);
    const narrow = await taken(given, 'capture_screenshot', { max_width: 640 });
    expect(narrow.image).toMatchObject({ width: 640, height: 400 });
    expect(narrow.image.scale).toBeCloseTo(640 / 1440, 6);
    expect((await taken(given, 'capture_screenshot', { max_height: 300 })).image).toMatchObject({ width: 480 });
    expect((await taken(given, 'capture_screenshot', {})).image).toMatchObject({ width: 1568, height: 980 });
    expect((await taken(given, 'capture_screenshot', { max_width: 8000 })).image).toMatchObject({ width: 2880 });
  });

  test('case 16: a region of a display with two pixels a point has twice the pixels, of the right place [req:MT-T-capture_region_screenshot]', async () => {
    const given = createPipeline(RETINA);
    const { image, pixels } = await taken(given, 'capture_region_screenshot', {
      x: 60,
      y: 70,
      width: 300,
      height: 120,
    });
    expect(image).toMatchObject({ width: 600, height: 240, scale: 2, origin: { x: 60, y: 70 } });
    const whole = await given.desktop.capture({ kind: 'display', displayId: 'one' }, never);
    expect(pixels.rgb.equals(cut(whole, { x: 120, y: 140, width: 600, height: 240 }))).toBe(true);
  });

  test('a region across two displays comes whole, on negative coordinates too', async () => {
    const { image } = await taken(createPipeline(RETINA), 'capture_region_screenshot', {
      x: -50,
      y: 200,
      width: 100,
      height: 40,
    });
    expect(image).toMatchObject({ origin: { x: -50, y: 200 }, width: 200, height: 80 });
  });

  test.each([
    [{ width: 0 }, 'width'],
    [{ height: -4 }, 'height'],
    [{ x: Number.NaN }, 'x'],
    [{ width: Number.POSITIVE_INFINITY }, 'width'],
    [{ x: 9000 }, 'outside'],
    [{ y: 950, display_id: 'one' }, 'outside'],
    [{ display_id: 'nine' }, 'nine'],
  ])('case 16: a region that is none is an error: %j', async (bad, named) => {
    const error = await failure(
      createPipeline(RETINA).run('capture_region_screenshot', { x: 10, y: 10, width: 20, height: 20, ...bad }),
    );
    expect(error.message).toContain(named);
  });
});

describe('a point in a picture', () => {
  const kept = (native: { width: number; height: number; scale: number }, width: number, height: number) => {
    const images = createImages();
    const image = { bytes: new Uint8Array(1), mimeType: 'image/png', marks: [], origin: { x: -7, y: 11 }, native, width, height, scale: (native.scale * width) / native.width }; // prettier-ignore
    return { images, space: `image:${images.put(image, ME).id}` };
  };

  test('[req:DS-5-8] leads to a native pixel that shows in the very pixel named, whatever the sizes', () => {
    const length = fc.integer({ min: 1, max: 4000 });
    const factor = fc.double({ min: 0.02, max: 1, noNaN: true });
    fc.assert(
      fc.property(length, length, factor, fc.constantFrom(1, 1.5, 2), fc.nat(), (wide, high, part, scale, seed) => {
        const width = Math.max(1, Math.round(wide * part));
        const height = Math.max(1, Math.round(high * part));
        const { images, space } = kept({ width: wide, height: high, scale }, width, height);
        const at = { x: seed % width, y: seed % height };
        const point = toPoint(images, at, space, ME);
        const native = { x: Math.round((point.x + 7) * scale), y: Math.round((point.y - 11) * scale) };
        expect(Math.floor(((native.x + 0.5) * width) / wide)).toBe(at.x);
        expect(Math.floor(((native.y + 0.5) * height) / high)).toBe(at.y);
      }),
    );
  });

  test('of an enlarged one leads to the pixel that was enlarged', () => {
    const { images, space } = kept({ width: 100, height: 50, scale: 2 }, 400, 200);
    expect(toPoint(images, { x: 7, y: 8 }, space, ME)).toEqual({ x: -7 + 1 / 2, y: 11 + 2 / 2 });
  });

  test('outside of it, or of a picture given to another agent, is refused', () => {
    const { images, space } = kept({ width: 100, height: 50, scale: 1 }, 100, 50);
    expect(() => toPoint(images, { x: 100, y: 0 }, space, ME)).toThrow(/outside/);
    expect(() => toPoint(images, { x: 1, y: 1 }, space, 'agent-2')).toThrow(/is unknown or no longer stored/);
  });

  test('a click in a small picture of a dense display hits what it shows', async () => {
    const given = createPipeline(RETINA);
    const { image } = await taken(given, 'capture_screenshot', { max_width: 700 });
    const id = given.world.find('send');
    if (id === null) throw new Error('no button');
    const { frame } = await given.desktop.element(id, never);
    if (frame === null) throw new Error('no frame');
    const at = { x: Math.floor((frame.x + 2) * image.scale) + 1, y: Math.floor((frame.y + 2) * image.scale) + 1 };
    await given.run('click', { ...at, space: `image:${image.id}` });
    expect(pressed(given.world.journal())).toEqual(['send']);
  });
});

describe('a closer look', () => {
  test('at a point of a picture shows the pixels around it, enlarged, and points in it lead back', async () => {
    const given = createPipeline(RETINA);
    const { image } = await taken(given, 'capture_screenshot', { max_width: 720 });
    const near = await taken(given, 'zoom', { coordinate: [150, 240], scale: 6, space: `image:${image.id}` });
    expect(near.image).toMatchObject({ width: 960, height: 600, scale: 4 });
    expect(near.kept.native).toEqual({ width: 480, height: 300, scale: 2 });
    const middle = toPoint(given.images, { x: 480, y: 300 }, `image:${near.image.id}`, ME);
    expect(Math.abs(middle.x - 301)).toBeLessThan(1);
    expect(Math.abs(middle.y - 481)).toBeLessThan(1);
    const region = { x: 100, y: 200, width: 50, height: 20 };
    const part = await taken(given, 'zoom', { region, space: `image:${image.id}` });
    expect(part.kept.native).toEqual({ width: 200, height: 80, scale: 2 });
    expect(part.image.origin).toEqual({ x: 200, y: 400 });
  });

  test.each([
    [{}, 'coordinate'],
    [{ coordinate: [1] }, 'coordinate'],
    [{ coordinate: [1, 2, 3] }, 'coordinate'],
    [{ coordinate: ['1', '2'] }, 'coordinate'],
    [{ coordinate: [5, 5], scale: 0 }, 'scale'],
    [{ coordinate: [5, 5], scale: 9 }, 'scale'],
    [{ coordinate: [-9, -9] }, 'on no display'],
    [{ coordinate: [5, 5], space: 'image:ffffffff' }, 'is unknown'],
    [{ region: { x: 9000, y: 0, width: 5, height: 5 } }, 'outside'],
    [{ coordinate: [5, 5], max_width: 1e9 }, 'max_width'],
    [{ coordinate: [5, 5], format: 'bmp' }, 'webp'],
  ])('refuses %j', async (bad, named) => {
    expect((await failure(createPipeline().run('zoom', bad))).message).toContain(named);
  });

  test('at an element needs one', async () => {
    expect((await failure(createPipeline().run('capture_element_screenshot', {}))).message).toContain('element_id');
  });
});

describe('what no picture shows', () => {
  const secret = { x: 1036, y: 642, width: 244, height: 28 };

  test.each([
    ['capture_screenshot', {}],
    ['capture_region_screenshot', { x: 1000, y: 600, width: 300, height: 100 }],
    ['capture_window_screenshot', {}],
    ['capture_element_screenshot', { title: 'Password', role: 'AXTextField', parent: 'simulated.mail', padding: 6 }],
    ['zoom', { coordinate: [1100, 655], scale: 6 }],
  ])('%s: a password field is covered', async (tool, input) => {
    const given = createPipeline();
    const window = (await windowCalled(given, 'Account')).name;
    const { image, pixels } = await taken(given, tool, tool === 'capture_window_screenshot' ? { window } : input);
    const { origin, scale } = image;
    const [left, top] = [Math.max(secret.x, origin.x), Math.max(secret.y, origin.y)];
    const right = Math.min(secret.x + secret.width, origin.x + image.width / scale);
    const bottom = Math.min(secret.y + secret.height, origin.y + image.height / scale);
    const part = { x: (left - origin.x) * scale, y: (top - origin.y) * scale, width: (right - left) * scale, height: (bottom - top) * scale }; // prettier-ignore
    expect(part.width * part.height).toBeGreaterThan(2000);
    expect(isAll(pixels, part, MASK)).toBe(true);
    expect(isAll(pixels, { x: 0, y: 0, width: image.width, height: image.height }, MASK)).toBe(false);
  });

  test('an excluded application: covered on the screen, refused by itself, and without marks and text [req:DS-8-10]', async () => {
    const given = createPipeline();
    const window = await windowCalled(given, 'Shopping');
    const note = await given.refer('note');
    given.deps.excludedApps = () => new Set(['simulated.notes']);
    const { frame } = window;
    for (const [tool, input] of [
      ['capture_screenshot', { marks: true, include_ocr: true }],
      ['capture_region_screenshot', { ...frame, include_ocr: true }],
      ['zoom', { region: frame, include_ocr: true }],
    ] as const) {
      const { image, pixels, text } = await taken(given, tool, input);
      const times = image.scale;
      const part = { x: (frame.x - image.origin.x) * times, y: (frame.y - image.origin.y) * times, width: frame.width * times, height: frame.height * times }; // prettier-ignore
      expect(isAll(pixels, part, MASK), tool).toBe(true);
      expect(text).not.toMatch(/Undo|Milk|Bread|Locked/);
    }
    for (const [tool, input] of [
      ['capture_window_screenshot', { window: window.name }],
      ['capture_screenshot', { window_id: window.name }],
      ['capture_element_screenshot', { element_id: note }],
      ['find_text', { text: 'Milk', parent: window.name }],
      ['click_text', { text: 'Milk', parent: window.name }],
    ] as const)
      expect((await failure(given.run(tool, input))).code, tool).toBe('DESKTOP_ELEMENT_NOT_FOUND');
    expect((await given.run('find_text', { text: 'Milk', display_id: 'main' })).value).toMatchObject({ total: 0 });
  });

  test('a control under the window of an excluded application gets no number', async () => {
    const given = createPipeline();
    const [notes, mail] = [await windowCalled(given, 'Shopping'), await windowCalled(given, 'New Message')];
    given.world.moveWindow(notes.id, { x: mail.frame.x, y: mail.frame.y });
    given.world.raiseWindow(notes.id);
    given.deps.excludedApps = () => new Set(['simulated.notes']);
    const { marks } = await taken(given, 'capture_screenshot', { marks: true });
    expect(marks?.map(({ title }) => title)).not.toContain('To');
    expect(marks?.map(({ title }) => title)).toContain('Send');
  });

  test('nothing while a pairing link is open', async () => {
    const given = createPipeline();
    given.deps.protection = { ...given.deps.protection, isPairingLinkOpen: () => true };
    for (const tool of ['capture_screenshot', 'capture_window_screenshot', 'zoom', 'find_text', 'click_text'])
      expect(
        (await failure(given.run(tool, tool === 'zoom' ? { coordinate: [9, 9] } : tool.endsWith('text') ? { text: 'To' } : {}))).details['reason'], // prettier-ignore
      ).toBe('pairing');
  });
});
