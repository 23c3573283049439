import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Rect } from '../../../src/native/desktop.js';
import { startAgent, type TestAgent, type ToolAnswer } from '../../support/agent.js';
import { startApp, type DesktopApp } from '../../support/desktop-app.js';
import { eventually } from '../../support/eventually.js';
import { startHost, type TestHost } from '../../support/host.js';
import { openPage, type Person } from '../../support/person.js';
import { cut, decoded, isAll, MASK } from '../../support/pictures.js';

let chaperone: TestHost;
let agent: TestAgent;
let person: Person;
let gtk: DesktopApp;
let qt: DesktopApp;
let cover: DesktopApp;

const MAGIC = { png: [0x89, 0x50, 0x4e, 0x47], jpeg: [0xff, 0xd8, 0xff], webp: [0x52, 0x49, 0x46, 0x46] };

beforeAll(async () => {
  chaperone = await startHost({ backend: 'linux', display: 'virtual' });
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  person.allowLooking();
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
  const env = chaperone.host.desktopEnv ?? {};
  gtk = await startApp('gtk', env, [
    '--title',
    'Letters',
    '--place',
    '60,60',
    '--secret',
    'hunter2 hunter2',
    '--rows',
    '3',
  ]);
  qt = await startApp('qt', env, ['--title', 'Parcels', '--place', '900,60']);
  for (const app of [gtk, qt]) await looked('wait_element', { parent: parentOf(app), title: 'Send', timeout: 60 });
  cover = await startApp('gtk', env, ['--title', 'Cover', '--place', '90,140']);
  await looked('wait_element', { parent: parentOf(cover), title: 'Send', timeout: 60 });
});
afterAll(async () => {
  await agent.close();
  person.close();
  for (const app of [gtk, qt, cover]) await app.close();
  await chaperone.close();
});

const parentOf = (app: DesktopApp) => `applications/${app.pid}`;

async function looked(name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
  const result = await agent.call(name, args);
  if (result.isError) throw new Error(result.text);
  return result;
}

async function allowed(name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
  const [result] = await Promise.all([agent.call(name, args), person.answer('allow')]);
  if (result.isError) throw new Error(result.text);
  return result;
}

async function windowOf(app: DesktopApp): Promise<{ name: string; frame: Rect }> {
  const { value } = await looked('list_windows', { parent: parentOf(app) });
  const [window] = value['windows'] as { name: string; frame: Rect }[];
  if (window === undefined) throw new Error('no window');
  return window;
}

async function frameOf(app: DesktopApp, title: string): Promise<Rect> {
  const { value } = await looked('find_elements', { parent: parentOf(app), title });
  const [{ frame }] = value['elements'] as [{ frame: Rect }];
  return frame;
}

/** A picture with what its caption says: the part of a result that a model gets. */
async function pictured(name: string, args: Record<string, unknown>) {
  const { images, text } = await looked(name, args);
  const [image] = images;
  if (image === undefined || images.length > 1) throw new Error(`expected one picture: ${text}`);
  const bytes = Buffer.from(image.data, 'base64');
  const said = /^(\d+)×(\d+) px, ([\d.]+) px per point, top left at \((-?[\d.]+), (-?[\d.]+)\).*"image:([^"]+)"/m.exec(
    text,
  );
  if (said === null) throw new Error(`no caption: ${text}`);
  const [width = 0, height = 0, scale = 0, x = 0, y = 0] = said.slice(1, 6).map(Number);
  return {
    bytes,
    text,
    mimeType: image.mimeType,
    pixels: await decoded(bytes),
    width,
    height,
    scale,
    x,
    y,
    id: said[6],
  };
}

const presses = async (app: DesktopApp, control: string) =>
  (await app.journal()).filter((line) => line.control === control && line.event === 'pressed').length;

const differing = (a: Buffer, b: Buffer) => a.filter((value, index) => value !== b[index]).length / a.length;

