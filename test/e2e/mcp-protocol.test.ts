/** The acceptance cases of the protocol, line by line through the real shim. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeTool } from '../../src/main/calls/descriptors.js';
import { publish } from '../../src/main/mcp/backend.js';
import { allTools } from '../../src/main/tools/index.js';
import { openSimulated, type SimulatedDesktop } from '../../src/native/simulated/index.js';
import { eventually } from '../support/eventually.js';
import { on, startHost, type TestHost } from '../support/host.js';
import { openPage, type Person } from '../support/person.js';
import { startRawShim, type RawShim } from '../support/raw-shim.js';

type Message = Record<string, unknown>;
const OPENING = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };

let desktop: SimulatedDesktop;
let chaperone: TestHost;
let person: Person;
let shim: RawShim;

beforeAll(async () => {
  desktop = openSimulated();
  chaperone = await startHost(on(desktop));
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  person.allowLooking();
  shim = startRawShim(chaperone.home);
  await shim.ask('initialize', OPENING);
  shim.notify('notifications/initialized');
});
afterAll(async () => {
  await shim.close();
  person.close();
  await chaperone.close();
  await desktop.close();
});

const call = (name: string, given?: unknown): Promise<Message> =>
  shim.ask('tools/call', given === undefined ? { name } : { name, arguments: given });
const result = async (answer: Promise<Message>) =>
  (await answer)['result'] as { isError?: boolean; content: { text: string }[]; structuredContent?: Message };
const lineWith = (id: number): string => shim.lines().find((line) => line.includes(`"id":${id}`)) ?? '';
const words = async (answer: Promise<Message>): Promise<string> => {
  const { isError, content } = await result(answer);
  return `${isError === true ? 'isError ' : ''}${content.map(({ text }) => text).join('\n')}`;
};

describe('case 4: the list of tools', () => {
  test('[req:DS-2-3] [req:DS-5-3] [req:MT-2-4] is what the tables say, in each profile, in the same order each time', async () => {
    const { published } = (await import(new URL('../../scripts/docs/tools.mjs', import.meta.url).href)) as {
      published(product: object, profile: string): { name: string }[];
    };
    const expected = (profile: string) => published({ allTools, describeTool, publish }, profile);
    const list = async (from: RawShim) => (await from.ask('tools/list', {}))['result'] as { tools: object[] };
    expect((await list(shim)).tools).toEqual(expected('full'));
    expect(JSON.stringify((await list(shim)).tools)).toBe(JSON.stringify((await list(shim)).tools));
    const small = startRawShim(chaperone.home, ['--profile', 'core']);
    await small.ask('initialize', OPENING);
    expect((await list(small)).tools).toEqual(expected('core'));
    await small.close();
  });
});

describe('requests that are wrong', () => {
  test('[req:MT-1-1] case 5: an unknown method is -32601, under the request’s own id', async () => {
    const answer = await shim.ask('no/such', {});
    expect(answer).toMatchObject({ jsonrpc: '2.0', id: expect.any(Number), error: { code: -32601 } });
    expect(answer).not.toHaveProperty('result');
  });

  // Where MCP is silent about codes, the SDKs decide: an unknown tool is a wrong parameter of tools/call (-32602), arguments
  // that a tool does not take are the tool's own failure (isError), so that a model reads it and corrects itself.
  test.each(['no_such_tool', '__proto__', 'constructor', 'toString', '', 'x'.repeat(10_000)])(
    'case 6: an unknown tool is -32602 and names it: %.40s',
    async (name) => {
      const { error } = (await call(name, {})) as { error: { code: number; message: string } };
      expect(error.code).toBe(-32602);
      expect(error.message).toContain(JSON.stringify(name.slice(0, 100)));
      expect(error.message).toMatch(/Use one of: .*click_element/);
      expect(error.message.length).toBeLessThan(4_000);
    },
  );

  test('case 7: params that are no object are -32602, also arguments', async () => {
    for (const [id, params] of [
      [9001, '"click"'],
      [9002, '[1]'],
      [9003, '{"name":"click","arguments":"x"}'],
      [9004, '{"name":"click","arguments":[]}'],
      [9005, '{"arguments":{}}'],
    ] as const) {
      shim.write(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}\n`);
      await eventually(() => answers(id)).toMatchObject([{ error: { code: -32602 } }]);
    }
  });

  test('case 8: a line that is no JSON is -32700, a blank one nothing, and what follows is answered', async () => {
    const before = shim.lines().length;
    shim.write('this is no JSON\n\n  \r\n{"jsonrpc":"2.0","id":1\n');
    shim.write('{"jsonrpc":"1.0","id":9010,"method":"ping"}\n[{"jsonrpc":"2.0","id":9011,"method":"ping"}]\n');
    shim.write('{"jsonrpc":"2.0","id":{},"method":"ping"}\n{"jsonrpc":"2.0","method":"ping","params":7}\n');
    expect(await shim.ask('ping', {})).toMatchObject({ result: {} });
    const said = shim
      .lines()
      .slice(before)
      .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } });
    expect(said.map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32700],
      [null, -32700],
      [9010, -32600],
      [null, -32600],
      [null, -32600],
      [expect.any(Number), undefined],
    ]);
  });

  test('a line too long to be a call, and one too deep to be passed on, end nothing', async () => {
    shim.write(`${'y'.repeat(11 * 1024 * 1024)}\n`);
    await eventually(() => shim.lines().at(-1)).toContain('-32700');
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    shim.write(
      `{"jsonrpc":"2.0","id":9020,"method":"tools/call","params":{"name":"click","arguments":{"x":${deep}}}}\n`,
    );
    await eventually(() => JSON.stringify(answers(9020))).toMatch(/isError":true|"code":-32/);
    expect(JSON.stringify(answers(9020))).not.toContain('resume');
    expect(await result(call('list_displays'))).not.toHaveProperty('isError');
  });

  const answers = (id: number) =>
    shim
      .lines()
      .map((line) => JSON.parse(line) as Message)
      .filter((message) => message['id'] === id);
});

describe('arguments', () => {
  let posted: number;
  beforeEach(() => {
    posted = desktop.world.journal().length;
  });

  test.each([
    [
      'a required one is missing',
      'click',
      { y: 1 },
      /^isError DESKTOP_INVALID_REQUEST: click: x: required \(a number\)/,
    ],
    ['the type is wrong', 'click', { x: 'left', y: 1 }, /click: x: must be a number, not "left"/],
    [
      'a whole number is not',
      'click',
      { x: 1, y: 1, click_count: 1.5 },
      /click: click_count: must be a whole number, not 1\.5/,
    ],
    [
      'it is none of those there are',
      'click',
      { x: 1, y: 1, button: 'c' },
      /click: button: must be one of "left", .* not "c"/,
    ],
    [
      'case 10: it is null',
      'click',
      { x: null, y: null },
      /click: x: must be a number, not null\. y: must be a number, not null/,
    ],
    [
      'nobody knows it',
      'click',
      { x: 1, y: 1, buton: 'left' },
      /click: buton: unknown parameter \(did you mean button\?\)/,
    ],
    [
      'a tool that takes none',
      'check_replies',
      { all: true },
      /check_replies: all: unknown parameter \(this takes none\)/,
    ],
  ])('case 9: are refused by name when %s', async (_when, name, given, told) => {
    expect(await words(call(name, given))).toMatch(told);
    expect(await words(call(name, given))).not.toContain('"issues"');
    expect(desktop.world.journal().length).toBe(posted);
  });

  test('case 9: beyond what a number can be are refused, and so is what is no number at all', async () => {
    shim.write(
      '{"jsonrpc":"2.0","id":9100,"method":"tools/call","params":{"name":"click","arguments":{"x":1e999,"y":1}}}\n',
    );
    shim.write(
      '{"jsonrpc":"2.0","id":9101,"method":"tools/call","params":{"name":"click","arguments":{"x":NaN,"y":1}}}\n',
    );
    await eventually(() => lineWith(9100)).toMatch(/params\.arguments\.x is a number too large/);
    await eventually(() => shim.lines().join('\n')).toMatch(/-32700.*NaN/);
    expect(desktop.world.journal().length).toBe(posted);
  });

  test('case 11: may be left out where none is required, or be null', async () => {
    for (const given of [undefined, null, {}])
      expect(await result(call('list_displays', given))).toMatchObject({
        structuredContent: { displays: expect.any(Array) },
      });
  });

  test('with names of an object’s own machinery harm nothing', async () => {
    shim.write(
      '{"jsonrpc":"2.0","id":9120,"method":"tools/call","params":{"name":"list_displays","arguments":{"constructor":{"prototype":{"polluted":1}}}}}\n',
    );
    await eventually(() => lineWith(9120)).toContain('list_displays: constructor: unknown parameter');
    expect(await result(call('list_displays'))).not.toHaveProperty('isError');
  });
});

test('[req:MT-4-1] case 12: a failure says isError with words, a success does not, and nothing says is_error', async () => {
  const failed = await result(call('focus_window', { name: 'nothing' }));
  expect(failed.isError).toBe(true);
  expect(failed.content[0]?.text).toMatch(/^DESKTOP_\w+: \S/);
  expect(await result(call('list_displays'))).not.toHaveProperty('isError');
  expect(shim.lines().join('\n')).not.toContain('is_error');
});

test('case 13: while one call waits for the person, 50 others are answered, each under its own id', async () => {
  const cards = () => person.seen.filter(({ type }) => type === 'approvalRequested').length;
  const before = cards();
  const click = call('click_element', { element_id: await button() });
  await eventually(cards).toBeGreaterThan(before);
  const reads = Array.from({ length: 50 }, (_, index) =>
    index % 2 === 0 ? call('list_displays') : shim.ask('ping', {}),
  );
  const answered = await Promise.all(reads);
  for (const [index, answer] of answered.entries()) {
    if (index % 2 === 0)
      expect(answer).toMatchObject({ result: { structuredContent: { displays: expect.any(Array) } } });
    else expect(answer).toMatchObject({ result: {} });
  }
  expect(new Set(answered.map((answer) => answer['id'])).size).toBe(50);
  expect(await Promise.race([click, Promise.resolve('waits')])).toBe('waits');
  await person.answer('deny');
  expect(await words(click)).toMatch(/^isError DESKTOP_CONFIRM_REQUIRED/);
});

test('case 28: a page token that was not given out is refused; one that was gives nothing away', async () => {
  const { structuredContent: first } = await result(call('list_applications', { page_size: 1 }));
  const token = String(first?.['next_page_token']);
  expect(token).not.toMatch(/^\d+$|^offset:|^\{/);
  const decoded = Buffer.from(token, 'base64').toString();
  expect(() => JSON.parse(decoded) as unknown).toThrow();
  expect(decoded).not.toMatch(/^offset:\d+$/);
  const { structuredContent: second } = await result(call('list_applications', { page_size: 1, page_token: token }));
  expect(second?.['applications']).not.toEqual(first?.['applications']);
  const junk = [
    'abc',
    '10',
    'offset:5',
    Buffer.from('offset:5').toString('base64'),
    '{"offset":5}',
    `${token}x`,
    ` ${token}`,
  ];
  for (const fabricated of junk)
    expect(await words(call('list_applications', { page_size: 1, page_token: fabricated }))).toMatch(
      /^isError DESKTOP_INVALID_REQUEST: page_token: /,
    );
  expect(await words(call('list_windows', { page_size: 1, page_token: token }))).toMatch(/^isError .*page_token/);
});

test('[req:DS-3-11] what an observation sees is told to its client without being asked for', async () => {
  const { structuredContent: made } = await result(call('create_observation', { type: 'window_changes' }));
  desktop.world.addApp({
    id: 'test.new',
    name: 'New',
    executable: '/new',
    windows: [{ title: 'Fresh', frame: { x: 0, y: 0, width: 300, height: 200 }, elements: [] }],
  });
  const told = () =>
    shim
      .notifications()
      .filter((one) => one['method'] === 'notifications/message')
      .map((one) => JSON.stringify(one['params']));
  await eventually(() => told().find((one) => one.includes('Fresh')) ?? '').toMatch(
    new RegExp(`"logger":"chaperone/observation".*"observation":"${String(made?.['name'])}"`),
  );
  await result(call('cancel_observation', { name: made?.['name'] }));
});

async function button(): Promise<string> {
  const found = await result(call('find_elements', { parent: 'simulated.mail', role: 'AXButton', title: 'Send' }));
  const [first] = found.structuredContent?.['elements'] as { elementId: string }[];
  return first?.elementId ?? '';
}
