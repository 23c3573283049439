/** What real clients write, over the real shim's stdio and over HTTP: every message with an id is answered, once, under its id. */
import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import '../support/property-tests.js';
import { ask, initialize } from '../support/mcp-http.js';
import { settle } from '../support/person.js';
import { startRawShim, type RawShim } from '../support/raw-shim.js';
import { startScene, type Scene } from '../support/world.js';

let scene: Scene;
let shim: RawShim;
let headers: Record<string, string>;
const CLIENT = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };

beforeAll(async () => {
  scene = await startScene({ http: 0 });
  shim = startRawShim(scene.home);
  await shim.ask('initialize', CLIENT);
  shim.notify('notifications/initialized');
  headers = await initialize(scene);
});
afterAll(async () => {
  await shim.close();
  await scene.close();
});

let count = 0;
const nextId = (): string => `"m${(count += 1)}"`;

const overStdio = async (line: string, id: string): Promise<string> => {
  const answers = (): string[] => shim.lines().filter((one) => one.includes(`"id":${id}`));
  shim.write(`${line}\n`);
  await expect.poll(answers, { timeout: 10_000, interval: 5 }).not.toEqual([]);
  return answers().join('\n');
};

async function overHttp(bytes: string): Promise<string> {
  return (await ask(scene, { headers, bytes })).text;
}

const WAYS: [string, (line: string, id: string) => Promise<string>][] = [
  ['stdio', overStdio],
  ['HTTP', overHttp],
];

const call = (params: string): string => `"method":"tools/call","params":{"name":"list_displays",${params}}`;
const done = /"result":/;
const refused = (text: RegExp): RegExp => new RegExp(`"error":.*${text.source}`);

