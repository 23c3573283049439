/** A search reads of each element only what shows whether it fits. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { matches, type Selector, type TreeLimits } from '../../../src/native/desktop.js';
import { createCallLimit } from '../../../src/native/linux/atspi/queries.js';
import { eventually, type FixtureApp, type LinuxDesktop, openLinuxDesktop } from '../../support/linux-desktop.js';

const LIMITS: TreeLimits = { maxDepth: 60, maxNodes: 10_000, timeoutMs: 30_000 };
const signal = new AbortController().signal;
let linux: LinuxDesktop;
let app: FixtureApp;

beforeAll(async () => {
  linux = await openLinuxDesktop();
  app = await linux.fixture({ kit: 'qt', rows: 60, secret: 'hunter2' });
  // Who has the focus is part of what is compared.
  await eventually(async () => expect((await linux.desktop.focusedElement(signal))?.title).toBe('Name'));
});
afterAll(async () => {
  await app.end();
  await linux.close();
});

const SELECTORS: Selector[] = [
  { titleContains: 'Row 3' },
  { titleContains: 'Row 3', visibleOnly: true },
  { role: 'AXRow', titleContains: '59' },
  { role: 'AXTextField' },
  { titleContains: 'Secret' },
  { role: 'AXButton', titleContains: 'Row' },
  { roles: ['AXButton', 'check box'], titleContains: 'e' },
  { titleContains: 'Story', valueContains: 'no such text' },
];

it.each(SELECTORS)('[req:TI-6] %o finds in Qt what the tree shows', async (selector) => {
  const { nodes } = await linux.desktop.tree({ pid: app.pid }, LIMITS, signal);
  const fitting = nodes.map(({ element }) => element).filter((element) => matches(selector, element));
  const found = await linux.desktop.find({ pid: app.pid }, selector, 500, LIMITS, signal);
  expect(found.elements).toEqual(fitting);
  expect(found.matched).toBe(fitting.length);
});

it('starts the next requests in bulk once half are answered, more of them while answers come at once', async () => {
  const limit = createCallLimit(4, 8, () => 0);
  const ends: (() => void)[] = [];
  const all = Array.from({ length: 40 }, () => limit(() => new Promise<void>((resolve) => void ends.push(resolve))));
  const underWay: number[] = [];
  let ended = 0;
  for (; ended < 40; ended += 1) {
    underWay.push(ends.length - ended);
    ends[ended]?.();
    await new Promise(setImmediate);
  }
  await Promise.all(all);
  expect(underWay.slice(0, 3)).toEqual([4, 3, 8]);
  expect(Math.max(...underWay)).toBe(8);
});

it('passes on what a request rejects with, and goes on', async () => {
  const limit = createCallLimit(1, 1);
  const first = limit(() => Promise.reject(new Error('refused')));
  const second = limit(() => Promise.resolve('answer'));
  await expect(first).rejects.toThrow('refused');
  expect(await second).toBe('answer');
});
