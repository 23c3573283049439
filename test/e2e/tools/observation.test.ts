import { execFile, spawn } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../../support/agent.js';
import { startApp, type DesktopApp } from '../../support/desktop-app.js';
import { eventually } from '../../support/eventually.js';
import { startHost, type TestHost } from '../../support/host.js';
import { openPage, type Person } from '../../support/person.js';
import { watchDisplay } from '../../support/sentinel.js';

interface Seen {
  sequence: number;
  kind: string;
  event?: string;
  window?: string;
  title?: string;
  application?: string;
  element?: { elementId: string; role: string; title: string; value: string | null };
  changes?: { attribute: string; before: unknown; after: unknown }[];
}

const PAGE = `<!doctype html><title>One</title><button>Press</button><script>
  new EventSource('/events').onmessage = ({ data }) => {
    document.title = data;
    document.body.append(Object.assign(document.createElement('button'), { textContent: data }));
  };</script>`;

let chaperone: TestHost;
let agent: TestAgent;
let person: Person;
let env: Record<string, string>;

beforeAll(async () => {
  chaperone = await startHost({ backend: 'linux', display: 'virtual' });
  env = chaperone.host.desktopEnv ?? {};
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  person.allowLooking();
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
});
afterAll(async () => {
  await agent.close();
  person.close();
  await chaperone.close();
});

/** As a person's hands would, without a word to the host. */
const hands = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)('xdotool', args, { env: { ...env, PATH: '/usr/bin:/bin' } })).stdout.trim();

async function tool(name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const result = await agent.call(name, args);
  if (result.isError) throw new Error(`${name}: ${result.text}`);
  return result.value;
}

const watch = async (args: Record<string, unknown>): Promise<string> => {
  // Once hints come nothing but a hint leads to a look: the interval is longer than any test waits.
  const made = await tool('create_observation', { poll_interval_ms: 60_000, ...args });
  expect(made).toMatchObject({ name: expect.stringMatching(/^observations\/\w+$/), state: 'ACTIVE', last_sequence: 0 });
  return String(made['name']);
};

/** Everything told so far, once the last of it fits. */
function reader(name: string) {
  const all: Seen[] = [];
  return {
    all,
    async until(fits: (seen: Seen) => boolean): Promise<Seen> {
      await eventually(async () => {
        const told = await tool('poll_observation', { name, timeout: 2 });
        expect(told).toMatchObject({ name, dropped: 0 });
        all.push(...(told['events'] as Seen[]));
        return all.some(fits) || `nothing that fits ${String(fits)} in ${JSON.stringify(all)}`;
      }).toBe(true);
      expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => index + 1));
      const [found] = all.filter(fits);
      if (found === undefined) throw new Error('unreachable');
      return found;
    },
  };
}

async function windowOf(app: DesktopApp): Promise<string> {
  const search = () => hands('search', '--onlyvisible', '--pid', String(app.pid)).catch(() => '');
  await eventually(search).not.toBe('');
  return (await search()).split('\n').at(-1) ?? '';
}