/** What it is, the members besides jsonrpc and id, and what the answer has. */
const MESSAGES: [string, string, RegExp][] = [
  ['_meta null', call('"arguments":{},"_meta":null'), done],
  ['_meta text', call('"arguments":{},"_meta":"x"'), refused(/params\._meta must be an object/)],
  ['_meta list', '"method":"tools/list","params":{"_meta":[]}', refused(/params\._meta must be an object/)],
  ['a member of _meta that MCP defines', '"method":"shutdown","params":{"_meta":{"io.modelcontextprotocol/related-task":[]}}', refused(/related-task/)],
  ['progressToken null', call('"arguments":{},"_meta":{"progressToken":null}'), done],
  ['progressToken fractional', call('"arguments":{},"_meta":{"progressToken":1.5}'), refused(/progressToken must be a string or a whole number/)],
  ['progressToken above 2^53', call('"_meta":{"progressToken":9007199254740993}'), refused(/progressToken/)],
  ['another member', `${call('"arguments":{}')},"extra":1`, done],
  ['another member of params', call('"arguments":{},"extra":{"a":null}'), done],
  ['arguments null', call('"arguments":null'), done],
  ['arguments empty text', call('"arguments":""'), done],
  ['arguments as JSON text', call('"arguments":"{}"'), done],
  ['arguments as other text', call('"arguments":"all"'), refused(/params\.arguments is not what MCP takes/)],
  ['arguments as a list', call('"arguments":[]'), refused(/params\.arguments/)],
  ['no name', '"method":"tools/call","params":{"arguments":{}}', refused(/params\.name is missing/)],
  ['params of a call null', '"method":"tools/call","params":null', refused(/params\.name is missing/)],
  ['params null', '"method":"tools/list","params":null', done],
  ['params a list', '"method":"tools/list","params":[1]', refused(/params must be an object/)],
  ['cursor null', '"method":"tools/list","params":{"cursor":null}', done],
  ['cursor empty', '"method":"tools/list","params":{"cursor":""}', done],
  ['cursor a number', '"method":"tools/list","params":{"cursor":5}', refused(/params\.cursor is not what MCP takes/)],
  ['resources, cursor null', '"method":"resources/list","params":{"cursor":null,"_meta":null}', done],
  ['prompts, cursor null', '"method":"prompts/list","params":{"cursor":null}', done],
  ['a resource without its address', '"method":"resources/read","params":{"uri":null}', refused(/params\.uri is missing/)],
  ['a prompt without a name', '"method":"prompts/get","params":{"name":null}', refused(/params\.name is missing/)],
  ['completion of nothing', '"method":"completion/complete","params":{"ref":null,"argument":null}', refused(/params\.(ref|argument)/)],
  ['a level of no kind', '"method":"logging/setLevel","params":{"level":"loud"}', refused(/params\.level is not what MCP takes/)],
  ['no such method', '"method":"tools/explode","params":null', refused(/Method not found/)],
  ['method a number', '"method":7', refused(/method must be a string/)],
  ['method missing', '"params":{}', refused(/method must be a string/)],
  ['nested 300 deep', call(`"arguments":{"a":${'['.repeat(300)}${']'.repeat(300)}}`), /nested more than 200 deep/],
  ['nested 100,000 deep', `"method":"ping","params":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, refused(/nested more than 200 deep/)],
  ['a lone surrogate', '"method":"tools/call","params":{"name":"list_displays","arguments":{"a":"\\ud800"}}', /"(result|error)":/],
]; // prettier-ignore

describe.each(WAYS)('over %s [req:CL-1]', (_way, send) => {
  test.each(MESSAGES)('%s', async (_what, members, wanted) => {
    const id = nextId();
    const answer = await send(`{"jsonrpc":"2.0","id":${id},${members}}`, id);
    expect(answer.slice(0, 2000)).toMatch(wanted);
    expect(answer).toContain(`"id":${id}`);
    expect(answer).not.toMatch(/\\"code\\"|invalid_type|ZodError/);
  });

  test.each([
    ['a byte order mark', (id: string) => `\ufeff{"jsonrpc":"2.0","id":${id},"method":"ping"}`, done],
    ['CRLF', (id: string) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\r`, done],
    ['spaces', (id: string) => `  { "jsonrpc":"2.0", "id":${id}, "method":"ping" }  `, done],
    ['no jsonrpc', (id: string) => `{"method":"ping","id":${id}}`, refused(/jsonrpc must be/)],
    ['jsonrpc 1.0', (id: string) => `{"jsonrpc":"1.0","method":"ping","id":${id}}`, refused(/jsonrpc must be/)],
  ])('%s', async (_what, line, wanted) => {
    const id = nextId();
    expect(await send(line(id), id)).toMatch(wanted);
  });

  test.each(['9007199254740993', '1.5', '-12345678901234567890'])('id %s is answered as it was written', async (id) => {
    const answer = await send(`{"jsonrpc":"2.0","id":${id},"method":"ping","params":{"id":1}}`, id);
    expect(answer).toContain(`"id":${id},`);
    expect(answer).toMatch(/id must be a string or a whole number/);
  });
});

