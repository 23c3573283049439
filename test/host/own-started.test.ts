/** Which acts on a desktop of an agent's own run unasked, judged by what the kernel and the window say. */
import { expect, test } from 'vitest';
import { StartedHere } from '../../src/main/host/own/approver.js';
import { planWithoutTarget, type Plan, type StepPlan } from '../../src/main/approvals/plan.js';
import { subjectWithoutPlace, title, type Effect } from '../../src/main/protocol/index.js';
import type { App, DesktopBackend, Window } from '../../src/native/desktop.js';
import { openSimulated } from '../../src/native/simulated/index.js';

const never = new AbortController().signal;
const SUBJECT = subjectWithoutPlace(title('title.open'));
const processOf = (pid: number, executable: string) => ({ pid, startTime: `s${pid}`, executable });
const app = (pid: number, id = `app-${pid}`): App => ({ id, name: id, pid, startTime: `s${pid}`, frontmost: false, program: `/usr/bin/${id}` }) as App; // prettier-ignore
const window = (pid: number, more: Partial<Window> = {}): Window =>
  ({ id: `w${pid}`, title: '', app: app(pid), documentUrl: null, ...more }) as Window;
const plan = (more: Partial<Plan>): Plan => ({ ...planWithoutTarget(SUBJECT), target: { kind: 'window' }, ...more });

/** 10 was started here; 11 is its child, 13 the child of a terminal in it, 20 another program. */
const LINES = new Map([
  [10, [processOf(10, '/usr/bin/editor'), processOf(2, '/usr/bin/node')]],
  [11, [processOf(11, '/usr/bin/helper'), processOf(10, '/usr/bin/editor'), processOf(2, '/usr/bin/node')]],
  [13, [processOf(13, '/usr/bin/editor'), processOf(12, '/usr/bin/xterm'), processOf(10, '/usr/bin/editor')]],
  [20, [processOf(20, '/usr/bin/other'), processOf(2, '/usr/bin/node')]],
]);

async function started(
  windows: Window[] = [],
  launched = app(10),
  how: 'started' | 'running' = 'started',
  before: Window[] = [],
) {
  // prettier-ignore
  const here = new StartedHere((pid) => LINES.get(pid) ?? []);
  const desktop: DesktopBackend = {
    ...(await openSimulated()),
    launch: async () => ({ app: launched, how, focus: 'kept' }),
    windows: async () => shown,
  };
  let shown = before;
  const watched = here.watch(desktop);
  await watched.launch('any', { background: false, newInstance: false }, never);
  shown = windows;
  await watched.windows(never);
  return here;
}

test.each([10, 11])('an act in what was started, or in what that started (%i), is covered', async (pid) => {
  const here = await started();
  for (const effect of ['disclose', 'pointer', 'input'] as const)
    expect(here.covers(plan({ window: window(pid) }), effect)).toBe(true);
  expect(here.covers(plan({ window: window(pid) }), 'dangerous')).toBe(false);
});

test('a process that ran before is not, although it took a start over', async () => {
  const here = await started([window(10)], app(10), 'started', [window(10)]);
  expect(here.covers(plan({ window: window(10) }), 'input')).toBe(false);
});

test('a browser is only what was started here where all of its windows are', async () => {
  const browser = (pid: number) => window(pid, { app: app(pid, 'chromium') });
  const has = async (windows: Window[]) => (await started(windows, app(10, 'chromium'))).hasOnly('chromium');
  expect(await has([])).toBe(true);
  expect(await has([browser(10), window(20)])).toBe(true);
  expect(await has([browser(10), browser(20)])).toBe(false);
  expect(await has([window(20, { app: { ...app(20), otherIds: ['chromium'] } })])).toBe(false);
});

test.each([
  ['another program', { window: window(20) }],
  ['what a terminal in it started', { window: window(13) }],
  ['a process that only has its number', { window: window(10, { app: { ...app(10), startTime: 'later' } }) }],
  ['the child of a number that was given again', { window: window(11, { app: { ...app(11), startTime: 'later' } }) }],
  ['a terminal', { window: window(10, { app: app(10, 'xterm') }) }],
  ['a file manager by another of its names', { window: window(10, { app: { ...app(10), otherIds: ['thunar'] } }) }],
  ['a file in a browser', { window: window(10, { documentUrl: 'file:///home/person/.ssh/id_rsa' }) }],
  ['a file in one of its parts', { window: window(10, { documents: { urls: ['https://a.example/', 'file:///etc/passwd'], complete: true } }) }],
  ['a browser’s settings', { window: window(10, { documentUrl: 'chrome://settings/passwords' }) }],
  ['a view of a file’s source', { window: window(10, { documentUrl: 'view-source:file:///etc/passwd' }) }],
  ['a browser that does not tell all', { window: window(10, { documents: { urls: [], complete: false } }) }],
  ['a drop into another', { window: window(10), drop: { point: { x: 0, y: 0 }, window: window(20) } }],
  ['a drop on the bare desktop', { window: window(10), drop: { point: { x: 0, y: 0 }, window: null } }],
  ['nothing on the desktop', {}],
] satisfies [string, Partial<Plan>][])('%s is not', async (_what, what) => {
  const here = await started();
  expect(here.covers(plan(what), 'input')).toBe(false);
  expect(here.covers(plan(what), 'disclose')).toBe(false);
}); // prettier-ignore

test('what ran already, and what is started in a terminal, does not count as started', async () => {
  const running = await started([], app(10), 'running');
  expect(running.covers(plan({ window: window(10) }), 'input')).toBe(false);
  const terminal = await started([], app(10, 'terminator'));
  expect(terminal.covers(plan({ window: window(11) }), 'input')).toBe(false);
});

test('the whole screen is covered only where everything on it is', async () => {
  const screen = plan({ target: { kind: 'screen', rect: { x: 0, y: 0, width: 9, height: 9 } }, window: window(10) });
  expect((await started([window(10), window(11)])).covers(screen, 'disclose')).toBe(true);
  const mixed = await started([window(10), window(20)]);
  expect(mixed.covers(screen, 'disclose')).toBe(false);
  expect(mixed.shows(screen)).toBe(false);
  expect(new StartedHere(() => []).shows(screen)).toBe(false);
});

test('of a sequence, every step', async () => {
  const here = await started();
  const step = (of: Plan | null, effect: Effect, late: StepPlan['late'] = null): StepPlan => ({ tool: 't', effect, subject: SUBJECT, arguments: {}, plan: of, late }); // prettier-ignore
  const good = step(plan({ window: window(10) }), 'input');
  const late = { name: 'x', app: null, windows: [], origin: null };
  const of = (...steps: StepPlan[]) => here.covers(plan({ steps }), 'input');
  expect(of(good, step(null, 'bookkeeping'))).toBe(true);
  expect(of(good, step(plan({ window: window(20) }), 'input'))).toBe(false);
  expect(of(good, step(plan({ window: window(10) }), 'dangerous'))).toBe(false);
  expect(of(good, step(null, 'input'))).toBe(false);
  expect(of(good, step(plan({ window: window(10) }), 'input', late))).toBe(false);
});
