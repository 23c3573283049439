/** What only a part of shows, and rows that are scrolled away, judged by what the applications write down. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { APPS, startApp, type DesktopApp } from '../../support/desktop-app.js';
import { openInputScene, type InputScene } from '../../support/input-scene.js';
import { eventually } from '../../support/linux-desktop.js';

// Only what hangs is stopped: scrolling takes many looks at an application.
vi.setConfig({ testTimeout: 300_000 });

let scene: InputScene;
let app: DesktopApp;
let parent: string;

beforeAll(async () => {
  scene = await openInputScene();
});
afterAll(() => scene.close());

async function open(kit: 'gtk4' | 'qt', first: string): Promise<void> {
  app = await startApp(
    kit === 'qt' ? 'qt' : 'gtk',
    scene.env,
    kit === 'qt' ? ['--lists'] : [],
    join(APPS, `${kit}-fields.py`),
  );
  parent = `applications/${app.pid}`;
  await scene.act('wait_element', { parent, title: first, timeout: 60 });
}

const last = async (control: string) => (await app.journal()).findLast((one) => one.control === control)?.value;
const click = (title: string, more = {}) => scene.act('click_element', { parent, title, ...more });
/** Clicks it, and waits until the application says so. */
async function reaches(control: string, title: string, told = title): Promise<void> {
  await click(title);
  await eventually(async () => expect(await last(control)).toBe(told));
}

describe('in GTK 4', () => {
  beforeAll(() => open('gtk4', 'Line 1'));
  afterAll(() => app.close());

  test('[req:FD-4] what is half scrolled away is clicked where it shows', async () => {
    await reaches('under', 'Under the edge', 'clicked');
  });

  test('[req:FD-5] a row that is scrolled away is scrolled to, also where others that show have its name in theirs', async () => {
    await reaches('rows', 'Row 30');
    await reaches('rows', 'Row 3');
    await reaches('list', 'Line 60');
  });

  test('[req:FD-5] a cell is scrolled to, and rows that were scrolled away are not told as shown', async () => {
    await reaches('columns', 'Size of Line 30', 'Line 30');
    const { value } = await scene.act('find_elements', { parent, title: 'Name of Line' });
    const { elements } = value as { elements: { title: string }[] };
    expect(elements.map(({ title }) => title)).toContain('Name of Line 30');
    // Five of them at most fit.
    expect(elements.length).toBeLessThan(6);
  });

  test('[req:FD-6] an expander is clicked by its text', async () => {
    await reaches('details', 'Details', 'true');
    await reaches('details', 'Details', 'false');
  });

  test('[req:FD-4] what is half off the screen is clicked where it shows', async () => {
    const window = await scene.window('Fields');
    await scene.act('move_window', { name: window.name, x: Math.round(-0.7 * window.width), y: 40 });
    await eventually(async () => expect((await scene.window('Fields')).x).toBeLessThan(0));
    await reaches('over', 'Over the edge', 'clicked');
    await reaches('rows', 'Row 2');
  });
});

describe('in Qt', () => {
  beforeAll(() => open('qt', 'Line 1'));
  afterAll(() => app.close());

  test('[req:FD-5] rows of lists and trees, and cells of tables, are scrolled to in both directions', async () => {
    await reaches('rows', 'Line 40');
    await reaches('kinds', 'Kind 30');
    await reaches('cells', 'Cell 9 K');
    await reaches('cells', 'Cell 1 A');
  });
});

describe('in Chromium', () => {
  const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Half</title><body style="margin:0">
    <div role="grid" style="height:60px;overflow:auto;width:200px">${['First', 'Second', 'Third']
      .map((name) => `<div role="row" style="height:40px" onclick="document.title='Half ${name}'">${name} row</div>`)
      .join('')}</div><div onclick="document.title='Half wrong'" style="height:200px"></div></html>`;
  let browser: ChildProcess;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chaperone-browser-'));
    await writeFile(join(folder, 'half.html'), HTML);
    const flags = ['--no-sandbox', '--no-first-run', '--disable-gpu', '--disable-dev-shm-usage'];
    browser = spawn(
      '/usr/bin/chromium',
      [...flags, `--user-data-dir=${join(folder, 'profile')}`, `file://${join(folder, 'half.html')}`],
      { env: { ...scene.env, PATH: '/usr/bin:/bin' }, stdio: 'ignore', detached: true },
    );
    parent = (await scene.window('Half - Chromium')).name;
    await scene.act('wait_element', { parent, title: 'First row', timeout: 120 });
  });
  afterAll(async () => {
    const ended = once(browser, 'exit');
    if (browser.pid !== undefined) process.kill(-browser.pid, 'SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  test('[req:FD-4] a row that is half scrolled away is clicked where it shows, and a hidden one once it is scrolled to', async () => {
    for (const name of ['Second', 'Third', 'First']) {
      await click(`${name} row`, { role: 'row' });
      await scene.window(`Half ${name} - Chromium`);
    }
  });
});
