/** A host that a bridge launches: the port, the token and the name come in the environment. */
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hostOptions } from '../../src/main/cli/host-options.js';
import { createHome, ENTRY, type Home, type Running } from '../support/command.js';
import { eventually, waitFor } from '../support/eventually.js';
import { openBridge, type Bridge } from '../support/raw-gabp.js';

let home: Home;
let bridges: Bridge[];
beforeEach(() => {
  home = createHome();
  bridges = [];
});
afterEach(async () => {
  for (const bridge of bridges) bridge.close();
  await home.close();
});

const token = () => randomBytes(32).toString('hex');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function launch(env: Record<string, string>, ...more: string[]): Running {
  const args = ['host', '--backend', 'simulated', '--workspace-root', home.path, ...more];
  const running = home.start(args, env);
  // As a bridge that gives no input: its end must not end the host.
  running.child.stdin?.end();
  return running;
}

async function connect(port: number): Promise<Bridge> {
  const bridge = await openBridge({ port });
  bridges.push(bridge);
  return bridge;
}

const printedPort = async (running: Running) => {
  await eventually(running.stdout).toMatch(/^GABP at 127\.0\.0\.1:\d+$/m);
  return Number(/^GABP at 127\.0\.0\.1:(\d+)$/m.exec(running.stdout())?.[1]);
};
const bridgeFile = () => JSON.parse(readFileSync(join(home.path, 'state', 'bridge.json'), 'utf8')) as object;

test('[req:TP-49] [req:TP-50] [req:GB-1] [req:GB-2] a launching bridge finds its port, its token and its name, is told how the host was really started, and finds it again after it left', async () => {
  const [port, secret] = [await freePort(), token()];
  const other = join(home.path, 'other-bridge.json');
  const theirs = JSON.stringify({ port: 1, token: token(), gameId: 'desk' });
  writeFileSync(other, theirs);
  const running = launch({
    GABP_SERVER_PORT: String(port),
    GABP_TOKEN: secret,
    GABS_GAME_ID: 'desk',
    GABS_BRIDGE_PATH: other,
    GABS_FORWARD_ENV: 'GABS_GAME_ID,GABP_SERVER_PORT,LEVEL',
    GABS_ABSENT_ENV: 'HOST_OVERRIDE, HOME',
    LEVEL: 'seven',
  });
  expect(await printedPort(running)).toBe(port);

  const first = await connect(port);
  expect(await first.hello(token())).toMatchObject({ error: { code: -32101 } });
  expect(await first.hello(secret)).toMatchObject({
    result: {
      agentId: 'desk',
      observed: {
        argv: [ENTRY, 'host', '--backend', 'simulated', '--workspace-root', home.path],
        cwd: process.cwd(),
        envValues: { GABS_GAME_ID: 'desk', GABP_SERVER_PORT: String(port), LEVEL: 'seven' },
        envAbsent: ['HOST_OVERRIDE'],
      },
    },
  });
  first.close();
  const again = await connect(port);
  expect(await again.hello(secret)).toMatchObject({ result: { agentId: 'desk' } });

  expect(bridgeFile()).toMatchObject({
    token: secret,
    transport: { type: 'pipe', address: join(home.path, 'state', 'host.sock') },
    transports: [
      { type: 'pipe', address: join(home.path, 'state', 'host.sock') },
      { type: 'tcp', address: String(port) },
    ],
  });
  expect(readFileSync(other, 'utf8')).toBe(theirs);

  running.child.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ code: 0 });
});

test('[req:TP-48] [req:GB-1] the command line goes before the environment, programs that the host starts get none of it, and nothing is observed where nobody asked', async () => {
  const secret = token();
  const running = launch(
    { GABP_SERVER_PORT: String(await freePort()), GABP_TOKEN: secret, GABS_GAME_ID: 'desk' },
    '--tcp',
    '0',
    '--policy',
    'unattended',
  );
  const port = await printedPort(running);
  const bridge = await connect(port);
  const welcome = await bridge.hello(secret);
  expect(welcome).toMatchObject({ result: { agentId: 'desk' } });
  expect(welcome['result']).not.toHaveProperty('observed');
  const ran = await bridge.result('tools/call', {
    name: 'scripting/execute_shell_command',
    arguments: { command: 'env', shell: true },
  });
  expect(ran['stdout']).toContain('PATH=');
  expect(ran['stdout']).not.toMatch(/GAB[PS]_/);
});

test('[req:GB-1] what is wrong in the environment is named before anything is served', async () => {
  for (const [env, said] of [
    [{ GABP_SERVER_PORT: 'abc' }, 'GABP_SERVER_PORT'],
    [{ GABP_SERVER_PORT: '70000' }, 'GABP_SERVER_PORT'],
    [{ GABP_TOKEN: 'short' }, 'GABP_TOKEN'],
    [{ GABP_TOKEN: `${'x'.repeat(40)} y` }, 'GABP_TOKEN'],
  ] as const) {
    const { code, stdout, stderr } = await launch(env).ended;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(said);
  }
});