describe('pictures of real windows', () => {
  test.each(['png', 'jpeg', 'webp'] as const)(
    'case 14: %s, as large as it says [req:MT-T-capture_screenshot]',
    async (format) => {
      const { bytes, mimeType, pixels, width, height } = await pictured('capture_screenshot', { format, quality: 70 });
      expect([...bytes.subarray(0, MAGIC[format].length)]).toEqual(MAGIC[format]);
      expect([mimeType, pixels.format]).toEqual([`image/${format}`, format]);
      expect([pixels.width, pixels.height]).toEqual([width, height]);
      expect(Math.max(width, height)).toBe(1568);
    },
  );

  test('case 15: no wider than asked, and a point in it still hits what it shows', async () => {
    const { width, height, scale, x, y, id } = await pictured('capture_screenshot', { max_width: 640 });
    expect([width, height]).toEqual([640, 360]);
    const send = await frameOf(qt, 'Send');
    const at = { x: Math.floor((send.x + 6 - x) * scale), y: Math.floor((send.y + 12 - y) * scale) };
    const before = await presses(qt, 'send');
    await allowed('click', { ...at, space: `image:${id}` });
    await eventually(async () => expect(await presses(qt, 'send')).toBe(before + 1));
  });

  test('a covered window comes whole, its password field does not [req:MT-T-capture_window_screenshot]', async () => {
    const { name, frame } = await windowOf(gtk);
    await allowed('focus_window', { name });
    const open = await pictured('capture_window_screenshot', { window: name });
    await allowed('focus_window', { name: (await windowOf(cover)).name });
    const covered = await pictured('capture_window_screenshot', { window: name, include_shadow: true });
    const screen = await pictured('capture_region_screenshot', { ...frame });
    expect([covered.width, covered.height]).toEqual([frame.width, frame.height]);
    const lower = (rgb: Buffer) => rgb.subarray(rgb.length / 2);
    expect(differing(lower(open.pixels.rgb), lower(covered.pixels.rgb))).toBeLessThan(0.02);
    expect(differing(lower(open.pixels.rgb), lower(screen.pixels.rgb))).toBeGreaterThan(0.05);
    expect(covered.text).toContain('no shadow');
    const secret = await frameOf(gtk, 'Secret');
    const part = { ...secret, x: secret.x - frame.x, y: secret.y - frame.y };
    expect(isAll(covered.pixels, part, MASK)).toBe(true);
  });

  test('an element comes whole under another window, with what is around it [req:MT-T-capture_element_screenshot]', async () => {
    const [send, window] = [await frameOf(gtk, 'Send'), await windowOf(gtk)];
    const whole = await pictured('capture_window_screenshot', { window: window.name });
    const found = await looked('find_elements', { parent: parentOf(gtk), title: 'Send' });
    const [{ elementId }] = found.value['elements'] as [{ elementId: string }];
    const { pixels, scale, x, y } = await pictured('capture_element_screenshot', { element_id: elementId, padding: 5 });
    expect([x, y]).toEqual([send.x - 5, send.y - 5]);
    expect([pixels.width, pixels.height]).toEqual([(send.width + 10) * scale, (send.height + 10) * scale]);
    const part = { x: x - window.frame.x, y: y - window.frame.y, width: send.width + 10, height: send.height + 10 };
    expect(shrunk(pixels, scale).equals(cut(whole.pixels, part))).toBe(true);
  });

  test('zoom shows the very pixels of the screen, around a point and near an edge [req:MT-T-zoom]', async () => {
    const send = await frameOf(qt, 'Send');
    for (const [coordinate, scale] of [
      [[send.x + 20, send.y + 10], 8],
      [[3, 1079], 4],
    ] as const) {
      const near = await pictured('zoom', { coordinate, scale });
      const part = { x: near.x, y: near.y, width: 1920 / scale, height: 1080 / scale };
      const native = await pictured('capture_region_screenshot', part);
      expect(near.pixels.width).toBe(part.width * near.scale);
      expect(shrunk(near.pixels, near.scale).equals(native.pixels.rgb)).toBe(true);
    }
  });

  test('a minimised window has no picture, and the error says what to do', async () => {
    const { name } = await windowOf(cover);
    await allowed('minimize_window', { name });
    const refused = await agent.call('capture_window_screenshot', { window: name });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/minimised[\s\S]*restore_window/);
  });

  test('displays and the pointer are told by name [req:MT-T-list_displays] [req:MT-T-get_display] [req:MT-T-cursor_position]', async () => {
    const { value } = await looked('list_displays', {});
    const [first] = value['displays'] as [{ name: string; main: boolean }];
    expect(first.main).toBe(true);
    expect((await looked('get_display', { name: first.name })).value).toEqual(first);
    expect((await agent.call('get_display', { name: 'displays/nine' })).isError).toBe(true);
    expect((await looked('cursor_position', {})).value).toMatchObject({ display: first.name, x: expect.any(Number) });
  });
});

describe('numbers and words as targets', () => {
  test('a number drawn on a real window presses that button and no other', async () => {
    const { text, id } = await pictured('capture_window_screenshot', {
      window: (await windowOf(gtk)).name,
      marks: true,
    });
    const number = /^(\d+) AXButton “Send” e:\d+$/m.exec(text)?.[1];
    expect(number).toBeDefined();
    const before = (await gtk.journal()).length;
    await allowed('click_element', { element_id: `mark:${number}@${id}` });
    await eventually(async () => expect(await presses(gtk, 'send')).toBe(1));
    expect((await gtk.journal()).slice(before).map(({ control }) => control)).toEqual(['send']);
  });

  for (const [kit, app] of [
    ['GTK', () => gtk],
    ['Qt', () => qt],
  ] as const)
    test(`case 17: the label of a ${kit} button is read, found and clicked`, async () => {
      const { name } = await windowOf(app());
      const read = await pictured('capture_window_screenshot', { window: name, include_ocr: true });
      expect(read.text).toMatch(/Text:[\s\S]*Remind me[\s\S]*Temporary/);
      const { value } = await looked('find_text', { text: 'Temporary', parent: name });
      const [{ x, y }] = value['matches'] as [{ x: number; y: number }];
      const frame = await frameOf(app(), 'Temporary');
      expect(Math.abs(x - (frame.x + frame.width / 2))).toBeLessThan(6);
      expect(Math.abs(y - (frame.y + frame.height / 2))).toBeLessThan(6);
      await allowed('focus_window', { name });
      const before = (await app().journal()).length;
      const clicked = await allowed('click_text', { text: 'Send', parent: name });
      expect(clicked.value).toMatchObject({ clicked: true, text: 'Send' });
      const after = async () => (await app().journal()).slice(before);
      await eventually(async () =>
        expect(await after()).toContainEqual({ control: 'send', event: 'pressed', value: '' }),
      );
      expect(new Set((await after()).map(({ control }) => control))).toEqual(new Set(['send']));
    });

  test('case 17: a bare part of the screen has no text, and that is no error', async () => {
    const { text } = await pictured('capture_region_screenshot', { x: 1500, y: 700, width: 200, height: 200, include_ocr: true }); // prettier-ignore
    expect(text).toContain('There is no text in it');
    expect(text).not.toContain('Text:');
  });
});

/** Each block of pixels as its first one. */
function shrunk({ width, height, rgb }: { width: number; height: number; rgb: Buffer }, times: number): Buffer {
  const small: Buffer[] = [];
  for (let y = 0; y < height; y += times)
    for (let x = 0; x < width; x += times) small.push(rgb.subarray((y * width + x) * 3, (y * width + x) * 3 + 3));
  return Buffer.concat(small);
}
