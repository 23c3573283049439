import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.js';
import type { TestHost } from '../support/host.js';
import type { Person } from '../support/person.js';
import { withPerson } from '../support/with-person.js';

const APP = join(import.meta.dirname, '../support/apps/gtk-restless.py');
let chaperone: TestHost;
let agent: TestAgent;
let person: Person;
let parent: string;
let end = () => {};

withPerson((started) => ({ chaperone, person, agent } = started));
beforeAll(async () => {
  const env = { ...chaperone.host.desktopEnv, PATH: '/usr/bin:/bin' };
  const app = spawn('/usr/bin/python3', [APP], { env, stdio: 'ignore' });
  end = () => app.kill('SIGKILL');
  parent = `applications/${app.pid ?? 0}`;
});
afterAll(async () => {
  end();
});

async function press(title: string) {
  const found = await agent.call('wait_element', { parent, role: 'AXButton', title, timeout: 20 });
  if (found.isError) throw new Error(found.text);
  const { elementId } = found.value['element'] as { elementId: string };
  const work = agent.call('click_element', { element_id: elementId });
  await person.answer('allow');
  const { isError, text, value } = await work;
  if (isError) throw new Error(text);
  return value;
}

/** What stays the same for three seconds of the application's clock is known not to change by itself. */
async function readForThreeSeconds() {
  const seconds = async () => {
    const { text } = await agent.call('get_element_tree', { parent });
    expect(text).toMatch(/\d+ seconds/);
    return Number(/(\d+) seconds/.exec(text)?.[1]);
  };
  const end = (await seconds()) + 3;
  while ((await seconds()) < end);
}

test('[req:TR-6] beside a clock and a progress bar, a button that does nothing confirms nothing', async () => {
  expect(await press('Nothing')).toMatchObject({ method: 'accessibility', effect: 'unverified' });
});

test('[req:TR-6] beside a clock and a progress bar, what the button did is confirmed, and nothing else is told', async () => {
  await readForThreeSeconds();
  expect(await press('Count')).toMatchObject({ effect: 'confirmed', after: ['AXStaticText “Counted 1”'] });
});
