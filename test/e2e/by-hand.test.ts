/** Take over through the real page in Chromium: what mouse, touch, keys and an input method do arrives on the agent's own desktop, as an application there writes it down. */
import type { CDPSession, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.js';
import { startHost, type TestHost } from '../support/host.js';
import { environmentOf, pidOf } from '../support/own-desktop.js';
import { keepPicture } from '../support/keep-picture.js';
import { startPageBrowser, type PageBrowser } from '../support/page-browser.js';
import { complaints, eventually } from '../support/page-test.js';
import { openRawWindow, type RawEvent, type RawWindow } from '../support/sentinel.js';

let browser: PageBrowser;
let chaperone: TestHost;
let agent: TestAgent;
let page: Page;
let touch: CDPSession;
let raw: RawWindow;
let problems: string[];

beforeAll(async () => {
  browser = await startPageBrowser();
  chaperone = await startHost({
    backend: 'linux',
    display: 'virtual',
    assets: browser.dir,
    acceptSyntheticInput: true,
  });
  ({ page, problems } = await browser.open({ hasTouch: true, viewport: { width: 1000, height: 900 } }));
  await page.goto(chaperone.host.pairingLink());
  await page.locator('#views').waitFor();
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace, args: ['--desktop', 'own'] });
  const opening = agent.call('open_application', { application_id: 'galculator' });
  await page.getByRole('button', { name: /^Its own desktop/ }).click({ delay: 50 });
  const opened = await opening;
  expect(opened.isError, opened.text).toBe(false);
  const env = Object.fromEntries(await environmentOf(pidOf(opened)));
  raw = await openRawWindow(env, { place: { x: 0, y: 0 }, size: { width: 1600, height: 700 } });
  while (!(await agent.call('list_windows')).text.includes(raw.title)) await page.waitForTimeout(100);
  touch = await page.context().newCDPSession(page);
}, 120_000);
afterAll(async () => {
  await raw.close();
  await agent.close();
  await browser.close();
  await chaperone.close();
  expect(problems).toEqual([]);
});

const tile = () => page.locator('.own-desktop');
const picture = () => tile().locator('img');
const take = async () => {
  await page.getByRole('button', { name: 'Take over' }).click();
  await page.locator('.by-hand').waitFor();
  await picture().scrollIntoViewIfNeeded();
};
const handBack = async () => {
  await page.getByRole('button', { name: 'Hand back' }).click();
  await page.locator('.by-hand').waitFor({ state: 'detached' });
};
const isLast = async (event: RawEvent['event']) => (await raw.events(event)).at(-1);

beforeEach(async () => {
  await take();
  const { x, y } = await at(0.2, 0.2);
  // The window has the keyboard.
  await page.mouse.click(x, y);
  await eventually(async () => (await raw.events('release')).length).toBeGreaterThan(0);
  await raw.forget();
});
afterEach(async () => {
  if ((await page.locator('.by-hand').count()) > 0) await handBack();
  await raw.forget();
});

/** A place of the picture in the page, by parts of it. */
async function at(across: number, down: number): Promise<{ x: number; y: number }> {
  const box = await picture().boundingBox();
  if (box === null) throw new Error('no picture');
  return { x: box.x + across * box.width, y: box.y + down * box.height };
}

/** The same place there. */
async function there(across: number, down: number): Promise<{ x: number; y: number }> {
  const { value } = await displays();
  return { x: Math.round(across * (value.width - 1)), y: Math.round(down * (value.height - 1)) };
}

/** Known from the picture, which shows the whole display. */
async function displays() {
  const box = await picture().evaluate((img) => [img.getAttribute('width'), img.getAttribute('height')].map(Number));
  return { value: { width: SCREEN.width, height: Math.round((SCREEN.width * (box[1] ?? 0)) / (box[0] ?? 1)) } };
}
const SCREEN = { width: 1920 };

const near = (event: RawEvent | undefined, place: { x: number; y: number }, by = 3) => {
  expect(Math.abs((event?.x ?? -99) - place.x), JSON.stringify(event)).toBeLessThanOrEqual(by);
  expect(Math.abs((event?.y ?? -99) - place.y), JSON.stringify(event)).toBeLessThanOrEqual(by);
};

type Point = { x: number; y: number };
const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel', ...touchPoints: Point[]) =>
  touch.send('Input.dispatchTouchEvent', { type, touchPoints });

