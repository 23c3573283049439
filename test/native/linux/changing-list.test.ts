/**
 * A long list of GTK 3 under changes that the application mostly does not tell of: a tree and a search show what asking for each
 * element by itself shows.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Element, Selector, TreeLimits } from '../../../src/native/desktop.js';
import { eventually, type LinuxDesktop, openLinuxDesktop } from '../../support/linux-desktop.js';

const LIMITS: TreeLimits = { maxDepth: 100, maxNodes: 20_000, timeoutMs: 30_000 };
const TITLE = 'Changing list';
const ROWS = 36;
/** What gtk-list.py can do. */
const CHANGES = [
  ...['insert', 'add', 'remove', 'replace', 'rename', 'markup', 'name', 'name_row', 'describe', 'role', 'label_anew'],
  ...[
    'wrap',
    'grow',
    'sort',
    'filter',
    'hide',
    'show',
    'lock',
    'select',
    'scroll',
    'type',
    'veil',
    'retitle',
    'resize',
  ],
  ...['open', 'close'],
] as const;
const signal = new AbortController().signal;
let linux: LinuxDesktop;
let app: ChildProcess;
let answers: Interface;

beforeAll(async () => {
  linux = await openLinuxDesktop();
  const script = new URL('../../support/apps/gtk-list.py', import.meta.url).pathname;
  const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore'];
  const child = spawn(script, ['--title', TITLE, '--rows', String(ROWS)], { env: { ...linux.session.env }, stdio });
  app = child;
  answers = createInterface({ input: child.stdout });
  await linux.window((window) => window.app.pid === child.pid && window.title === TITLE);
});
afterAll(async () => {
  app.kill('SIGKILL');
  await linux.close();
});

const pid = (): number => app.pid ?? 0;
const tree = async (): Promise<Element[]> =>
  (await linux.desktop.tree({ pid: pid() }, LIMITS, signal)).nodes.map(({ element }) => element);

interface Change {
  do: (typeof CHANGES)[number];
  at: number;
  text: string;
}

async function apply(change: Change): Promise<void> {
  const done = new Promise((resolve) => answers.once('line', resolve));
  app.stdin?.write(`${JSON.stringify(change)}\n`);
  await done;
}

const SELECTORS: Selector[] = [{ role: 'AXStaticText', titleContains: 'new' }, { role: 'AXRow' }];

/** The tree, each of its elements asked for by itself, and what is found, at a moment when nothing changed. */
const readAll = (): Promise<{ listed: Element[]; asked: Element[]; found: Element[][] }> =>
  eventually(async () => {
    const before = await tree();
    const asked = await Promise.all(before.map(({ id }) => linux.desktop.element(id, signal)));
    const found: Element[][] = [];
    for (const selector of SELECTORS)
      found.push((await linux.desktop.find({ pid: pid() }, selector, 500, LIMITS, signal)).elements);
    const listed = await tree();
    if (JSON.stringify(before) !== JSON.stringify(listed)) throw new Error('it changed meanwhile');
    return { listed, asked, found };
  });

async function check(): Promise<void> {
  const { listed, asked, found } = await readAll();
  expect(listed).toEqual(asked);
  for (const [index, { role, titleContains = '' }] of SELECTORS.entries())
    expect(found[index]).toEqual(asked.filter((one) => one.role === role && one.title.includes(titleContains)));
}

it.each(CHANGES)('[req:TI-6] shows %s at once', async (change) => {
  for (const at of [1, 3]) await apply({ do: change, at, text: `new ${change} ${at} ä世👋` });
  await check();
});

it('shows any changes', async () => {
  const change: fc.Arbitrary<Change> = fc.record({
    do: fc.constantFrom(...CHANGES),
    at: fc.nat(60),
    text: fc.constantFrom('new', '', 'old', 'new & <b>', '新 new 👋'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
      for (const one of changes) await apply(one);
      await check();
    }),
    { numRuns: 4, endOnFailure: true },
  );
});
