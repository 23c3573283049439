/** Chaperone's own files in real file managers: Thunar, and PCManFM, which reports no elements. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TestAgent, ToolAnswer } from '../support/agent.js';
import { eventually } from '../support/eventually.js';
import type { TestHost } from '../support/host.js';
import { notesOf } from '../support/in-english.js';
import { gone } from '../support/other.js';
import { cardOf, settle, type Person } from '../support/person.js';
import { startWithPerson, type WithPerson } from '../support/with-person.js';

const NOTE = 'This window may show Chaperone’s own files: whoever changes those can allow anything.';

let setUp: WithPerson;
let chaperone: TestHost;
let person: Person;
let agent: TestAgent;
let state: string;
const started: ChildProcess[] = [];

beforeEach(async () => {
  setUp = await startWithPerson();
  ({ chaperone, person, agent } = setUp);
  state = join(chaperone.home, 'state');
  await writeFile(join(chaperone.workspace, 'letter.txt'), 'Dear Ada\n');
});
afterEach(async () => {
  for (const one of started.splice(0)) {
    one.kill('SIGKILL');
    await gone(one);
  }
  await setUp.close();
});

interface ShownWindow {
  title: string;
  frame: { x: number; y: number; width: number; height: number };
}

const environment = () => ({
  ...chaperone.host.desktopEnv,
  HOME: chaperone.workspace,
  PATH: '/usr/bin:/bin',
});

/** Opens the folder in a window at `x`; resolves once it is there. */
async function open(program: string, path: string, x: number): Promise<ShownWindow> {
  started.push(spawn(program, [path], { env: environment(), stdio: 'ignore' }));
  const shown = async () => {
    const { value } = await agent.call('list_windows');
    const all = (value['windows'] ?? []) as ShownWindow[];
    return all.find((one) => one.title.startsWith(basename(path)));
  };
  await eventually(async () => (await shown()) !== undefined).toBe(true);
  execFileSync('wmctrl', ['-r', basename(path), '-e', `0,${x},20,600,500`], {
    env: environment(),
  });
  await eventually(async () => (await shown())?.frame.x).toBeCloseTo(x, -2);
  const window = await shown();
  if (window === undefined) throw new Error('it has gone');
  return window;
}

/** In the area of the files. */
const fileIn = ({ frame }: ShownWindow) => ({
  x: frame.x + 260,
  y: frame.y + 200,
});
const cards = () =>
  person.seen.filter((one) => one.type === 'approvalRequested' && one.approval.effect !== 'disclose').length;

async function carded(act: Promise<ToolAnswer>, decision: 'allow' | 'deny', more: object = {}) {
  const card = await cardOf(person, act);
  await settle(person, card, decision, more);
  await act;
  return card;
}

async function refused(act: Promise<ToolAnswer>): Promise<void> {
  const before = cards();
  expect((await act).text).toContain('Chaperone’s own files');
  expect(cards()).toBe(before);
}

const drag = (from: { x: number; y: number }, to: { x: number; y: number }) =>
  agent.call('drag', {
    start_x: from.x,
    start_y: from.y,
    end_x: to.x,
    end_y: to.y,
  });

test('[req:OF-3] [req:OF-4] in Thunar: under a grant nothing is dragged out of Chaperone’s folder or into it, and what else is done there is asked about', async () => {
  const before = await readFile(join(state, 'pairings.json'), 'utf8');
  const work = await open('thunar', chaperone.workspace, 0);
  const granted = await carded(agent.call('press_key', { key: 'end' }), 'allow', { grant: 'time' });
  expect(notesOf(granted)).not.toContain(NOTE);
  expect((await agent.call('press_key', { key: 'end' })).isError).toBe(false);
  const shown = await open('thunar', state, 640);

  await refused(drag(fileIn(shown), fileIn(work)));
  await refused(drag(fileIn(work), fileIn(shown)));
  await refused(agent.call('click', { ...fileIn(shown), click_count: 2 }));
  await refused(agent.call('left_mouse_down', fileIn(shown)));
  const keys = await carded(agent.call('press_key', { key: 'c', modifiers: ['ctrl'] }), 'deny');
  expect(notesOf(keys)).toContain(NOTE);
  expect(await readFile(join(state, 'pairings.json'), 'utf8')).toBe(before);
}, 240_000);

test('[req:OF-4] in PCManFM, which tells nothing of its windows: nothing is dragged out of one called as Chaperone’s folder, and all else is asked about', async () => {
  const own = await open('pcmanfm', state, 0);
  await refused(drag(fileIn(own), { x: 10, y: 700 }));
  const card = await carded(agent.call('press_key', { key: 'end' }), 'deny');
  expect(notesOf(card)).toContain(NOTE);
}, 240_000);
