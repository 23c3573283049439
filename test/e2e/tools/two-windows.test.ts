/** An application with two windows and a popup, real and slow to start: found, read and clicked in all of them. The application's own journal judges. */
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import type { TestAgent } from '../../support/agent.js';
import { APPS, startApp, type DesktopApp } from '../../support/desktop-app.js';
import { eventually } from '../../support/eventually.js';
import type { TestHost } from '../../support/host.js';
import type { Person } from '../../support/person.js';
import { withPerson } from '../../support/with-person.js';

// Only what hangs is stopped.
vi.setConfig({ testTimeout: 300_000 });

let chaperone: TestHost;
let agent: TestAgent;
let person: Person;
let app: DesktopApp;
let parent: string;

withPerson((started) => ({ chaperone, person, agent } = started));
afterAll(() => app?.close());

async function looked(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const answer = await agent.call(name, args);
  if (answer.isError) throw new Error(answer.text);
  return answer.value;
}

async function allowed(name: string, args: Record<string, unknown>) {
  const work = agent.call(name, args);
  const card = await Promise.race([person.answer('allow'), work.then(({ text }) => Promise.reject(new Error(text)))]);
  return { card, answer: await work };
}

const pressed = async (control: string) =>
  (await app.journal()).filter((one) => one.control === control && one.event === 'pressed').length;

const named = async (title: string): Promise<string> => {
  const { windows } = (await looked('list_windows', { parent })) as { windows: { name: string; title: string }[] };
  return windows.find((one) => one.title === title)?.name ?? `no window ${title}`;
};

async function focus(title: string): Promise<void> {
  const { answer } = await allowed('focus_window', { name: await named(title) });
  expect(answer.text).not.toContain('DESKTOP_');
}

async function matchesOf(text: string) {
  const { matches } = await looked('find_text', { text, parent });
  return matches as { x: number; y: number; window: string; covered_by?: string }[];
}

test('[req:TA-2] an application that still starts is waited for, and then clicked', async () => {
  app = await startApp('gtk', chaperone.host.desktopEnv ?? {}, ['--sleep', '3'], join(APPS, 'gtk-two.py'));
  parent = `applications/${app.pid}`;
  const { answer } = await allowed('click_element', { parent, role: 'button', title: 'Sunset' });
  expect(answer.isError, answer.text).toBe(false);
  await eventually(async () => expect(await pressed('Sunset')).toBe(1));
});

test('[req:TA-1] text is found in every window, front to back, and clicked in the lower one where nothing covers it', async () => {
  await focus('Upper');
  expect((await matchesOf('Sunset')).map((one) => one.window)).toEqual([await named('Lower')]);
  expect((await matchesOf('Harvest')).map((one) => one.window)).toEqual([await named('Upper')]);
  const { answer } = await allowed('click_text', { text: 'Orchard', parent });
  expect(answer.isError, answer.text).toBe(false);
  await eventually(async () => expect(await pressed('Orchard')).toBe(1));
});

test('[req:TA-1] covered text is told with what covers it, and not clicked', async () => {
  const [{ y = 0 } = {}] = await matchesOf('Sunset');
  await allowed('move_window', { name: await named('Upper'), x: 60, y: y - 30 });
  await focus('Upper');
  const cover = `(${await named('Upper')})`;
  await eventually(async () => {
    const [match] = await matchesOf('Sunset');
    expect(match?.covered_by).toContain(cover);
  });
  const answer = await agent.call('click_text', { text: 'Sunset', parent });
  expect(answer.isError).toBe(true);
  expect(answer.text).toContain('covered by a window of');
  expect(answer.text).toContain(cover);
  expect(await pressed('Sunset')).toBe(1);
});

test('[req:TA-3] a popup that no window manager handles is clicked while another application has the focus', async () => {
  const other = await startApp('gtk', chaperone.host.desktopEnv ?? {}, ['--title', 'Elsewhere', '--place', '60,420']);
  try {
    await looked('wait_element', { parent: `applications/${other.pid}`, title: 'Send', timeout: 120 });
    await eventually(async () => {
      const { windows } = (await looked('list_windows', {})) as { windows: { title: string; focused: boolean }[] };
      expect(windows.find(({ focused }) => focused)?.title).toBe('Elsewhere');
    });
    const [{ x, y } = { x: 0, y: 0 }] = await matchesOf('Snooze');
    for (const [index, [tool, args]] of [
      ['click', { x, y }],
      ['click_text', { text: 'Snooze', parent }],
    ].entries()) {
      const { answer } = await allowed(tool as string, args as Record<string, unknown>);
      expect(answer.isError, answer.text).toBe(false);
      await eventually(async () => expect(await pressed('Snooze')).toBe(index + 1));
    }
  } finally {
    await other.close();
  }
});