/** What was pressed there has been let go of. */
async function nothingHeld(): Promise<void> {
  const { x, y } = await at(0.5, 0.3);
  await eventually(async () => (await raw.events('release')).length).toBe((await raw.events('press')).length);
  await eventually(async () => (await raw.events('keyup')).length).toBe((await raw.events('keydown')).length);
  if ((await page.locator('.by-hand').count()) === 0) await take();
  await raw.forget();
  await page.mouse.move(x, y);
  await eventually(() => isLast('motion')).toMatchObject({ held: [], modifiers: [] });
}

describe('the pointer', () => {
  test('a click, a right click and a double click arrive where they were made', async () => {
    const place = await at(0.3, 0.25);
    await page.mouse.click(place.x, place.y);
    await page.mouse.click(place.x, place.y, { button: 'right' });
    await page.mouse.dblclick(place.x, place.y);
    await eventually(async () => (await raw.events('release')).length).toBe(4);
    const presses = await raw.events('press');
    expect(presses.map(({ button }) => button)).toEqual([1, 3, 1, 1]);
    for (const press of presses) near(press, await there(0.3, 0.25));
    expect(await raw.events('double')).toHaveLength(1);
    await nothingHeld();
  });

  test('keys that are held with a click are held there, and not longer', async () => {
    const place = await at(0.4, 0.3);
    await page.keyboard.down('Control');
    await page.keyboard.down('Shift');
    await page.mouse.down({ button: 'left' });
    await page.mouse.up({ button: 'left' });
    await page.mouse.move(place.x, place.y);
    await page.mouse.down();
    await page.keyboard.up('Shift');
    await page.keyboard.up('Control');
    await page.mouse.up();
    await eventually(async () => (await raw.events('release')).length).toBe(2);
    for (const press of await raw.events('press')) expect(press.modifiers).toEqual(['shift', 'ctrl']);
    await nothingHeld();
  });

  test('the wheel scrolls there and not the page, also by the few pixels of a touchpad', async () => {
    const before = await page.evaluate(() => window.scrollY);
    const place = await at(0.3, 0.3);
    await page.mouse.move(place.x, place.y);
    await page.mouse.wheel(0, 120);
    for (let step = 0; step < 33; step += 1) await page.mouse.wheel(0, -4);
    await eventually(async () => (await raw.events('scroll')).map(({ direction }) => direction)).toEqual(['down', 'down', 'down', 'up', 'up', 'up']); // prettier-ignore
    expect(await page.evaluate(() => window.scrollY)).toBe(before);
  });

  test('ten seconds of moving is one connection, and ends where the pointer is', async () => {
    for (let step = 0; step < 300; step += 1) {
      const { x, y } = await at(0.1 + 0.5 * ((step % 50) / 50), 0.1 + 0.3 * ((step % 30) / 30));
      await page.mouse.move(x, y);
      await page.waitForTimeout(20);
    }
    const end = await at(0.33, 0.21);
    await page.mouse.move(end.x, end.y);
    await eventually(async () => near(await isLast('motion'), await there(0.33, 0.21)) === undefined).toBe(true);
    expect(await page.locator('.by-hand').count()).toBe(1);
    await expect.poll(() => page.getByText('too many').count()).toBe(0);
  });
});

describe('touch', () => {
  test('a tap is a click at its place', async () => {
    const place = await at(0.25, 0.35);
    await finger('touchStart', place);
    await finger('touchEnd');
    await eventually(async () => (await raw.events('release')).length).toBe(1);
    const [press] = await raw.events('press');
    expect(press?.button).toBe(1);
    near(press, await there(0.25, 0.35));
    await nothingHeld();
  });

  test('a drag is a drag, scrolls no page, and a second finger does nothing', async () => {
    const scrolled = await page.evaluate(() => window.scrollY);
    await finger('touchStart', await at(0.1, 0.4));
    for (let step = 1; step <= 8; step += 1) {
      await finger('touchMove', await at(0.1 + 0.05 * step, 0.4 - 0.03 * step));
      await page.waitForTimeout(30);
    }
    await finger('touchStart', await at(0.5, 0.16), await at(0.2, 0.2));
    await finger('touchEnd', await at(0.5, 0.16));
    await finger('touchEnd');
    await eventually(async () => (await raw.events('release')).length).toBe(1);
    near((await raw.events('press'))[0], await there(0.1, 0.4));
    near((await raw.events('release'))[0], await there(0.5, 0.16));
    const held = (await raw.events('motion')).filter((motion) => motion.held?.includes(1));
    expect(held.length).toBeGreaterThan(3);
    expect(await raw.events('press')).toHaveLength(1);
    expect(await page.evaluate(() => window.scrollY)).toBe(scrolled);
    await nothingHeld();
  });

  test('a touch that the browser takes away lets go', async () => {
    await finger('touchStart', await at(0.2, 0.3));
    await eventually(async () => (await raw.events('press')).length).toBe(1);
    await finger('touchCancel');
    await eventually(async () => (await raw.events('release')).length).toBe(1);
    await nothingHeld();
  });
});