const values = fc.oneof(
  fc.constantFrom(
    null,
    '',
    'x',
    '{}',
    '[]',
    true,
    0,
    1.5,
    -1,
    2 ** 53,
    {},
    [],
    { a: null },
    [[]],
    '\ud800',
    '__proto__',
  ),
  fc.jsonValue({ maxDepth: 3 }),
);
const methods = fc.constantFrom('ping', 'tools/list', 'tools/call', 'resources/list', 'resources/read', 'resources/templates/list', 'prompts/list', 'prompts/get', 'completion/complete', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe', 'server/discover', 'subscriptions/listen', 'notifications/initialized', 'notifications/cancelled', 'notifications/progress', 'tasks/get', 'shutdown', 'x'); // prettier-ignore
const params = fc.dictionary(
  fc.constantFrom('name', 'arguments', '_meta', 'cursor', 'uri', 'level', 'ref', 'argument', 'context', 'task', 'inputResponses', 'requestState', 'requestId', 'notifications'),
  fc.oneof(values, fc.dictionary(fc.constantFrom('progressToken', 'type', 'name', 'value', 'uri', 'arguments', 'io.modelcontextprotocol/protocolVersion', 'io.modelcontextprotocol/related-task'), values)),
); // prettier-ignore
const messages = fc.record(
  { jsonrpc: fc.constantFrom('2.0', '2.0', '2.0', '1.0', 2, null), method: fc.oneof(methods, methods, values), params: fc.oneof(params, params, values), extra: values },
  { requiredKeys: [] },
); // prettier-ignore

test('property: every line with an id has exactly one answer, without a validation dump [req:CL-1]', async () => {
  const property = fc.asyncProperty(fc.array(messages, { minLength: 1, maxLength: 30 }), async (sent) => {
    const ids = sent.map(nextId);
    const lines = sent.map((message, index) => `{"id":${ids[index]},${JSON.stringify(message).slice(1)}`);
    const answersTo = (id: string): string[] => shim.lines().filter((line) => isAnswer(line, id));
    shim.write(lines.map((line) => `${line.replace(/,\}$/, '}')}\n`).join(''));
    for (const [index, id] of ids.entries())
      await expect.poll(() => answersTo(id).length, { timeout: 10_000, interval: 5, message: lines[index] }).toBe(1);
    const last = nextId();
    await overStdio(`{"jsonrpc":"2.0","id":${last},"method":"ping"}`, last);
    for (const id of ids) {
      const [answer, more] = answersTo(id);
      expect(more).toBeUndefined();
      expect(answer).not.toMatch(/\\"code\\"|invalid_type|ZodError/);
    }
  });
  await fc.assert(property, { numRuns: 40 });
}, 120_000);

/** A message of the server's own has a method. */
const isAnswer = (line: string, id: string): boolean => line.includes(`"id":${id}`) && !line.includes('"method":');

describe('the opening [req:CL-1]', () => {
  test.each([
    ['a call before it', '"method":"tools/call","params":{"name":"list_displays"}', /"(result|error)":/],
    ['no version', '"method":"initialize","params":{"clientInfo":{"name":"a","version":"1"}}', refused(/params\.protocolVersion is missing/)],
    ['nothing', '"method":"initialize","params":null', refused(/params\.(protocolVersion|clientInfo) is missing/)],
    ['a version of the future', `"method":"initialize","params":${JSON.stringify({ ...CLIENT, protocolVersion: '2099-01-01' })}`, /"protocolVersion":"20\d\d/],
    ['members null', `"method":"initialize","params":${JSON.stringify({ ...CLIENT, capabilities: null, _meta: null, extra: null })}`, /"protocolVersion"/],
    ['twice', `"method":"initialize","params":${JSON.stringify(CLIENT)}`, /"(result|error)":/],
  ])('%s', async (what, members, wanted) => {
    const other = startRawShim(scene.home);
    if (what === 'twice') await other.ask('initialize', CLIENT);
    other.write(`{"jsonrpc":"2.0","id":"o",${members}}\n{"jsonrpc":"2.0","id":"p","method":"ping"}\n`);
    const answer = (id: string): string | undefined => other.lines().find((line) => line.includes(`"id":"${id}"`));
    await expect.poll(() => answer('o'), { timeout: 10_000 }).toMatch(wanted);
    await expect.poll(() => answer('p'), { timeout: 10_000 }).toBeDefined();
    await other.close();
  }); // prettier-ignore

  test('a batch answers each of its messages', async () => {
    const other = startRawShim(scene.home);
    await other.ask('initialize', { ...CLIENT, protocolVersion: '2025-03-26' });
    const messages = ['"id":"a","method":"ping","params":null', '"id":"b","method":"tools/list","params":{"_meta":5}', '"id":"c","method":5', '"method":"notifications/x","params":7'];
    other.write(`[${messages.map((one) => `{"jsonrpc":"2.0",${one}}`).join()}]\n`);
    const answer = (): string => other.lines().find((line) => line.startsWith('[')) ?? '[]';
    await expect.poll(answer, { timeout: 10_000 }).not.toBe('[]');
    expect((JSON.parse(answer()) as { id: unknown }[]).map(({ id }) => id).sort()).toEqual(['a', 'b', 'c']);
    await other.close();
  }); // prettier-ignore
});

test('JSON-RPC on the socket: params null, a byte order mark, ids above 2^53, and depth are answered [req:CL-1]', async () => {
  const socket = connect(scene.host.socketPath);
  await once(socket, 'connect');
  let heard = '';
  socket.on('data', (chunk) => (heard += String(chunk)));
  const deep = `${'['.repeat(300)}${']'.repeat(300)}`;
  for (const body of [
    '\ufeff{"jsonrpc":"2.0","id":"a","method":"x","params":null}',
    '{"jsonrpc":"2.0","id":9007199254740993,"method":"x"}',
    `{"jsonrpc":"2.0","id":"d","method":"x","params":{"a":${deep}}}`,
  ])
    socket.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  await expect.poll(() => heard.split('Content-Length').length - 1).toBe(3);
  expect(heard).toMatch(/"id":"a",.*There is no method/s);
  expect(heard).toMatch(/"id":null.*Send a larger number as a string/s);
  expect(heard).toMatch(/"id":"d",.*nested more than 200 deep/s);
  expect(heard).not.toContain('9007199254740992');
  socket.destroy();
});

/** What the person is asked, and the result after they allowed it. */
async function asked(name: string, args: unknown) {
  const id = nextId();
  const result = overStdio(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${JSON.stringify({ name, arguments: args })}}`, id);
  const { approval } = await Promise.race([
    scene.person.next('approvalRequested', ({ approval: one }) => !seen.has(one.id)),
    result.then((text) => Promise.reject(new Error(`was not asked: ${text}`))),
  ]);
  seen.add(approval.id);
  await settle(scene.person, approval, 'allow');
  return { approval, result: await result };
} // prettier-ignore
const seen = new Set<string>();

describe('arguments as models write them [req:CL-2]', () => {
  test.each([
    ['click', { x: '448', y: '300' }, { x: 448, y: 300 }],
    ['click', '{"x":448,"y":300,"clickCount":"2","button":null}', { x: 448, y: 300, click_count: 2 }],
    ['press_key', { key: 'a', modifiers: 'shift', application: null }, { key: 'a', modifiers: ['shift'] }],
    ['type_text', { text: '448', paste: 'false' }, { text: '448', paste: false }],
    ['type_text', { text: 'null' }, { text: 'null' }],
  ])('the person is asked about what is done: %s %j', async (name, given, read) => {
    const { approval, result } = await asked(name, given);
    expect(approval.arguments).toEqual(read);
    expect(result).not.toContain('"isError":true');
  });

  test('also in the steps of a plan, where no spelling gets round a check', async () => {
    const step = { tool: 'press_key', arguments: '{"key":"b","modifiers":"shift"}' };
    const { approval, result } = await asked('run_plan', { steps: JSON.stringify(step), stopOnNoChange: 'false' });
    expect(approval.steps?.map((one) => one.arguments)).toEqual([{ key: 'b', modifiers: ['shift'] }]);
    expect(result).not.toContain('"isError":true');
    const id = nextId();
    const macro = { displayName: 'M', steps: { tool: 'click_element', arguments: { elementId: 'e:1' } } };
    const params = JSON.stringify({ name: 'create_macro', arguments: macro });
    expect(await overStdio(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`, id)).toMatch(
      /"isError":true/,
    );
  });

  test.each(WAYS)('over %s a call is resumed by either spelling', async (_way, send) => {
    for (const args of [{ call_id: 'none' }, { callId: 'none' }, { call_id: null, callId: 'none' }]) {
      const id = nextId();
      const params = JSON.stringify({ name: 'resume_call', arguments: args });
      const answer = await send(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`, id);
      expect(answer).toContain('unknown_call');
    }
  });
});
