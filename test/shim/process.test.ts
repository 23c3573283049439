import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProcessTable } from '../../src/native/peer/index.js';
import { EXIT_TIMEOUT_MS } from '../../src/main/cli/mcp.js';
import { hostPaths, newBridge, readBridge, socketPathFor, writeBridge } from '../../src/main/host/discovery.js';
import { listenUnix } from '../../src/main/transport/unix.js';
import { createHome, environmentOf, type Home, type Running } from '../support/command.js';
import { until } from './support.js';

let home: Home;
beforeEach(() => {
  home = createHome();
});
afterEach(() => home.close());

function say(running: Running, message: object): void {
  running.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

async function answer(running: Running, id: number): Promise<Record<string, unknown>> {
  const found = () => lines(running).find((message) => message['id'] === id);
  await until(() => found() !== undefined);
  return found() ?? {};
}

/** Every line of stdout is a message; a line that is not one fails here. */
function lines(running: Running): Record<string, unknown>[] {
  const whole = running.stdout().split('\n').slice(0, -1);
  return whole.map((line) => JSON.parse(line) as Record<string, unknown>);
}

function initialize(running: Running): void {
  say(running, {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  });
}

/** Someone listens where the host should, and says nothing. */
async function silentHost() {
  const paths = hostPaths({ CHAPERONE_HOME: home.path });
  const processes = createProcessTable();
  const bridge = newBridge({ socket: socketPathFor(paths), url: 'http://localhost:1' });
  await writeBridge(paths, bridge, { processes, tcpPort: null });
  let connections = 0;
  const listener = await listenUnix({
    path: bridge.socket,
    peerOf: processes.peerOf,
    onConnection: () => (connections += 1),
  });
  return { listener, connections: () => connections };
}

/** How the agent goes. */
const LEAVING = [
  ['stdin ends', (running: Running) => running.child.stdin?.end()],
  ['SIGINT', (running: Running) => running.child.kill('SIGINT')],
  ['SIGTERM', (running: Running) => running.child.kill('SIGTERM')],
  ['SIGHUP', (running: Running) => running.child.kill('SIGHUP')],
] as const;

async function expectEnd(shim: Running, leave: (running: Running) => unknown): Promise<void> {
  leave(shim);
  expect(await shim.ended).toMatchObject({ code: 0, signal: null });
}

it('[req:AG-EXIT-1] nothing that hangs keeps the shim until its client kills it, which known ones do after 2 s', () => {
  expect(EXIT_TIMEOUT_MS).toBeLessThan(2_000);
});

describe('the end of the agent', () => {
  it.each(LEAVING)(
    '[req:MT-2-3] [req:AG-EXIT-1] is the end of the shim: %s, with a host that hangs',
    async (_how, leave) => {
      const { listener, connections } = await silentHost();
      try {
        const shim = home.start(['mcp']);
        await until(() => connections() > 0);
        initialize(shim);
        await expectEnd(shim, leave);
      } finally {
        await listener.close();
      }
    },
  );

  it.each(LEAVING)(
    '[req:AG-EXIT-1] is the end of the shim: %s, while a question waits for the person',
    async (_how, leave) => {
      const shim = home.start(['mcp']);
      initialize(shim);
      await answer(shim, 1);
      const params = { name: 'send_message', arguments: { text: 'Still there?' }, _meta: { progressToken: 'p' } };
      say(shim, { id: 2, method: 'tools/call', params });
      await until(() => shim.stdout().includes('awaiting_human'));
      await expectEnd(shim, leave);
    },
  );

  it.each(LEAVING)('[req:AG-EXIT-1] is the end of the shim: %s, while a host is being started', async (_how, leave) => {
    const shim = home.start(['mcp']);
    await until(() => existsSync(join(hostPaths({ CHAPERONE_HOME: home.path }).state, 'start.log')));
    await expectEnd(shim, leave);
  });
});

describe('a host started by a shim', () => {
  it('[req:DS-1-2] [req:CH-1-1] [req:CH-2-2] [req:MT-1-1] is one host for two shims that start at once, and outlives them', async () => {
    const shims = [home.start(['mcp']), home.start(['mcp'])];
    for (const shim of shims) initialize(shim);
    for (const shim of shims) expect(await answer(shim, 1)).toHaveProperty('result');
    for (const shim of shims) say(shim, { id: 2, method: 'tools/list', params: {} });
    for (const shim of shims) expect(await answer(shim, 2)).toHaveProperty('result.tools');
    const bridge = readBridge(hostPaths({ CHAPERONE_HOME: home.path }));
    for (const shim of shims) expect(shim.stderr()).toBe(`${bridge?.url}\n`);
    await until(() => home.hosts().length === 1);
    expect(home.hosts()).toEqual([bridge?.metadata.pid]);
    for (const shim of shims) shim.child.stdin?.end();
    for (const shim of shims) expect(await shim.ended).toMatchObject({ code: 0 });
    expect(home.hosts()).toEqual([bridge?.metadata.pid]);
  });

  it('[req:DS-6-32] inherits nothing of the agent’s environment that could change what it runs', async () => {
    const workspace = join(home.path, 'work');
    mkdirSync(workspace);
    const shim = home.start(['mcp'], {
      NODE_OPTIONS: '--no-warnings',
      NODE_PATH: '/tmp/evil',
      LD_LIBRARY_PATH: '/tmp/evil',
      ELECTRON_RUN_AS_NODE: '1',
      PATH: '/tmp/evil:/usr/bin:/bin',
      WORKSPACE_ROOT: '/',
      CHAPERONE_POLICY: 'unattended',
      LANG: 'C.UTF-8',
    });
    initialize(shim);
    await answer(shim, 1);
    await until(() => home.hosts().length === 1);
    const [pid] = home.hosts();
    const names = environmentOf(pid ?? 0).map((entry) => entry.split('=')[0]);
    expect(new Set(names)).toEqual(new Set(['PATH', 'HOME', 'LANG', 'CHAPERONE_HOME', 'CHAPERONE_BACKEND', '']));
    expect(environmentOf(pid ?? 0).find((entry) => entry.startsWith('PATH='))).not.toContain('evil');
  });

  it('says why it did not start', async () => {
    mkdirSync(join(home.path, 'config'), { mode: 0o700 });
    writeFileSync(join(home.path, 'config', 'policy.json'), '{"presets": "standard"}', { mode: 0o600 });
    const shim = home.start(['mcp']);
    initialize(shim);
    await answer(shim, 1);
    say(shim, { id: 2, method: 'tools/call', params: { name: 'list_displays', arguments: {} } });
    const { result } = await answer(shim, 2);
    expect(JSON.stringify(result)).toContain('unknown field presets');
    expect(result).toMatchObject({ isError: true });
  });
});

it('[req:DS-3-18] does not send the token to another process that took the host’s place', async () => {
  const { listener } = await silentHost();
  await listener.close();
  const paths = hostPaths({ CHAPERONE_HOME: home.path });
  const processes = createProcessTable();
  const bridge = newBridge({ socket: socketPathFor(paths), url: 'http://localhost:1' });
  await writeBridge(paths, { ...bridge, metadata: { ...bridge.metadata, pid: 1 } }, { processes, tcpPort: null });
  const sent: unknown[] = [];
  const impostor = await listenUnix({
    path: bridge.socket,
    peerOf: processes.peerOf,
    onConnection: (transport) => transport.onMessage((message) => sent.push(message)),
  });
  try {
    const ended = await home.run(['status']);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('in place of the host');
    expect(sent).toEqual([]);
  } finally {
    await impostor.close();
  }
});