describe('keys and text', () => {
  const downs = async () => (await raw.events('keydown')).map(({ key, text, modifiers }) => ({ key, text, modifiers }));

  test('letters, capitals, named keys and combinations', async () => {
    await page.keyboard.type('aZ?');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+Shift+z');
    await page.keyboard.press('Alt+x');
    await page.keyboard.press('Enter');
    await eventually(async () => (await downs()).at(-1)?.key).toBe('Return');
    const seen = (await downs()).filter(({ key }) => !/^(Shift|Control|Alt)_/.test(key ?? ''));
    expect(seen.slice(0, 3).map(({ text }) => text)).toEqual(['a', 'Z', '?']);
    expect(seen.slice(3).map(({ key, modifiers }) => [key, modifiers])).toEqual([
      ['Left', []],
      ['Right', ['shift']],
      ['a', ['ctrl']],
      ['Z', ['shift', 'ctrl']],
      ['x', ['alt']],
      ['Return', []],
    ]);
    await nothingHeld();
  });

  test('what an input method composes, and text of any script, arrives once and whole', async () => {
    await touch.send('Input.imeSetComposition', { text: 'ni', selectionStart: 2, selectionEnd: 2 });
    await touch.send('Input.imeSetComposition', { text: '你', selectionStart: 1, selectionEnd: 1 });
    await touch.send('Input.insertText', { text: '你好' });
    await page.keyboard.insertText('ñ🙂Ж');
    await eventually(async () => (await downs()).map(({ text }) => text).join('')).toBe('你好ñ🙂Ж');
    expect(await page.locator('.by-hand-keys').inputValue()).toBe('');
    await nothingHeld();
  });

  test('the field for secrets sends its text whole and keeps nothing of it', async () => {
    const field = page.getByLabel(/type here and press Enter/);
    await field.fill('Pä$$ wörd');
    await field.press('Enter');
    await eventually(async () => (await downs()).map(({ text }) => text).filter((text) => text !== '').join('')).toBe('Pä$$ wörd'); // prettier-ignore
    expect(await field.inputValue()).toBe('');
    await nothingHeld();
  });

  test('keys of the page are no keys of the page there, and Shift+Tab leaves', async () => {
    await page.keyboard.type('d?');
    await eventually(async () => (await downs()).length).toBeGreaterThanOrEqual(2);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Tab');
    await eventually(async () => (await downs()).at(-1)?.key).toBe('Tab');
    expect(await page.locator('.by-hand-keys').evaluate((field) => field === document.activeElement)).toBe(true);
    await keepPicture(page, 'by-hand');
    expect(await complaints(page)).toEqual([]);
    await page.keyboard.press('Shift+Tab');
    expect(await page.locator('.by-hand-keys').evaluate((field) => field === document.activeElement)).toBe(false);
  });
});

describe('in the middle of a drag nothing stays pressed', () => {
  const begin = async () => {
    await page.keyboard.down('Control');
    const from = await at(0.2, 0.2);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    const to = await at(0.4, 0.3);
    await page.mouse.move(to.x, to.y, { steps: 5 });
    await eventually(async () => (await raw.events('press')).length).toBe(1);
    await page.keyboard.up('Control');
  };

  test('when it is handed back', async () => {
    await begin();
    await page
      .getByRole('button', { name: 'Hand back' })
      .evaluate((button) => button instanceof HTMLElement && button.click());
    await eventually(async () => (await raw.events('release')).length).toBe(1);
    await page.mouse.up();
    await nothingHeld();
  });

  test('when the page is closed, which keeps it from the agent', async () => {
    await begin();
    await page.reload();
    await page.locator('#views').waitFor();
    await eventually(async () => (await raw.events('release')).length).toBe(1);
    await page.mouse.up();
    const late = await agent.call('type_text', { text: 'late' });
    expect(late.isError).toBe(true);
    await page.getByText('You took this desktop over').waitFor();
    await nothingHeld();
    expect(await raw.events('keydown')).toEqual([]);
  });
});
