/** The protocol's own vectors and examples, and whatever a session sends, against its own schemas: over each transport of one host process. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHome, type Home, type Running } from '../support/command.js';
import { eventually } from '../support/eventually.js';
import { createOracle, fixtures, type Message } from '../support/gabp-oracle.js';
import { openPage, type Person } from '../support/person.js';
import { openBridge, type Bridge } from '../support/raw-gabp.js';

const NIL = '00000000-0000-0000-0000-000000000000';
const all = fixtures();
const named = (part: string): [string, Message][] =>
  [...all].flatMap(([path, message]) => (path.includes(part) ? [[path, message] as [string, Message]] : []));

let home: Home;
let running: Running;
let person: Person;
let token = '';
const fileOf = (): Message => JSON.parse(readFileSync(join(home.path, 'state/bridge.json'), 'utf8')) as Message;
const addressOf = (type: string): string =>
  (fileOf()['transports'] as { type: string; address: string }[]).find((one) => one.type === type)?.address ?? '';

const DOORS = {
  TCP: () => ({ port: Number(addressOf('tcp')) }),
  'the Unix socket': () => ({ path: addressOf('pipe') }),
  'standard input and output': () => {
    const { stdin, stdout } = running.child;
    if (stdin === null || stdout === null) throw new Error('the host has no streams');
    return { in: stdout, out: stdin };
  },
};
type Door = keyof typeof DOORS;

/** What the host answers to each of the protocol's own requests. */
const ANSWERS: readonly [file: string, answer: object][] = [
  ['tools-list.req', { result: { tools: expect.any(Array) } }],
  ['003_tools_call', { error: { code: -32400 } }],
  ['tools-call.req', { error: { code: -32400 } }],
  ['subscribe.req', { result: { subscribed: [] } }],
  ['state-get.req', { error: { code: -32602 } }],
  ['state-set.req', { result: { applied: {}, errors: [{ field: 'player' }] } }],
  ['attention-current.req', { result: { attention: null } }],
  ['attention-ack.req', { result: { acknowledged: false } }],
  ['001_missing_id', { id: NIL, error: { code: -32202 } }],
  ['004_invalid_method_pattern', { error: { code: -32600 } }],
  ['005_wrong_version', { error: { code: -32200 } }],
  ['006_invalid_tool_name', { error: { code: -32602 } }],
  ['007_attention_ack_missing_attention_id', { error: { code: -32602 } }],
];

test('[req:GB-7] the schemas as they are used here take all that is valid and nothing that is not', () => {
  const faultsOf = (path: string, message: Message): string[] => {
    const oracle = createOracle();
    if (message['type'] === 'request') return oracle.request(message);
    for (const method of ['session/hello', 'tools/list', 'attention/current', 'attention/ack'])
      if (path.includes(method.replace(/.*[/]/, '').replace('hello', 'welcome')))
        oracle.request({ id: message['id'], method });
    return oracle.answer(message);
  };
  for (const [path, message] of named('/valid/')) expect([path, faultsOf(path, message)]).toEqual([path, []]);
  for (const [path, message] of named('/invalid/')) expect([path, faultsOf(path, message)]).not.toEqual([path, []]);
  const examples = named('EXAMPLES/').filter(([path, message]) => faultsOf(path, message).length > 0);
  // It has a time, which its own envelope forbids.
  expect(examples.map(([path]) => path)).toEqual([expect.stringContaining('021_event')]);
});

describe.each(Object.keys(DOORS) as Door[])('over %s', (door) => {
  beforeEach(async () => {
    home = createHome();
    const more = ['--stdio', '--tcp', '0', '--policy', 'unattended', '--print-pairing'];
    running = home.start(['host', '--backend', 'simulated', '--workspace-root', home.path, ...more]);
    await eventually(running.stderr).toMatch(/#pair=.+\n/);
    const link = /http\S+#pair=\S+/.exec(running.stderr())?.[0] ?? '';
    person = await openPage(new URL(link).origin, link);
    token = (fileOf() as { token: string }).token;
  });
  afterEach(async () => {
    person.close();
    await home.close();
  });

  test('[req:TP-26] [req:TP-44] [req:GB-7] the protocol’s own requests are answered as they should be, and all else in a session is as its schemas say', async () => {
    const bridge = await openBridge(DOORS[door]());
    const hello = named('001_session').map(([, message]) => message);
    expect(hello).toHaveLength(2);
    for (const message of hello) expect(await said(bridge, { ...message, params: { ...(message['params'] as object), token } })).toHaveProperty('result.agentId'); // prettier-ignore
    for (const [file, answer] of ANSWERS) {
      const [[, message = {}] = []] = named(file);
      expect([file, await said(bridge, message)]).toEqual([file, expect.objectContaining({ v: 'gabp/1', type: 'response' })]); // prettier-ignore
      expect(bridge.messages.at(-1)).toMatchObject(answer);
    }
    const count = bridge.messages.length;
    for (const [, message] of all) if (message['type'] !== 'request') bridge.say(message);
    await wholeSession(bridge);
    // What only a server sends was neither answered nor taken for a request.
    expect(bridge.messages.slice(count).filter(({ error }) => error !== undefined)).toEqual([]);
    bridge.close();
  });
});

async function said(bridge: Bridge, message: Message): Promise<Message> {
  const before = bridge.messages.length;
  bridge.say(message);
  await eventually(() => bridge.messages.length).toBe(before + 1);
  return bridge.messages[before] ?? {};
}

/** A message of each kind that the host has. */
async function wholeSession(bridge: Bridge): Promise<void> {
  await bridge.result('events/subscribe', { channels: ['attention/*', 'call/progress', 'tools/changed'] });
  await bridge.result('tools/list', {});
  await bridge.result('tools/call', { name: 'screen/capture_screenshot', arguments: {} });
  const { resources } = (await bridge.result('resources/list')) as { resources: { uri: string }[] };
  const { uri } = resources.find((one) => one.uri.includes('/images/')) ?? { uri: '' };
  for (const read of [uri, 'gabp://chaperone/windows']) await bridge.result('resources/read', { uri: read });
  await bridge.result('state/get', {});
  await bridge.result('state/set', { updates: { clipboard: 'text' } });
  const before = bridge.events('attention/cleared').length;
  person.send({ type: 'pause', on: true });
  await bridge.event('attention/opened');
  const { attention } = await bridge.result('attention/current', {});
  await bridge.result('attention/ack', { attentionId: (attention as { attentionId: string }).attentionId });
  person.send({ type: 'pause', on: false });
  await eventually(() => bridge.events('attention/cleared').length).toBe(before + 1);
  await bridge.result('events/unsubscribe', { channels: ['attention/*'] });
  await bridge.result('session/ping', {});
}
