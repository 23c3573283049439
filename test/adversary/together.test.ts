/** An agent that sends several calls at once, to have one press allow more than the person read. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Card, SeenCard } from '../../src/main/protocol/index.js';
import { startAgent, type TestAgent } from '../support/agent.js';
import { startApp, type DesktopApp } from '../support/desktop-app.js';
import { eventually } from '../support/eventually.js';
import { realPresses, startHost, type TestHost } from '../support/host.js';
import { openPage, press, settle, type Person } from '../support/person.js';

let chaperone: TestHost;
let person: Person;
let app: DesktopApp;
let agent: TestAgent;

beforeAll(async () => {
  chaperone = await startHost({ backend: 'linux', display: 'virtual', ...realPresses });
  app = await startApp('gtk', chaperone.host.desktopEnv ?? {}, ['--title', 'Letter']);
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
}, 120_000);
afterAll(async () => {
  person.close();
  await app.close();
  await chaperone.close();
});
// Another agent each time: nothing is remembered for it.
beforeEach(async () => {
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace, ownProcess: true });
});
afterEach(async () => {
  // Ends what is open without counting as denials.
  person.send({ type: 'pause', on: true });
  await eventually(() => open().length).toBe(0);
  person.send({ type: 'pause', on: false });
  await agent.close();
});

/** What a page shows now, oldest first. */
function open(): Card[] {
  const ended = new Set(person.seen.flatMap((one) => (one.type === 'approvalResolved' ? [one.id] : [])));
  const asked = person.seen.flatMap((one) => (one.type === 'approvalRequested' ? [one.approval] : []));
  return asked.filter(({ id }) => !ended.has(id));
}

const NONE: SeenCard = { id: '', digest: '' };
const seen = ({ id, digest }: Card): SeenCard => ({ id, digest });

/** One press on all of these, as the page sends it. */
function allow([first, ...others]: readonly SeenCard[]): void {
  if (first === undefined) throw new Error('nothing is shown');
  const all = { ...first, with: others };
  person.send({ type: 'press', ...all });
  person.send({ type: 'approval', ...all, decision: 'allow' });
}

const refusals = () => person.seen.flatMap((one) => (one.type === 'error' ? [one.code] : []));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const region = (x: number) => agent.call('capture_region_screenshot', { x, y: 10, width: 40, height: 40 });
const isOver = async (call: Promise<unknown>) =>
  Promise.race([
    call.then(
      () => true,
      () => true,
    ),
    pause(700),
  ]);
const presses = async () => (await app.journal()).filter(({ event }) => event === 'pressed').length;

test('[req:TG-2] a click among the looks stands alone: the press that allows them does not allow it', async () => {
  const parent = `applications/${app.pid}`;
  const looks = [agent.call('list_windows'), agent.call('get_element_tree', { parent })];
  const click = agent.call('click_element', { parent, role: 'button', title: 'Send' });
  await eventually(() => open().length).toBe(2);
  await pause(3_500);
  expect(open().map(({ effect }) => effect)).toEqual(['disclose', 'disclose']);
  allow(open().map(seen));
  for (const look of looks) expect(await look).toMatchObject({ isError: false });
  await eventually(() => open().map(({ tool }) => tool)).toEqual(['click_element']);
  expect(open()[0]?.group).toBeUndefined();
  expect(await presses()).toBe(0);
  await settle(person, open().map(seen)[0] ?? NONE, 'deny');
  expect(await click).toMatchObject({ isError: true });
  expect(await presses()).toBe(0);
});

test('[req:TG-3] a call sent right before the press is not covered by it, and spoils the press', async () => {
  const before = refusals().length;
  const looks = [region(0), region(50)];
  await eventually(() => open().length).toBe(2);
  const read = open().map(seen);
  await pause(700);
  const late = region(100);
  await eventually(() => open().length).toBe(3);
  allow(read);
  await eventually(() => refusals().slice(before)).toEqual(['too_soon']);
  await pause(600);
  allow(read);
  for (const look of looks) expect(await look).toMatchObject({ isError: false });
  expect(await isOver(late)).toBeUndefined();
  expect(open()).toHaveLength(1);
});

test('[req:TG-4] one that ends as the press comes leaves the others unanswered', async () => {
  const before = refusals().length;
  const looks = [region(0), region(50)];
  await eventually(() => open().length).toBe(2);
  const read = open().map(seen);
  await pause(700);
  press(person, read[1] ?? NONE, 'deny');
  allow(read);
  expect(await Promise.race(looks)).toMatchObject({ isError: true });
  await eventually(() => refusals().slice(before)).toEqual(['settled']);
  await pause(700);
  expect(open()).toHaveLength(1);
});

test('[req:TG-3] of a hundred calls at once six are shown, and one press is for those six', async () => {
  let done = 0;
  const calls = Array.from({ length: 100 }, async (_, index) => {
    const answer = await region(index * 5);
    if (!answer.isError) done += 1;
    return answer;
  });
  await eventually(() => open().length).toBe(6);
  await pause(700);
  expect(open()).toHaveLength(6);
  const read = open().map(seen);
  allow(read);
  await eventually(() => open().filter(({ id }) => read.some((one) => one.id === id)).length).toBe(0);
  await eventually(() => open().length).toBe(6);
  const allowed = person.seen.filter((one) => one.type === 'approvalResolved' && one.decision === 'allow');
  expect(allowed.filter((one) => read.some(({ id }) => 'id' in one && one.id === id))).toHaveLength(6);
  await eventually(() => done).toBe(6);
  person.send({ type: 'pause', on: true });
  await Promise.all(calls);
  expect(done).toBe(6);
});

test('[req:TG-2] two agents never share one', async () => {
  const other = await startAgent(chaperone.home, { cwd: chaperone.workspace, ownProcess: true, name: 'other' });
  const calls = [region(0), other.call('capture_region_screenshot', { x: 60, y: 10, width: 40, height: 40 })];
  await eventually(() => open().length).toBe(2);
  expect(new Set(open().map(({ group }) => group)).size).toBe(2);
  await pause(700);
  allow(open().map(seen));
  for (const call of calls) expect(await isOver(call)).toBeUndefined();
  await other.close();
});
