/** Choosing: lists that GTK 4 makes when they open, combo boxes in which any text can be written, and rows. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ToolAnswer } from '../../support/agent.js';
import { startControls } from '../../support/controls-app.js';
import { APPS, startApp, type DesktopApp } from '../../support/desktop-app.js';
import { openInputScene, type InputScene } from '../../support/input-scene.js';
import { eventually } from '../../support/linux-desktop.js';
import { cut, decoded } from '../../support/pictures.js';

let scene: InputScene;

const decodedPicture = ({ images: [image] }: ToolAnswer) => decoded(Buffer.from(image?.data ?? '', 'base64'));

beforeAll(async () => {
  scene = await openInputScene();
});
afterAll(() => scene.close());

describe('lists that GTK 4 makes when they open', () => {
  let app: DesktopApp;
  let parent: string;
  const last = async (control: string) => (await app.journal()).findLast((one) => one.control === control)?.value;

  beforeAll(async () => {
    app = await startApp('gtk', scene.env, [], join(APPS, 'gtk4-choices.py'));
    parent = `applications/${app.pid}`;
    await scene.act('wait_element', { parent, role: 'combo box', title: 'Letter', timeout: 60 });
  });
  afterAll(() => app.close());

  test('[req:FD-3] an option is chosen in one call, and one that is not there chooses nothing', async () => {
    for (const [value, number] of [
      ['Gamma', '2'],
      ['Alpha', '0'],
      ['Beta', '1'],
    ] as const) {
      const written = await scene.act('write_element_value', { parent, title: 'Letter', value });
      expect(written.value, written.text).toMatchObject({ value, effect: 'confirmed' });
      await eventually(async () => expect(await last('letter')).toBe(number));
    }
    const refused = await scene.fails('write_element_value', { parent, title: 'Letter', value: 'Delta' });
    expect(refused).toContain('click_element it, then click_element the option');
    expect(await last('letter')).toBe('1');
  });

  test('[req:FD-3] an option is clicked once the list is open, which a picture of the window shows', async () => {
    const { name, ...frame } = await scene.window('Choices');
    await scene.act('click_element', { parent, role: 'combo box', title: 'Letter' });
    await scene.act('wait_element', { parent, title: 'Gamma', timeout: 30 });
    // The list moves while it opens: it is compared once it rests, when the screen shows the same before and after.
    await eventually(async () => {
      const screen = async () => decodedPicture(await scene.act('capture_region_screenshot', frame));
      const before = await screen();
      const window = await scene.act('capture_window_screenshot', { window: name });
      const own = await decodedPicture(window);
      const after = await screen();
      const at = /top left at \((-?\d+), (-?\d+)\)/.exec(window.text)?.slice(1).map(Number) ?? [];
      const part = { x: frame.x - (at[0] ?? 0), y: frame.y - (at[1] ?? 0), width: frame.width, height: frame.height };
      expect(before.rgb.equals(after.rgb) && cut(own, part).equals(after.rgb)).toBe(true);
    });
    await scene.act('click_element', { parent, title: 'Gamma' });
    await eventually(async () => expect(await last('letter')).toBe('2'));
  });

  test('a combo box with a field takes an option and any other text', async () => {
    for (const value of ['Mint', 'Strawberry']) {
      const written = await scene.act('write_element_value', { parent, title: 'Flavour', value });
      expect(written.value, written.text).toMatchObject({ value, effect: 'confirmed' });
      await eventually(async () => expect(await last('flavour')).toBe(value));
    }
  });
});

describe.each(['gtk', 'qt'] as const)('a row of a tree in %s', (kit) => {
  test('is clicked, which selects it and does not open it', async () => {
    const controls = await startControls(kit, scene.env, `Rows ${kit}`);
    const parent = `applications/${controls.pid}`;
    await scene.act('wait_element', { parent, role: 'AXCell', title: 'Animals', timeout: 60 });
    const clicked = await scene.act('click_element', { parent, title: 'Animals' });
    expect(clicked.value, clicked.text).toMatchObject({ method: 'pointer' });
    await eventually(async () => expect(await controls.told('animals', 'clicked')).toHaveLength(1));
    expect(await controls.told('animals', 'opened')).toEqual([]);
    const { elements } = (await scene.act('find_elements', { parent, title: 'Animals' })).value as {
      elements: { role: string; states: string[] }[];
    };
    expect(elements.find(({ role }) => role === 'AXCell')?.states).toContain('selected');
    if (kit === 'qt') {
      // Qt names the row anew at each question, and says of the current tab that it has the focus, too.
      expect((await scene.act('press_key', { key: 'right' })).text).toContain('into “Animals”');
      await eventually(async () => expect(await controls.told('animals', 'expanded')).toEqual(['true']));
    }
    await controls.close();
  });

  test.each(['left', 'right'])('of which the %s half is off the screen is clicked where it shows', async (side) => {
    const title = `Half ${kit} ${side}`;
    const controls = await startControls(kit, scene.env, title);
    const parent = `applications/${controls.pid}`;
    const cell = async () => {
      const found = await scene.act('wait_element', { parent, role: 'AXCell', title: 'Animals', timeout: 60 });
      return (found.value as { element: { frame: { x: number; width: number } } }).element.frame;
    };
    const before = await cell();
    const window = await scene.window(title);
    const { displays } = (await scene.act('list_displays')).value as { displays: { frame: { width: number } }[] };
    const edge = side === 'left' ? 0 : (displays[0]?.frame.width ?? 0);
    const x = Math.round(window.x + edge - before.x - before.width * (side === 'left' ? 0.7 : 0.3));
    await scene.act('move_window', { name: window.name, x, y: window.y });
    await eventually(async () => expect((await cell()).x).not.toBe(before.x));
    await scene.act('click_element', { parent, title: 'Animals' });
    await eventually(async () => expect(await controls.told('animals', 'clicked')).toHaveLength(1));
    await controls.close();
  });
});

describe.each(['gtk', 'qt'] as const)('an act whose effect comes later in %s', (kit) => {
  test('[req:WE-5] is no “no_change”, and a plan that stops where nothing changes waits for it', async () => {
    const controls = await startControls(kit, scene.env, `Later ${kit}`);
    const parent = `applications/${controls.pid}`;
    const step = (title: string) => ({ tool: 'click_element', arguments: { parent, role: 'button', title } });
    const status = (value: string) => scene.act('wait_element', { parent, role: 'label', title: value, timeout: 60 });
    await status('Status 0');
    expect((await scene.act('click_element', step('Later').arguments)).value['effect']).not.toBe('no_change');
    await status('Status 1');
    const stops = { stop_on_no_change: true };
    const waited = await scene.act('run_plan', { steps: [step('Later')], ...stops });
    expect(waited.value['steps']).toMatchObject([{ after: expect.stringContaining('Status 2') }]);
    expect(await scene.fails('run_plan', { steps: [step('Alpha'), step('Later')], ...stops })).toMatch(
      /DESKTOP_ABORTED[^]*"step":1/,
    );
    await controls.close();
  });
});

test('[req:FD-2] a date, a time and both are written in Qt as HTML writes them, or as they show', async () => {
  const controls = await startControls('qt', scene.env, 'Dates');
  const parent = `applications/${controls.pid}`;
  await scene.act('wait_element', { parent, title: 'Start', role: 'spin button', timeout: 60 });
  const said = (control: string, value: string) =>
    eventually(async () => expect((await controls.told(control, 'changed')).at(-1)).toBe(value));
  const written: [string, string, string, string][] = [
    ['Day', '2026-02-04', '4 Feb 2026', '2026-02-04'],
    ['Day', '24 Dec 2026', '24 Dec 2026', '2026-12-24'],
    ['Clock', '14:05', '02:05 PM', '14:05'],
    ['Start', '2026-12-24T14:05:07', '24.12.2026 14:05:07', '2026-12-24T14:05:07'],
  ];
  for (const [title, value, shown, told] of written) {
    const { text, value: result } = await scene.act('write_element_value', { parent, title, value });
    expect(result, text).toMatchObject({ value: shown, effect: 'confirmed' });
    await said(title.toLowerCase(), told);
  }
  const early = await scene.act('write_element_value', { parent, title: 'Day', value: '1990-05-01' });
  expect(early.value, early.text).toMatchObject({ value: '24 Dec 2026', effect: 'no_change' });
  for (const value of ['14:05', '24/12/26', 'tomorrow'])
    expect(await scene.fails('write_element_value', { parent, title: 'Day', value })).toContain('24 Dec 2026');
  await said('day', '2026-12-24');
  await controls.close();
});

test('[req:FD-7] a date or a time is typed into Qt as HTML writes it or as it shows, with the letters of the language', async () => {
  const app = await startApp('qt', scene.env, ['zh'], join(APPS, 'qt-fields.py'));
  const parent = `applications/${app.pid}`;
  await scene.act('wait_element', { parent, title: 'Day', role: 'spin button', timeout: 60 });
  const typed: [string, string, string, string][] = [
    ['Day', '2026-02-04', '04.02.2026', '2026-02-04'],
    ['Day', '24.12.2026', '24.12.2026', '2026-12-24'],
    ['Clock', '14:05', '02:05 下午', '14:05'],
    ['Clock', '09:30 上午', '09:30 上午', '09:30'],
  ];
  const said = async (control: string) => (await app.journal()).findLast((one) => one.control === control)?.value;
  for (const [title, text, shown, told] of typed) {
    await scene.act('click_element', { parent, title });
    const { value: result, text: words } = await scene.act('type_text', { text });
    expect(result, words).toMatchObject({ effect: 'confirmed', after: shown });
    await eventually(async () => expect(await said(title.toLowerCase())).toBe(told));
  }
  await scene.act('type_text', { text: '23:59\t' });
  await eventually(async () => expect(await said('clock')).toBe('23:59'));
  await app.close();
});

describe('a field in a popup', () => {
  let app: DesktopApp;
  let parent: string;
  const last = async (control: string) => (await app.journal()).findLast((one) => one.control === control)?.value;

  test.each(['gtk3', 'gtk4'])('[req:FD-9] of %s is found, clicked, typed into and written', async (kit) => {
    app = await startApp('gtk', scene.env, [], join(APPS, `${kit === 'gtk4' ? 'gtk4-fields' : 'gtk-popover'}.py`));
    parent = `applications/${app.pid}`;
    await scene.act('wait_element', { parent, title: 'Rename', timeout: 60 });
    await scene.act('click_element', { parent, title: 'Rename' });
    await scene.act('wait_element', { parent, title: 'Nickname', timeout: 60 });
    await scene.act('click_element', { parent, title: 'Nickname' });
    const typed = await scene.act('type_text', { text: 'Ann' });
    expect(typed.value, typed.text).toMatchObject({ effect: 'confirmed', after: 'Ann' });
    await eventually(async () => expect(await last('nickname')).toBe('Ann'));
    const written = await scene.act('write_element_value', { parent, title: 'Nickname', value: 'Bob' });
    expect(written.value, written.text).toMatchObject({ effect: 'confirmed', value: 'Bob' });
    await eventually(async () => expect(await last('nickname')).toBe('Bob'));
    await app.close();
  });

  test('[req:FD-9] of Qt is not told: the error names what works, and that does', async () => {
    app = await startApp('qt', scene.env, ['en'], join(APPS, 'qt-fields.py'));
    parent = `applications/${app.pid}`;
    await scene.act('wait_element', { parent, title: 'Label', timeout: 60 });
    await scene.act('click_element', { parent, title: 'Label' });
    expect(await scene.fails('click_element', { parent, title: 'Caption' })).toContain('then type_text');
    const { windows } = (await scene.act('list_windows')).value as {
      windows: { name: string; popup: boolean; frame: { x: number; y: number; width: number; height: number } }[];
    };
    const popup = windows.find((one) => one.popup && one.name.startsWith(parent));
    if (popup === undefined) throw new Error('no popup');
    const { x, y, width, height } = popup.frame;
    await scene.act('click', { x: Math.round(x + width / 2), y: Math.round(y + height / 2) });
    await scene.act('type_text', { text: 'Ann' });
    await eventually(async () => expect(await last('caption')).toBe('Ann'));
    await app.close();
  });
});