test('[req:GB-1] a host that a shim starts takes nothing from such variables', () => {
  const env = { GABP_SERVER_PORT: '4711', GABP_TOKEN: token(), GABS_GAME_ID: 'desk', GABS_FORWARD_ENV: 'HOME' };
  const paths = { config: '/c', state: '/s', runtime: '/r', isolated: false };
  const chosen = hostOptions({ background: true }, { env, cwd: '/', home: home.path, paths });
  expect(chosen).not.toHaveProperty('tcp');
  expect(chosen.gabp).toEqual({});
  expect(hostOptions({}, { env, cwd: '/', home: home.path, paths })).toMatchObject({
    tcp: 4711,
    gabp: { agentId: 'desk', token: env.GABP_TOKEN },
  });
});

test('[req:GB-3] over TCP one connection more than there is room for is told so, and who is there stays', async () => {
  const secret = token();
  const running = launch({ GABP_TOKEN: secret }, '--tcp', '0', '--max-connections', '2');
  const port = await printedPort(running);
  const inside = [await connect(port), await connect(port)];
  for (const bridge of inside) expect(await bridge.hello(secret)).toHaveProperty('result');
  for (let more = 0; more < 3; more += 1) {
    const refused = await connect(port);
    await refused.ended;
    expect(refused.messages).toEqual([
      {
        v: 'gabp/1',
        id: '00000000-0000-0000-0000-000000000000',
        type: 'response',
        error: { code: -32000, message: expect.stringMatching(/2 connections.*--max-connections/) },
      },
    ]);
  }
  for (const bridge of inside) expect(await bridge.result('session/ping')).toEqual({});
  inside[0]?.close();
  const next = await waitFor(async () => {
    const bridge = await connect(port);
    expect(await bridge.hello(secret)).toHaveProperty('result');
    return bridge;
  });
  expect(await next.result('session/ping')).toEqual({});
});

test('[req:TP-9] [req:GB-4] what the schemas forbid is taken from known bridges, and refused with --strict', async () => {
  const secret = token();
  const sloppy = async (port: number) => {
    const bridge = await connect(port);
    const say = (message: object) => bridge.say({ v: 'gabp/1', type: 'request', ...message });
    const hello = await bridge.ask('session/hello', { token: secret, clientInfo: 'a name' });
    const strictHello = await bridge.hello(secret);
    const called = await bridge.ask('tools/call', { name: 'screen/list_displays', parameters: {} });
    const byNumber = await bridge.ask('session/ping', {}, 'x'.repeat(32)).catch(() => 'no answer');
    const id = randomUUID();
    say({ id, method: 'session/ping', timestamp: 'now' });
    await eventually(() => bridge.messages.filter((message) => message['id'] === id).length).toBe(1);
    const stamped = bridge.messages.find((message) => message['id'] === id);
    return { hello, strictHello, called, byNumber, stamped };
  };

  const lenient = launch({ GABP_TOKEN: secret, GABS_FORWARD_ENV: 'HOME' }, '--tcp', '0', '--policy', 'unattended');
  const taken = await sloppy(await printedPort(lenient));
  for (const answer of Object.values(taken)) expect(answer).toHaveProperty('result');
  expect(taken.strictHello).toHaveProperty('result.observed');
  lenient.child.kill('SIGTERM');
  await lenient.ended;

  const strict = launch(
    { GABP_TOKEN: secret, GABS_FORWARD_ENV: 'HOME' },
    '--tcp',
    '0',
    '--policy',
    'unattended',
    '--strict',
  );
  const port = await printedPort(strict);
  const bridge = await connect(port);
  expect(await bridge.ask('session/hello', { token: secret, clientInfo: 'a name' })).toMatchObject({
    error: { code: -32602, message: expect.stringMatching(/bridgeVersion.*--strict/) },
  });
  const welcome = await bridge.hello(secret);
  expect(welcome).toHaveProperty('result.agentId', 'chaperone');
  expect(welcome['result']).not.toHaveProperty('observed');
  expect(await bridge.ask('tools/call', { name: 'screen/list_displays', parameters: {} })).toMatchObject({
    error: { code: -32602, message: expect.stringContaining('parameters') },
  });
  expect(await bridge.ask('tools/call', { name: 'screen/list_displays', arguments: {} })).toHaveProperty('result');
  const id = randomUUID();
  bridge.say({ v: 'gabp/1', type: 'request', id, method: 'session/ping', timestamp: 'now' });
  await eventually(() => bridge.messages.find((message) => message['id'] === id)).toMatchObject({
    error: { code: -32600, message: expect.stringContaining('timestamp') },
  });
  bridge.say({ v: 'gabp/1', type: 'request', id: 'x'.repeat(32), method: 'session/ping' });
  await eventually(() => bridge.messages.at(-1)).toMatchObject({
    id: '00000000-0000-0000-0000-000000000000',
    error: { code: -32203 },
  });
});
