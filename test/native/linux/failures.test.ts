import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Element, InputGuard, Selector, TreeLimits } from '../../../src/native/desktop.js';
import { openLinux } from '../../../src/native/linux/index.js';
import { createProcessTable } from '../../../src/native/peer/index.js';
import {
  eventually,
  type FixtureApp,
  type FixtureOptions,
  type LinuxDesktop,
  openLinuxDesktop,
} from '../../support/linux-desktop.js';
import type { Message } from '../../../src/messages/index.js';

const LIMITS: TreeLimits = { maxDepth: 60, maxNodes: 5000, timeoutMs: 20_000 };
const free: InputGuard = () => Promise.resolve();
const signal = new AbortController().signal;
const running: FixtureApp[] = [];
let linux: LinuxDesktop;

beforeAll(async () => {
  linux = await openLinuxDesktop();
});
afterEach(async () => {
  for (const app of running) process.kill(app.pid, 'SIGCONT');
  await Promise.all(running.splice(0).map((app) => app.end()));
});
afterAll(() => linux.close());

async function open(options: FixtureOptions = {}): Promise<FixtureApp> {
  const app = await linux.fixture(options);
  running.push(app);
  return app;
}

async function one(pid: number, selector: Selector): Promise<Element> {
  const { elements } = await linux.desktop.find({ pid }, selector, 1, LIMITS, signal);
  const [element] = elements;
  if (element === undefined) throw new Error('not found');
  return element;
}

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    (error: { code?: unknown }) => error.code,
  );

describe.each(['gtk', 'qt'] as const)('a %s application that hangs', (kit) => {
  it('is named as not responding, while others are served', async () => {
    const stuck = await open({ kit, title: 'Stuck', secret: 'x', place: { x: 40, y: 40 } });
    const well = await open({ kit, title: 'Well', place: { x: 560, y: 40 } });
    const send = await one(stuck.pid, { titleContains: 'Send' });
    const secret = await one(stuck.pid, { titleContains: 'Secret' });
    process.kill(stuck.pid, 'SIGSTOP');
    const calls = [
      linux.desktop.tree({ pid: stuck.pid }, LIMITS, signal),
      linux.desktop.find({ pid: stuck.pid }, {}, 1, LIMITS, signal),
      linux.desktop.element(send.id, signal),
      linux.desktop.performAction(send.id, 'AXPress', signal),
      linux.desktop.setValue(secret.id, 'y', signal),
      linux.desktop.focusElement(send.id, signal),
    ];
    expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => 'not_responding'));
    const other = await one(well.pid, { titleContains: 'Send' });
    await linux.desktop.performAction(other.id, 'AXPress', signal);
    await eventually(async () => expect((await well.journal()).map(({ control }) => control)).toContain('send'));
    // What cannot be asked for its passwords is hidden whole.
    const window = (await linux.desktop.windows(signal)).find(({ title }) => title === 'Stuck');
    // Twice in the time there is for the picture of an act, whatever application the act is in.
    const patience = AbortSignal.timeout(5000);
    for (let look = 0; look < 2; look += 1)
      expect(await linux.desktop.secureAreas(patience)).toContainEqual(window?.frame);
    process.kill(stuck.pid, 'SIGCONT');
    await eventually(async () => expect(await linux.desktop.secureAreas(signal)).toContainEqual(secret.frame));
  });
});

it('calls the elements of a dead application stale', async () => {
  const app = await open();
  const send = await one(app.pid, { titleContains: 'Send' });
  await app.end();
  running.length = 0;
  const calls = [
    linux.desktop.element(send.id, signal),
    linux.desktop.performAction(send.id, 'AXPress', signal),
    linux.desktop.ancestors(send.id, signal),
    linux.desktop.element('rubbish', signal),
    linux.desktop.element(':1.999999/org/a11y/atspi/accessible/1', signal),
  ];
  expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => 'stale'));
  // The registry learns of it by itself.
  await eventually(async () =>
    expect(await codeOf(linux.desktop.tree({ pid: app.pid }, LIMITS, signal))).toBe('not_found'),
  );
});

it('survives windows and elements that vanish while it looks', async () => {
  for (let round = 0; round < 5; round += 1) {
    const app = await open({ rows: 300 });
    const looking = Promise.allSettled([
      linux.desktop.tree({ pid: app.pid }, LIMITS, signal),
      linux.desktop.windows(signal),
      linux.desktop.secureAreas(signal),
      linux.desktop.focusedElement(signal),
      linux.desktop.capture({ kind: 'display' }, signal),
    ]);
    await app.end();
    running.length = 0;
    for (const result of await looking) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ name: 'DesktopError' });
    }
  }
  // The server learns of the last end by itself.
  await eventually(async () => expect(await linux.desktop.windows(signal)).toEqual([]));
});

it('rejects what waits when the display goes away', async () => {
  const own = await openLinuxDesktop({ width: 640, height: 480 });
  const app = await own.fixture();
  const reasons: Message[] = [];
  own.desktop.onLost((reason) => reasons.push(reason));
  const never: InputGuard = () => new Promise(() => {});
  const waiting = [
    own.desktop.typeText('abc', never, signal),
    own.desktop.launch('/bin/cat', { background: false, newInstance: false }, signal),
  ];
  const outcomes = Promise.all(waiting.map(codeOf));
  await own.session.close();
  expect(await outcomes).toEqual(['lost', 'lost']);
  expect(reasons).toMatchObject([{ code: 'display.gone' }]);
  expect(await codeOf(own.desktop.tree({ pid: app.pid }, LIMITS, signal))).toBe('lost');
  await own.close();
});