test('[req:MT-T-create_observation] [req:MT-T-cancel_observation] case 37: a window is told of as it comes, moves, is resized, minimised, restored and goes, once each; cancelled ends', async () => {
  const name = await watch({ parent: '-', type: 'window_changes' });
  const { all, until } = reader(name);
  const app = await startApp('gtk', env, ['--title', 'Watched']);
  const created = await until(({ event, title }) => event === 'created' && title === 'Watched');
  const id = await windowOf(app);
  const mine = ({ window }: Seen) => window === created.window;
  const steps: [string, () => Promise<unknown>][] = [
    ['moved', () => hands('windowmove', id, '300', '200')],
    ['resized', () => hands('windowsize', id, '520', '470')],
    ['minimized', () => hands('windowminimize', id)],
    // A request to map would be lost while the window manager has not unmapped it yet.
    ['restored', () => hands('windowactivate', id)],
    ['destroyed', () => app.close()],
  ];
  for (const [event, act] of steps) {
    await act();
    await until((seen) => mine(seen) && seen.event === event);
  }
  const told = all.filter(mine).map(({ event }) => event);
  for (const event of ['created', 'moved', 'resized', 'minimized', 'restored', 'destroyed'])
    expect(
      told.filter((one) => one === event),
      told.join(' '),
    ).toHaveLength(1);
  expect(told).toContain('focused');
  expect(told.at(-1)).toBe('destroyed');

  const waiting = tool('poll_observation', { name, timeout: 600 });
  expect(await tool('cancel_observation', { name })).toMatchObject({ name, state: 'CANCELLED' });
  expect(await waiting).toMatchObject({ name, state: 'CANCELLED', events: [] });
  expect(await tool('get_observation', { name })).toMatchObject({ name, state: 'CANCELLED' });
  expect(await tool('stream_observations', { name, timeout: 600 })).toMatchObject({ state: 'CANCELLED', events: [] });
});

test('[req:MT-T-stream_observations] case 38, the passive half: however often it looks, no window comes to the front and no input is made', async () => {
  const [back, front] = [
    await startApp('gtk', env, ['--title', 'Back']),
    await startApp('qt', env, ['--title', 'Front']),
  ];
  const sentinel = await watchDisplay(env);
  try {
    const [id, above] = [await windowOf(back), await windowOf(front)];
    await hands('windowactivate', '--sync', above);
    const parent = `applications/${back.pid}`;
    await tool('wait_element', { parent, title: 'Send', role: 'AXButton', timeout: 40 });
    const types = ['window_changes', 'element_changes', 'application_changes'];
    const begun = await tool('stream_observations', {
      parent,
      types,
      attributes: ['frame'],
      poll_interval_ms: 100,
      timeout: 0,
    });
    expect(begun).toMatchObject({ state: 'ACTIVE', events: [] });
    const { until } = reader(String(begun['name']));
    await sentinel.forget();
    for (let step = 1; step <= 12; step += 1) {
      const width = 420 + 10 * step;
      await hands('windowsize', id, String(width), '420');
      await until(
        ({ kind, changes = [] }) =>
          kind === 'window_event' &&
          changes.some(
            ({ after }) => typeof after === 'object' && after !== null && 'width' in after && after.width === width + 2,
          ),
      );
    }
    expect(await hands('getactivewindow')).toBe(above);
    expect(await sentinel.disturbances()).toMatchObject({ motions: 0, presses: 0, keys: 0, activations: 0 });
    await hands('windowactivate', '--sync', id);
    expect((await sentinel.disturbances()).activations).toBeGreaterThan(0);
    await until(({ kind, event }) => kind === 'application_event' && event === 'activated');
  } finally {
    await sentinel.close();
    await Promise.all([back.close(), front.close()]);
  }
});

test('applications are told of as they start, come to the front and end; one that is watched ends its observation', async () => {
  const everywhere = reader(await watch({ type: 'application' }));
  const app = await startApp('gtk', env, ['--title', 'Short-lived']);
  const application = `applications/${app.pid}`;
  const mine = (event: string) => (seen: Seen) => seen.application === application && seen.event === event;
  await everywhere.until(mine('launched'));
  await everywhere.until(mine('activated'));
  await tool('wait_element', { parent: application, title: 'Send', role: 'AXButton', timeout: 40 });
  const name = await watch({ parent: application });
  await app.close();
  await everywhere.until(mine('terminated'));
  expect(everywhere.all.filter((one) => one.application === application).map(({ event }) => event)).toEqual([
    'launched',
    'activated',
    'terminated',
  ]);
  const ended = await tool('poll_observation', { name, timeout: 40 });
  expect(ended).toMatchObject({ state: 'COMPLETED', reason: 'The application has ended.' });
});

