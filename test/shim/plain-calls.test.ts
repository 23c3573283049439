/** What is answered without the SDK gets the answers that the SDK gives: a session of MCP 2025-03-26, which has batches, is left to the SDK whole. */
import * as fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { createFakeHost, Refusal, type FakeHost } from '../support/fake-host.js';
import { rawClient, until, wire, type Wired } from './support.js';

const BY_THE_SDK = '2025-03-26';
const OTHERS = ['2024-11-05', '2025-06-18', '2025-11-25'];
const TEXT = { type: 'text', text: 'done' };
const PICTURE = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };
const own = (value: unknown): unknown => JSON.parse(`{"__proto__":${JSON.stringify(value)}}`);

const RESULTS: Record<string, unknown> = {
  text: { content: [TEXT] },
  picture: { content: [PICTURE, TEXT], _meta: { 'dev.chaperone/call': { totalMs: 1 } } },
  value: { content: [TEXT], structuredContent: { a: [1, null, { b: '\u2028é' }] }, isError: true },
  nothing: { content: [] },
  none: null,
  list: [],
  no_content: { structuredContent: { a: 1 } },
  content_no_list: { content: 5 },
  bad_picture: { content: [{ ...PICTURE, data: 'not base64!!' }] },
  unpadded_picture: { content: [{ ...PICTURE, data: 'iVBORw' }] },
  more_in_block: { content: [{ ...TEXT, more: 1 }] },
  annotated: { content: [{ ...TEXT, annotations: { audience: ['user'], priority: 1 } }] },
  badly_annotated: { content: [{ ...TEXT, annotations: { priority: 'high' } }] },
  link: { content: [{ type: 'resource_link', uri: 'file:///a', name: 'a' }] },
  no_block: { content: [{ type: 'no_such_block' }] },
  list_for_value: { content: [TEXT], structuredContent: [1] },
  words_for_error: { content: [TEXT], isError: 'yes' },
  more: { content: [TEXT], more: { a: 1 } },
  task: { content: [TEXT], task: {} },
  input: { content: [TEXT], resultType: 'input_required' },
  token_in_meta: { content: [TEXT], _meta: { progressToken: {} } },
  related_in_meta: { content: [TEXT], _meta: { 'io.modelcontextprotocol/related-task': 5 } },
  meta_no_object: { content: [TEXT], _meta: 5 },
  prototype_in_value: { content: [TEXT], structuredContent: own(1) },
  prototype_in_meta: { content: [TEXT], _meta: own({ a: 1 }) },
  prototype: { content: [TEXT], ...Object.fromEntries([['__proto__', 1]]) },
};
const REFUSALS: Record<string, Refusal> = {
  unknown: new Refusal('DESKTOP_INVALID_REQUEST', 'No such tool.', { reason: 'unknown_tool', next: 'Use another.' }),
  refused: new Refusal('DESKTOP_TARGET_CHANGED', 'It changed.'),
  no_code: new Refusal('NO_SUCH_CODE', 'What?'),
};
/** Has the longest way of all: its result is handed over to the SDK. */
const LAST = { method: 'tools/call', params: { name: 'more' } };

let open: Wired[] = [];
afterEach(async () => {
  for (const { shim } of open) await shim.close();
  open = [];
});

interface Session {
  host: FakeHost;
  client: ReturnType<typeof rawClient>;
  write(line: string): void;
  /** Lets the calls of `slow` end. */
  release(): void;
}

async function openSession(protocolVersion: string): Promise<Session> {
  const host = createFakeHost();
  const waiting: (() => void)[] = [];
  host.on('agent/call', ({ name, arguments: args }) => {
    const known = REFUSALS[String(name)];
    if (known !== undefined) throw known;
    if (name !== 'slow')
      return String(name) in RESULTS ? RESULTS[String(name)] : { content: [TEXT], structuredContent: { args } };
    return new Promise((resolve) => waiting.push(() => resolve(RESULTS['text'])));
  });
  const wired = wire(host, { times: { progressIntervalMs: 60_000 } });
  open.push(wired);
  const client = rawClient(wired);
  client.send({
    id: 0,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  });
  await client.answer(0);
  client.send({ method: 'notifications/initialized' });
  return {
    host,
    client,
    write: (line) => void wired.toShim.write(line),
    release: () => waiting.splice(0).forEach((end) => end()),
  };
}

