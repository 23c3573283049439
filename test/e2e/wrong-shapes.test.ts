/** Whatever has the wrong shape is answered in plain words, with what to do next, by every method of every protocol. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAgent } from '../support/agent.js';
import { tokenOf } from '../support/gabp.js';
import { startHost, type TestHost } from '../support/host.js';
import { openBridge, type Bridge } from '../support/raw-gabp.js';
import { openRpc } from '../support/rpc.js';

let started: TestHost;
beforeAll(async () => {
  started = await startHost({ policy: 'readonly', tcp: 0 });
});
afterAll(() => started.close());

const VALUES = [undefined, null, 1.5, -1, '', 'not an id', true, [], [7], {}, { deep: [null] }, 'x'.repeat(5_000)];
/** Nothing takes it, so no probe is a whole call. */
const STRAY = { no_such_parameter: 1 };
const SCHEMA_WORDS =
  /Invalid (?:input|UUID|string|option|key|element|ISO|URL|number|format)|expected \w+, received|received \w+$|invalid_(?:type|value|format|union)|too_(?:big|small)|[Uu]nrecognized key|ZodError|must match|pattern \/|\^\[|undefined|\[object/;

const probes = (names: readonly string[]) =>
  VALUES.map((value) => ({ ...Object.fromEntries(names.map((name) => [name, value])), ...STRAY }));

function check(call: string, { message, next }: { message: string; next?: unknown }): void {
  expect([call, message]).toEqual([call, expect.not.stringMatching(SCHEMA_WORDS)]);
  const advice = typeof next === 'string' ? next : message;
  expect([call, advice]).toEqual([call, expect.stringMatching(/\w{3,} .*\w{3,}/)]);
}

test('[req:RA-7] every tool', async () => {
  const agent = await startAgent(started.home);
  const { tools } = await agent.client.listTools();
  for (const { name, inputSchema } of tools)
    for (const args of probes(Object.keys(inputSchema.properties ?? {}))) {
      const { isError, text } = await agent.call(name, args);
      expect([name, isError, text]).toEqual([name, true, expect.stringContaining('DESKTOP_INVALID_REQUEST')]);
      expect([name, text]).toEqual([name, expect.stringContaining('Next: ')]);
      check(`${name} ${JSON.stringify(args).slice(0, 200)}`, { message: text.slice(0, text.indexOf('Details:')) });
    }
  await agent.close();
});

test('[req:RA-7] every desktop.* method, and JSON-RPC itself', async () => {
  const rpc = await openRpc(started.host.socketPath, started.workspace);
  const { methods } = (await rpc.error('desktop.nothing')).details as { methods: string[] };
  let refused = 0;
  const names = [
    'route',
    'target',
    'selector',
    'text',
    'keys',
    'options',
    'mode',
    'executionId',
    'condition',
    'confirm',
  ];
  for (const method of methods)
    for (const given of probes(names)) {
      const { error } = await rpc.call(method, given, { timeoutMs: 200 });
      if (error === undefined) continue;
      refused += 1;
      check(`${method} ${JSON.stringify(given).slice(0, 200)}`, {
        message: error.message,
        next: error.details['next'],
      });
    }
  expect(refused).toBeGreaterThan(60);
  for (const requestId of VALUES.filter((value) => typeof value !== 'string' && value !== undefined))
    check('meta', await rpc.error('desktop.health', {}, { requestId }));
  rpc.close();
  const socket = await openBridge({ path: started.host.socketPath });
  const wrong = [
    { method: 7 },
    { method: '' },
    { params: [] },
    { params: 'x' },
    { id: {} },
    { method: 'x'.repeat(500) },
  ];
  for (const more of wrong) socket.say({ jsonrpc: '2.0', id: 1, method: 'desktop.health', params: {}, ...more });
  await expect.poll(() => socket.messages.length).toBe(wrong.length);
  for (const { error } of socket.messages as { error: { message: string } }[]) check('JSON-RPC', error);
  socket.close();
});

test('[req:RA-7] every GABP method over TCP', async () => {
  const methods: [string, string[]][] = [
    ['session/hello', ['token', 'bridgeVersion', 'platform', 'launchId', 'clientInfo']],
    ['tools/list', ['filter']],
    ['tools/call', ['name', 'arguments', 'parameters']],
    ['events/subscribe', ['channels', 'from']],
    ['state/set', ['updates']],
    ['events/unsubscribe', ['channels']],
    ['resources/list', ['pattern', 'namespace']],
    ['resources/read', ['uri']],
    ['attention/ack', ['attentionId']],
    ['no/such', []],
  ];
  const bridge = await openBridge({ port: started.host.tcpPort ?? 0 });
  await bridge.hello(tokenOf(started.home));
  let refused = 0;
  const heard = (name: string, { error }: Record<string, unknown>) => {
    if (error === undefined) return;
    refused += 1;
    check(name, error as { message: string });
  };
  for (const [method, names] of methods)
    for (const params of probes(names))
      heard(`${method} ${JSON.stringify(params).slice(0, 100)}`, await bridge.ask(method, params));
  expect(refused).toBeGreaterThan(60);
  bridge.close();
  await strange(heard);
});

/** Envelopes that are none. */
async function strange(heard: (name: string, answer: Record<string, unknown>) => void): Promise<void> {
  const bridge: Bridge = await openBridge({ port: started.host.tcpPort ?? 0 });
  await bridge.hello(tokenOf(started.home));
  const whole = { v: 'gabp/1', id: 'a', type: 'request', method: 'session/ping', params: {} };
  const before = bridge.messages.length;
  const wrong = [
    [],
    'text',
    7,
    null,
    { ...whole, v: 2 },
    { ...whole, id: 7 },
    { ...whole, method: 7 },
    { ...whole, params: 7 },
  ];
  for (const message of wrong) bridge.say(message);
  bridge.write('Content-Length: 3\r\n\r\n{"a');
  await expect.poll(() => bridge.messages.length).toBe(before + wrong.length + 1);
  for (const message of bridge.messages.slice(before)) heard('GABP', message);
  bridge.close();
}