for (const kit of ['gtk', 'qt'] as const)
  describe(`a ${kit} application`, () => {
    let app: DesktopApp;
    beforeAll(async () => {
      app = await startApp(kit, env, ['--title', `Form ${kit}`, '--rows', '4']);
      await tool('wait_element', { parent: `applications/${app.pid}`, title: 'Send', role: 'AXButton', timeout: 40 });
    });
    afterAll(() => app.close());

    test('tells of a value and of a check mark once, with an element that other tools take, and of nothing that was there before', async () => {
      const parent = `applications/${app.pid}`;
      const name = await watch({ parent, type: 'attribute_changes', attributes: ['text', 'checked'] });
      const { until } = reader(name);
      await hands('windowactivate', '--sync', await windowOf(app), 'type', 'hi');
      const typed = await until(({ changes = [] }) => changes.some(({ after }) => after === 'hi'));
      expect(typed).toMatchObject({ kind: 'element_modified', element: { role: 'AXTextField', title: 'Name' } });
      expect(await app.journal()).toContainEqual({ control: 'entry', event: 'changed', value: 'hi' });
      const again = await tool('get_element', { element_id: typed.element?.elementId });
      expect(again).toMatchObject({ title: 'Name', value: 'hi' });
      await tool('cancel_observation', { name });
    });

    test('tells of a button that goes, and of a row that comes in before the others, and of no other element', async () => {
      const parent = `applications/${app.pid}`;
      // Qt says nothing of elements that come and go: here the interval has to do.
      const name = await watch({ parent, type: 'element', ...(kit === 'qt' ? { poll_interval_ms: 500 } : {}) });
      const { all, until } = reader(name);
      const found = await tool('find_elements', { parent, role: 'AXButton', title: 'Temporary' });
      const [{ elementId }] = found['elements'] as [{ elementId: string }];
      await Promise.all([agent.call('click_element', { element_id: elementId }), person.answer('allow')]);
      await until(({ kind, element }) => kind === 'element_removed' && element?.title === 'Temporary');
      process.kill(app.pid, 'SIGUSR1');
      await until(({ kind, element }) => kind === 'element_added' && element?.title === 'Row 0');
      const titles = (kind: string) => all.filter((one) => one.kind === kind).map(({ element }) => element?.title);
      expect(titles('element_removed')).toEqual(['Temporary']);
      expect(titles('element_added').filter((one) => one !== '')).toEqual(['Row 0']);
      expect(titles('element_modified').filter((one) => one?.startsWith('Row'))).toEqual([]);
      await tool('cancel_observation', { name });
    });
  });

test('a page in Chromium: its title, and what it shows, as they change', async () => {
  const told = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    if (request.url === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      told.add(response);
    } else response.setHeader('content-type', 'text/html').end(PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const flags = ['--no-sandbox', '--no-first-run', '--disable-gpu', '--force-renderer-accessibility'];
  const browser = spawn('chromium', [...flags, `--user-data-dir=${join(chaperone.workspace, 'profile')}`, address], {
    env: { ...env, PATH: '/usr/bin:/bin' },
    stdio: 'ignore',
  });
  try {
    const parent = `applications/${browser.pid}`;
    await tool('wait_element', { parent, title: 'Press', role: 'AXButton', timeout: 60 });
    await eventually(() => told.size).toBe(1);
    const first = await tool('stream_observations', {
      parent,
      types: ['window', 'tree'],
      roles: ['button'],
      timeout: 0,
    });
    const { until } = reader(String(first['name']));
    for (const response of told) response.write('data: Two\n\n');
    const titled = await until(({ event }) => event === 'title_changed');
    expect(titled).toMatchObject({
      changes: [{ attribute: 'title', before: expect.stringMatching(/^One/), after: expect.stringMatching(/^Two/) }],
    });
    await until(({ kind, element }) => kind === 'element_added' && element?.title === 'Two');
  } finally {
    browser.kill('SIGKILL');
    for (const response of told) response.end();
    server.close();
  }
});