const odd = fc.constantFrom<unknown>(5, 'x', null, [], [1], true);
/** Mostly what is usual, so that oddities come one at a time. */
const mostly = <T>(usual: fc.Arbitrary<T>, unusual: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: unusual });
const args = mostly(
  fc.constantFrom<unknown>(undefined, {}, { a: 1, b: ['é', { c: null }] }),
  fc.oneof(odd, fc.constant(own({ a: 1 }))),
);
const meta = mostly(
  fc.constantFrom<unknown>(undefined, undefined, {}, { progressToken: 'p' }, { progressToken: 7 }),
  fc.oneof(
    fc.constantFrom<unknown>({ progressToken: 1.5 }, { progressToken: null }, { other: 1 }, own(1)),
    fc.constant({ 'io.modelcontextprotocol/protocolVersion': '2025-06-18' }),
    odd,
  ),
);
const name = mostly(
  fc.oneof(
    fc.constantFrom<unknown>('echo', 'slow', 'resume_call'),
    fc.constantFrom<unknown>(...Object.keys(RESULTS), ...Object.keys(REFUSALS)),
  ),
  odd,
);
const task = mostly<unknown>(fc.constant(undefined), fc.constantFrom({ ttl: 1 }, 5));
const params = mostly<unknown>(fc.record({ name, arguments: args, _meta: meta, task }), odd);
const request = fc.record({
  id: mostly(fc.constantFrom('number', 'text'), fc.constantFrom('fraction', 'unsafe', 'null', 'none')),
  params,
  version: mostly<unknown>(fc.constant('2.0'), fc.constantFrom('1.0', undefined)),
  more: mostly<unknown>(fc.constant(undefined), fc.constantFrom(1, {})),
  cancelled: mostly(fc.constant('no'), fc.constantFrom('yes', 'why', 'oddly')),
});
type Asked = typeof request extends fc.Arbitrary<infer T> ? T : never;

const idOf = (kind: string, index: number): unknown =>
  new Map<string, unknown>([
    ['number', index],
    ['text', `call ${index}`],
    ['fraction', index + 0.5],
    ['unsafe', 2 ** 60],
    ['null', null],
  ]).get(kind);

function linesOf(asked: Asked, index: number): string {
  const id = idOf(asked.id, index);
  const call = { jsonrpc: asked.version, id, method: 'tools/call', params: asked.params, more: asked.more };
  const reason = new Map<string, unknown>([
    ['why', 'no more'],
    ['oddly', 5],
  ]).get(asked.cancelled);
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason } };
  return [call, ...(asked.cancelled === 'no' ? [] : [cancel])].map((one) => `${JSON.stringify(one)}\n`).join('');
}

const callsOf = (host: FakeHost) =>
  host.asked
    .filter(({ method }) => method === 'agent/call' || method === 'agent/resume')
    .map(({ method, params: { name: tool, arguments: given } }) => JSON.stringify([method, tool, given]));

/** All that came since the last time, in an order of its own: answers may come in any. */
const takeAnswers = ({ client }: Session) =>
  client.received
    .splice(0)
    .map((one) => JSON.stringify(sorted(one)))
    .sort();

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)]);
}

it.each(OTHERS)(
  '[req:DS-5-1] %s: every answer is the SDK’s, and the host gets the calls in their order',
  async (version) => {
    const sessions = [await openSession(BY_THE_SDK), await openSession(version)];
    for (const session of sessions) takeAnswers(session);
    let index = 1;
    const end = async (session: Session) => {
      session.client.send({ ...LAST, id: index });
      await session.client.answer(index);
    };
    const property = fc.asyncProperty(fc.array(request, { minLength: 2, maxLength: 8, size: 'max' }), async (all) => {
      const text = all.map((one) => linesOf(one, (index += 1))).join('');
      index += 1;
      for (const session of sessions) {
        session.write(text);
        await end(session);
      }
      index += 1;
      for (const session of sessions) {
        session.release();
        await end(session);
      }
      const [expected, found] = sessions;
      if (expected === undefined || found === undefined) throw new Error('unreachable');
      expect(takeAnswers(found)).toEqual(takeAnswers(expected));
      expect(callsOf(found.host)).toEqual(callsOf(expected.host));
    });
    await fc.assert(property, { numRuns: 60 });
  },
);

it.each([BY_THE_SDK, ...OTHERS])(
  '[req:DS-5-1] %s: the first calls of a session are made in their order',
  async (version) => {
    const names = Array.from({ length: 16 }, (_, index) => `call${index + 1}`);
    const session = await openSession(version);
    const requests = names.map((tool, index) => ({
      id: index + 1,
      method: 'tools/call',
      params: { name: tool, _meta: {} },
    }));
    session.write(
      requests
        .slice(0, 7)
        .map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`)
        .join(''),
    );
    for (const one of requests.slice(7)) session.client.send(one);
    for (const { id } of requests) await session.client.answer(id);
    expect(callsOf(session.host)).toEqual(names.map((tool) => JSON.stringify(['agent/call', tool, {}])));
  },
);

it('does not let a call overtake an earlier one that the SDK serves', async () => {
  const session = await openSession('2025-06-18');
  const call = (id: number, more: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: `call${id}`, ...more } })}\n`;
  session.write(call(1, { _meta: { other: 1 } }) + call(2, {}) + call(3, { _meta: { other: 1 } }) + call(4, {}));
  for (const id of [1, 2, 3, 4]) await session.client.answer(id);
  expect(callsOf(session.host)).toEqual([1, 2, 3, 4].map((id) => JSON.stringify(['agent/call', `call${id}`, {}])));
});

it('does not answer a call that was cancelled', async () => {
  const session = await openSession('2025-06-18');
  const slow = (id: number) => ({ id, method: 'tools/call', params: { name: 'slow' } });
  session.client.send(slow(1));
  session.client.send(slow(2));
  await until(() => callsOf(session.host).length === 2);
  session.client.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
  session.client.send({ ...LAST, id: 3 });
  await session.client.answer(3);
  session.release();
  await session.client.answer(2);
  session.client.send({ ...LAST, id: 4 });
  await session.client.answer(4);
  expect(session.client.received.map((one) => one['id'])).not.toContain(1);
});