describe('where there is no X11 session', () => {
  const log = { info: () => {}, warn: () => {} };
  const openWith = (env: Record<string, string>): Promise<unknown> =>
    openLinux({ env, processes: createProcessTable(), log });

  it.each([
    ['no display', {}, 'unsupported', /nor DISPLAY is set/],
    ['a dead compositor', { WAYLAND_DISPLAY: '/nowhere/wayland-0' }, 'lost', /Wayland.*virtual/],
    ['XWayland beside it', { WAYLAND_DISPLAY: '/nowhere/wayland-0', DISPLAY: ':0' }, 'lost', /Wayland.*virtual/],
    ['a bad name', { DISPLAY: 'rubbish' }, 'unsupported', /isn’t a valid X display name/],
    ['a dead display', { DISPLAY: ':54321' }, 'lost', /Cannot open the X display/],
  ])('it says so: %s', async (_, env, code, message) => {
    await expect(openWith(env)).rejects.toMatchObject({
      name: 'DesktopError',
      code,
      message: expect.stringMatching(message) as string,
    });
  });

  it('it says that the cookie is wrong', async () => {
    const { DISPLAY = '' } = linux.session.env;
    await expect(openWith({ DISPLAY, XAUTHORITY: '/dev/null' })).rejects.toMatchObject({ code: 'permission' });
  });
});

it('[req:AR-4] says what is missing once the accessibility registry has failed to answer', async () => {
  const own = await openLinuxDesktop({ width: 640, height: 480 });
  const granted = { accessibility: 'granted', screenRecording: 'granted' };
  try {
    expect(await own.desktop.permissions(signal)).toEqual(granted);
    const registry = processOf(own.session.env, 'at-spi2-registryd');
    process.kill(registry, 'SIGSTOP');
    try {
      expect(await codeOf(own.desktop.secureAreas(signal))).toBe('not_responding');
      expect(await own.desktop.permissions(signal)).toEqual({ ...granted, accessibility: 'missing' });
    } finally {
      process.kill(registry, 'SIGCONT');
    }
    expect(await own.desktop.permissions(signal)).toEqual(granted);
  } finally {
    await own.close();
  }
});

it('says what is missing without an accessibility bus, and does the rest', async () => {
  const { DISPLAY = '', XAUTHORITY = '' } = linux.session.env;
  const env = { DISPLAY, XAUTHORITY, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' };
  const desktop = await openLinux({ env, processes: createProcessTable(), log: { info: () => {}, warn: () => {} } });
  try {
    expect(await desktop.permissions(signal)).toEqual({ accessibility: 'missing', screenRecording: 'granted' });
    const app = await open();
    expect(await codeOf(desktop.tree({ pid: app.pid }, LIMITS, signal))).toBe('permission');
    await eventually(async () =>
      expect((await desktop.windows(signal)).find((window) => window.app.pid === app.pid)?.focused).toBe(true),
    );
    await desktop.typeText('x', free, signal);
    await eventually(async () => expect((await app.journal()).at(-1)?.value).toBe('x'));
  } finally {
    await desktop.close();
  }
});

it('knows applications anew once the accessibility bus was restarted: its names are those of others then', async () => {
  const own = await openLinuxDesktop({ width: 640, height: 480 });
  try {
    const before = await own.fixture({ title: 'Before' });
    const names = ['at-spi-bus-launcher', '--config-file=/usr/share/defaults/at-spi2/accessibility.conf'];
    // Both are found first: the end of one may be that of the other.
    for (const pid of names.map((name) => processOf(own.session.env, name))) process.kill(pid, 'SIGKILL');
    await expect.poll(() => own.complaints).toContainEqual(expect.stringContaining('accessibility connection ended'));
    // GTK finds the new bus only once it runs.
    await expect.poll(() => own.desktop.permissions(signal)).toMatchObject({ accessibility: 'granted' });
    // As many as take every name that one of the old bus had.
    const after: FixtureApp[] = [];
    for (const kit of ['gtk', 'qt', 'gtk', 'qt'] as const) {
      const title = `After ${after.length}`;
      const app = await own.fixture({ kit, title });
      after.push(app);
      const { elements } = await own.desktop.find({ pid: app.pid }, { titleContains: 'Send' }, 1, LIMITS, signal);
      expect(elements).toMatchObject([{ pid: app.pid, title: 'Send' }]);
    }
    await Promise.all([before, ...after].map((app) => app.end()));
  } finally {
    await own.close();
  }
});

/** The process of the session with this word in its command. */
function processOf({ XDG_RUNTIME_DIR = '' }: Record<string, string>, word: string): number {
  const wordsOf = (pid: string, file: string): string[] => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0');
    } catch {
      return [];
    }
  };
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && wordsOf(name, 'cmdline').some((one) => one.endsWith(word)))
    .find((pid) => wordsOf(pid, 'environ').includes(`XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR}`));
  return Number(found ?? expect.fail(`no ${word}`));
}
