/** Applications whose process ends between two calls, or during one, are told as ended and not as a window that is gone. */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { APPS, startApp, type DesktopApp } from '../../support/desktop-app.js';
import { openInputScene, type InputScene } from '../../support/input-scene.js';
import { eventually } from '../../support/linux-desktop.js';

let scene: InputScene;
let app: DesktopApp;
let parent: string;

beforeAll(async () => {
  scene = await openInputScene();
});
afterAll(() => scene.close());
beforeEach(async () => {
  app = await startApp('gtk', scene.env, [], join(APPS, 'gtk-crash.py'));
  parent = `applications/${app.pid}`;
  await scene.act('wait_element', { parent, title: 'Crash', timeout: 60 });
});
afterEach(() => app.close());

const HAS_ENDED = 'has ended: the application has quit or crashed';
const TELLS = { effect: 'confirmed', after: [expect.stringMatching(/ has ended: it quit or crashed$/)] };

test('[req:FD-8] what crashes when it is clicked is told as ended', async () => {
  expect((await scene.act('click_element', { parent, title: 'Crash' })).value).toMatchObject(TELLS);
});

test('[req:FD-8] what crashes at a key is told as ended', async () => {
  await scene.act('click_element', { parent, title: 'Field' });
  expect((await scene.act('press_key', { key: 'a' })).value).toMatchObject(TELLS);
});

test('[req:FD-8] an application that has crashed since is told as ended by every name', async () => {
  const found = await scene.act('find_elements', { parent, title: 'Field' });
  const { elements } = found.value as { elements: { elementId: string }[] };
  const { name: window } = await scene.window('Fragile');
  process.kill(app.pid, 'SIGSEGV');
  const running = async () => (await scene.act('list_applications')).text;
  await eventually(async () => expect(await running()).not.toContain(parent));
  const calls: [string, Record<string, unknown>][] = [
    ['click_element', { element_id: elements[0]?.elementId }],
    ['click_element', { parent, title: 'Crash' }],
    ['get_element_tree', { parent: window }],
    ['capture_window_screenshot', { window }],
    ['focus_window', { name: window }],
    ['type_text', { application: parent, text: 'a' }],
  ];
  for (const [name, given] of calls) {
    const words = await scene.fails(name, given);
    expect(words, name).toContain(HAS_ENDED);
    expect(words, name).toContain('open_application');
  }
});
