/** Elements that only scrolling hides, in real applications: the card says that it scrolls, and what shows then is what was approved. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TestAgent } from '../../support/agent.js';
import { APPS, startApp, type DesktopApp } from '../../support/desktop-app.js';
import { eventually } from '../../support/linux-desktop.js';
import type { TestHost } from '../../support/host.js';
import { cardOf, settle, type Person } from '../../support/person.js';
import { withPerson } from '../../support/with-person.js';

// Only what hangs is stopped: scrolling takes many looks at an application.
vi.setConfig({ testTimeout: 300_000 });

const SCROLLS = { title: { code: 'title.scroll_then', params: { then: 'press' } } };
let chaperone: TestHost;
let agent: TestAgent;
let person: Person;

withPerson((started) => ({ chaperone, person, agent } = started));

/** The card of a call that asks, and its answer once the person has allowed it. */
async function allowed(name: string, args: Record<string, unknown>) {
  const answer = agent.call(name, args);
  const card = await cardOf(person, answer);
  await settle(person, card, 'allow');
  return { card, answer: await answer };
}

const asked = (): number =>
  person.seen.filter((one) => one.type === 'approvalRequested' && one.approval.effect !== 'disclose').length;

describe('in GTK 3, whose toolkit scrolls to nothing', () => {
  let app: DesktopApp;
  let parent: string;
  const pressed = async (control: string) =>
    (await app.journal()).filter((one) => one.control === control && one.event === 'pressed').length;

  beforeEach(async () => {
    app = await startApp('gtk', chaperone.host.desktopEnv ?? {}, [], join(APPS, 'gtk-scrolled.py'));
    parent = `applications/${app.pid}`;
    expect((await agent.call('wait_element', { parent, title: 'Shown', timeout: 120 })).isError).toBe(false);
  });
  afterEach(() => app.close());

  test('[req:SV-1] a dangerous act on what the person cannot be shown is refused before anybody is asked', async () => {
    const before = asked();
    const answer = await agent.call('click_element', { parent, role: 'button', title: 'Delete' });
    expect(answer.text).toContain('out_of_view');
    expect(asked()).toBe(before);
    expect(await pressed('Delete')).toBe(0);
  });

  test('[req:SV-2] what is called something else once it shows is not pressed', async () => {
    const { card, answer } = await allowed('click_element', { parent, role: 'button', title: 'Renamed' });
    expect(card.subject).toMatchObject(SCROLLS);
    expect(answer.text).toContain('DESKTOP_TARGET_CHANGED');
    expect((await app.journal()).some((one) => one.event === 'pressed')).toBe(false);
  });

  test('[req:SV-3] the wheel turns beside spinners and sliders, and the button that comes into view is pressed', async () => {
    const { card, answer } = await allowed('click_element', { parent, role: 'button', title: 'Last' });
    expect(card.subject).toMatchObject(SCROLLS);
    expect(card.picture).not.toBeNull();
    expect(answer.value).toMatchObject({ clicked: true });
    await eventually(async () => expect(await pressed('Last')).toBe(1));
    expect((await app.journal()).filter((one) => one.event === 'changed')).toEqual([]);
  });

  test('[req:SV-3] a field out of view is scrolled to and written', async () => {
    const { answer } = await allowed('write_element_value', { parent, title: 'Far field', value: 'written' });
    expect(answer.value).toMatchObject({ written: true, value: 'written' });
    const changed = (await app.journal()).filter((one) => one.event === 'changed');
    expect(new Set(changed.map((one) => one.control))).toEqual(new Set(['far field']));
  });

  test('[req:SV-4] what another tab hides is no element to scroll to', async () => {
    const answer = await agent.call('click_element', { parent, role: 'button', title: 'On another page' });
    expect(answer.text).toContain('not_usable');
  });
});

describe('in Chromium, which scrolls to an element when it is asked', () => {
  const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Long</title>
    <h1>Long page</h1><div style="height:2500px"></div>
    <div style="overflow:auto;height:120px;width:300px"><div style="height:600px"></div>
    <button onclick="document.title = 'nested=1'">Nested one</button></div><div style="height:2500px"></div></html>`;
  let browser: ChildProcess;
  let folder: string;
  let parent = '';
  const title = async (): Promise<string> => {
    const { windows } = (await agent.call('list_windows', {})).value as { windows: { name: string; title: string }[] };
    return windows.find(({ name }) => name === parent)?.title ?? '';
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chaperone-browser-'));
    await writeFile(join(folder, 'long.html'), HTML);
    browser = spawn(
      '/usr/bin/chromium',
      [
        '--no-sandbox',
        '--no-first-run',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        `--user-data-dir=${join(folder, 'profile')}`,
        `file://${join(folder, 'long.html')}`,
      ],
      { env: { ...chaperone.host.desktopEnv, PATH: '/usr/bin:/bin' }, stdio: 'ignore', detached: true },
    );
    parent = await eventually(async () => {
      const { windows } = (await agent.call('list_windows', {})).value as {
        windows: { name: string; title: string }[];
      };
      const found = windows.find((one) => one.title.startsWith('Long'));
      if (found === undefined) throw new Error('no browser window yet');
      return found.name;
    });
    expect((await agent.call('wait_element', { parent, title: 'Long page', timeout: 120 })).isError).toBe(false);
  });
  afterAll(async () => {
    const ended = once(browser, 'exit');
    if (browser.pid !== undefined) process.kill(-browser.pid, 'SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  test('[req:SV-5] a button below the fold, in a part that scrolls by itself, is scrolled to and pressed', async () => {
    const { card, answer } = await allowed('click_element', { parent, role: 'button', title: 'Nested one' });
    expect(card.subject).toMatchObject(SCROLLS);
    expect(answer.value).toMatchObject({ clicked: true });
    await eventually(async () => expect(await title()).toContain('nested=1'));
  });
});
