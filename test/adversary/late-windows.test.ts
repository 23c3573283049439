/** Plans and macros whose last step has no target yet, on a real display: windows and programs that take the place of approved ones. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TestAgent, ToolAnswer } from '../support/agent.js';
import { APPS, startApp, type DesktopApp } from '../support/desktop-app.js';
import { holdTimers } from '../support/held-timers.js';
import { eventually } from '../support/linux-desktop.js';
import type { TestHost } from '../support/host.js';
import { cardOf, settle, type Person } from '../support/person.js';
import { withPerson } from '../support/with-person.js';

const ID = 'gtk-replaced.py';
const GO_ON = { tool: 'click_element', arguments: { parent: ID, role: 'button', title: 'Go on' } };
const LEAVE = { tool: 'click_element', arguments: { parent: ID, role: 'button', title: 'Leave' } };
const WAIT = { tool: 'wait_element', arguments: { parent: ID, role: 'button', title: 'Leave', timeout: 60 } };

let chaperone: TestHost;
let agent: TestAgent;
let person: Person;
let app: DesktopApp;

withPerson((started) => ({ chaperone, person, agent } = started));
beforeEach(async () => {
  app = await start();
});
afterEach(() => app.close());

/** As the window manager lists them: the agent’s own calls wait behind its card. */
function titles(): string[] {
  const list = execFileSync('wmctrl', ['-l'], { env: chaperone.host.desktopEnv ?? {}, encoding: 'utf8' });
  return ['Greeting', 'Letter', 'Notes'].filter((title) => list.includes(` ${title}\n`));
}

async function start(): Promise<DesktopApp> {
  const started = await startApp('gtk', chaperone.host.desktopEnv ?? {}, [], join(APPS, ID));
  const found = await agent.call('wait_element', {
    parent: `applications/${started.pid}`,
    title: 'Go on',
    timeout: 30,
  });
  if (found.isError) throw new Error(found.text);
  return started;
}

const pressed = async () => (await app.journal()).map(({ control }) => control);
const began = () => eventually(async () => expect(await pressed()).toEqual(['Go on']));

async function allowed(act: Promise<ToolAnswer>, meanwhile: () => Promise<unknown>): Promise<ToolAnswer> {
  const card = await cardOf(person, act);
  await meanwhile();
  await settle(person, card, 'allow');
  return act;
}

const swap = async () => {
  process.kill(app.pid, 'SIGUSR1');
  await eventually(async () => expect(titles()).toEqual(['Greeting', 'Letter']));
};

test('[req:LW-1] a window that took the place of another while the person was asked: nothing of the plan is done', async () => {
  const answer = await allowed(agent.call('run_plan', { steps: [GO_ON, LEAVE] }), swap);
  expect(answer.text).toContain('DESKTOP_TARGET_CHANGED');
  expect(await pressed()).toEqual([]);
}, 120_000);

test('[req:LW-1] the same for a macro', async () => {
  const made = await agent.call('create_macro', { display_name: 'Leave it', steps: [GO_ON, LEAVE] });
  const answer = await allowed(agent.call('execute_macro', { macro: made.value['name'] }), swap);
  expect(answer.text).toContain('DESKTOP_TARGET_CHANGED');
  expect(await pressed()).toEqual([]);
}, 120_000);

test('[req:LW-2] a window that takes the place of an approved one while the plan runs is not acted in', async () => {
  const work = agent.call('run_plan', { steps: [GO_ON, WAIT, LEAVE] });
  void began().then(() => process.kill(app.pid, 'SIGUSR1'));
  const answer = await allowed(work, async () => undefined);
  expect(answer.text).toContain('DESKTOP_TARGET_CHANGED: Step 3');
  expect(await pressed()).toEqual(['Go on']);
}, 120_000);

test('one that opens besides the approved windows while the plan runs is what a late step is for', async () => {
  const work = agent.call('run_plan', { steps: [GO_ON, WAIT, LEAVE] });
  void began().then(() => process.kill(app.pid, 'SIGUSR2'));
  const answer = await allowed(work, async () => undefined);
  expect(answer.isError, answer.text).toBe(false);
  expect(await pressed()).toEqual(['Go on', 'Leave']);
}, 120_000);

test('[req:LW-2] another process of the same program is not acted in', async () => {
  const wait = holdTimers(5_500);
  const work = agent.call('run_plan', { steps: [GO_ON, { tool: 'wait', arguments: { duration: 5.5 } }, LEAVE] });
  const replaced = began().then(async () => {
    await app.close();
    app = await startApp('gtk', chaperone.host.desktopEnv ?? {}, [], join(APPS, ID));
    await eventually(async () => expect(titles()).toEqual(['Letter', 'Notes']));
    process.kill(app.pid, 'SIGUSR2');
    await eventually(async () => expect(titles()).toEqual(['Greeting', 'Letter', 'Notes']));
    // A wait that began a millisecond late runs out by itself.
    await Promise.race([wait.end(), work]);
  });
  const answer = await allowed(work, async () => undefined);
  await replaced;
  expect(answer.text).toContain('DESKTOP_TARGET_CHANGED: Step 3');
  expect(await pressed()).toEqual([]);
}, 120_000);
