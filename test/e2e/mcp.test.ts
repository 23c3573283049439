import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { openSimulated, type SimulatedDesktop } from '../../src/native/simulated/index.js';
import { ENTRY } from '../support/command.js';
import { on, startHost, type TestHost } from '../support/host.js';
import { openPage, type Person } from '../support/person.js';
import { startRawShim } from '../support/raw-shim.js';

const DISPLAYS = [
  { id: 'display-1', name: 'Main', frame: { x: 0, y: 0, width: 1440, height: 900 }, scale: 1, main: true },
  { id: 'display-2', name: 'Left', frame: { x: -1280, y: -200, width: 1280, height: 800 }, scale: 2, main: false },
];
const SCREENS = [
  { id: 'main', name: 'displays/display-1', width: 1440, height: 900, pixel_density: 1, origin_x: 0, origin_y: 0 },
  {
    id: 'display-1',
    name: 'displays/display-2',
    width: 1280,
    height: 800,
    pixel_density: 2,
    origin_x: -1280,
    origin_y: -200,
  },
];
const MAIL = 'simulated.mail';
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

type Arguments = Record<string, unknown>;
interface Answer {
  isError: boolean;
  text: string;
  value: Record<string, unknown> | undefined;
  image: { data: string; mimeType: string } | undefined;
}

let desktop: SimulatedDesktop;
let chaperone: TestHost;
let person: Person;
let opened: { close(): unknown }[];

beforeEach(async ({ task }) => {
  opened = [];
  // Each act leaves pictures: two large displays are there for what is about them.
  desktop = openSimulated(task.name.includes('main') ? { displays: DISPLAYS } : {});
  chaperone = await startHost(on(desktop));
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  person.allowLooking();
  opened.push(person);
});
afterEach(async () => {
  for (const one of opened.reverse()) await one.close();
  await chaperone.close();
  await desktop.close();
});

const place = () => ({
  command: process.execPath,
  args: [ENTRY, 'mcp'],
  env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', CHAPERONE_HOME: chaperone.home },
  cwd: chaperone.workspace,
  stderr: 'ignore' as const,
});

/** Both check every structured result against the tool's own output schema, and reject one that does not fit. */
const CLIENTS = {
  async 'SDK 1'() {
    const client = new ClientV1({ name: 'sdk-1', version: '1' });
    await client.connect(new StdioV1(place()));
    opened.push(client);
    return {
      list: () => client.listTools(),
      call: (name: string, given: Arguments) => client.callTool({ name, arguments: given }),
    };
  },
  async 'SDK 2'() {
    const client = new ClientV2({ name: 'sdk-2', version: '2' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StdioV2(place()));
    opened.push(client);
    return {
      list: () => client.listTools(),
      call: (name: string, given: Arguments) => client.callTool({ name, arguments: given }),
    };
  },
};
type Kind = keyof typeof CLIENTS;

async function start(kind: Kind) {
  const client = await CLIENTS[kind]();
  const { tools } = await client.list();
  const used = new Set<string>();
  /** Whether a result has what its tool's schema names; clients check no more than that. */
  const fits = (name: string, isError: unknown, structuredContent: unknown): boolean => {
    const schema = tools.find((tool) => tool.name === name)?.outputSchema;
    if (isError === true || schema === undefined) return true;
    if (schema.properties === undefined) return typeof structuredContent === 'object';
    return Object.keys(Object(schema.properties)).some((field) => Object.hasOwn(Object(structuredContent), field));
  };
  async function call(name: string, given: Arguments = {}): Promise<Answer> {
    used.add(name);
    const result = await client.call(name, given);
    expect(fits(name, result.isError, result.structuredContent), name).toBe(true);
    const blocks = result.content as { type: string; text?: string; data?: string; mimeType?: string }[];
    const [image] = blocks.flatMap(({ data, mimeType }) =>
      data === undefined || mimeType === undefined ? [] : [{ data, mimeType }],
    );
    return {
      isError: result.isError === true,
      text: blocks
        .map((block) => block.text ?? '')
        .join('\n')
        .trim(),
      value: result.structuredContent as Answer['value'],
      image,
    };
  }
  async function good(name: string, given: Arguments = {}): Promise<Answer> {
    const answer = await call(name, given);
    if (answer.isError) throw new Error(answer.text);
    return answer;
  }
  async function allowed(name: string, given: Arguments = {}): Promise<Answer> {
    const [answer] = await Promise.all([good(name, given), person.answer('allow')]);
    return answer;
  }
  async function element(role: string, title: string): Promise<string> {
    const { value } = await good('find_elements', { parent: MAIL, role, title });
    const [first] = value?.['elements'] as { elementId: string }[];
    return first?.elementId ?? '';
  }
  return { tools, used, call, good, allowed, element };
}

describe('the opening', () => {
  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    '[req:DS-5-1] [req:DS-5-9] [req:MT-1-1] [req:MT-2-1] [req:MT-3-1] [req:MT-5-1] [req:MT-7-1] in %s tells the screens, also those left of the main one (cases 1 to 3)',
    async (protocolVersion) => {
      const shim = startRawShim(chaperone.home);
      opened.push(shim);
      const answer = await shim.ask('initialize', {
        protocolVersion,
        capabilities: {},
        clientInfo: { name: 'raw', version: '1' },
      });
      expect(answer).toMatchObject({
        jsonrpc: '2.0',
        result: {
          protocolVersion,
          serverInfo: { name: 'chaperone' },
          capabilities: { tools: {} },
          screens: SCREENS,
          displayInfo: { screens: SCREENS },
        },
      });
      shim.notify('notifications/initialized');
      const { result } = await shim.ask('tools/call', { name: 'list_displays', arguments: {} });
      expect(result).toMatchObject({
        content: [{ type: 'text', text: expect.stringContaining('1280×800 at (-1280, -200), scale 2') }],
      });
      expect(shim.notifications()).toEqual([]);
      shim.end();
      expect(await shim.ended).toBe(0);
    },
  );
});

describe.each(['SDK 1', 'SDK 2'] as const)('through %s', (kind) => {
  test('[req:DS-5-4] [req:DS-5-7] [req:MT-2-5] [req:MT-T-send_message] tools of every kind give text, and a value that fits their own output schema', async () => {
    const { tools, used, good, allowed, call, element } = await start(kind);
    await good('list_displays');
    await good('list_applications');
    const { value: listed } = await good('list_windows', { parent: 'simulated.notes' });
    const [notes] = listed?.['windows'] as { name: string }[];
    const [subject, send] = [await element('AXTextField', 'Subject'), await element('AXButton', 'Send')];
    expect(await good('get_element', { element_id: subject })).toMatchObject({
      value: { elementId: subject, role: 'AXTextField' },
    });
    await good('wait_element', { parent: MAIL, title: 'Send', timeout: 5 });

    expect(await allowed('write_element_value', { element_id: subject, value: 'Grüße 🎉' })).toMatchObject({
      value: { written: true, effect: 'confirmed', before: '', after: 'Grüße 🎉' },
    });
    expect(await allowed('click_element', { element_id: send })).toMatchObject({
      text: expect.stringContaining('Effect: confirmed'),
      value: { clicked: true, effect: 'confirmed', before: expect.anything(), after: expect.anything() },
    });
    expect(await allowed('click', { x: 100, y: 100 })).toMatchObject({ value: { clicked: true, effect: 'no_change' } });
    expect(await allowed('type_text', { text: 'ada', application: MAIL })).toMatchObject({
      value: { typed: true, characters: 3 },
    });
    expect(await allowed('press_key', { key: 'a', modifiers: ['ctrl'] })).toMatchObject({
      value: { keys: ['ctrl', 'a'] },
    });
    expect(await allowed('focus_window', { name: notes?.name })).toMatchObject({
      value: { focused: true, effect: 'confirmed' },
    });
    expect(await allowed('open_application', { application_id: 'simulated.calculator' })).toMatchObject({
      value: { effect: 'confirmed' },
    });

    const shot = await good('capture_screenshot');
    expect(shot).toMatchObject({ image: { mimeType: 'image/png' }, text: expect.stringContaining('1440×900 px') });
    expect(shot.value).toBeUndefined();
    const [asked] = await Promise.all([good('send_message', { text: 'Well?' }), person.reply('fine')]);
    expect(asked).toMatchObject({ text: 'fine', value: { reply: 'fine', paired: true } });
    expect(await good('check_replies')).toMatchObject({ value: { replies: [] } });
    expect(await call('resume_call', { call_id: 'none' })).toMatchObject({ isError: true });
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining([...used]));
  });

  test('[req:MT-6-1] the pictures of a reply come as pictures, with the words beside them', async () => {
    const { good } = await start(kind);
    const images = [{ mimeType: 'image/png', base64: PIXEL }];
    const [asked] = await Promise.all([
      good('send_message', { text: 'What do you see?' }),
      person.next('agentMessage').then(({ ack_id: id }) => person.send({ type: 'ack', id, message: 'this', images })),
    ]);
    expect(asked).toMatchObject({
      image: { data: PIXEL, mimeType: 'image/png' },
      text: expect.stringMatching(/^this/),
    });
    expect(asked.value).toBeUndefined();
  });

  test('[req:DS-5-5] [req:MT-4-1] a failure is told with its code, what happened and the next step, and the client goes on', async () => {
    const { call, good, element } = await start(kind);
    const send = await element('AXButton', 'Send');
    const failures: [string, Arguments, RegExp, RegExp][] = [
      [
        'find_elements',
        { parent: 'nobody', title: 'x' },
        /^DESKTOP_ELEMENT_NOT_FOUND: No running application is named nobody/,
        /list_applications/,
      ],
      ['get_element', { element_id: 'e:999' }, /^DESKTOP_ELEMENT_NOT_FOUND: Unknown element e:999/, /find_elements/],
      ['wait_element', { parent: MAIL, title: 'Never', timeout: 0.1 }, /^DESKTOP_TIMEOUT: Nothing/, /find_elements/],
      [
        'press_key',
        { key: 'hyper' },
        /^DESKTOP_INVALID_REQUEST: “hyper” isn’t a valid key.*enter/,
        /Correct the arguments/,
      ],
      ['click', { x: 'left' }, /^DESKTOP_INVALID_REQUEST: click: x: .*\. y: /, /Correct the arguments/],
      [
        'focus_window',
        { name: MAIL },
        /^DESKTOP_INVALID_REQUEST: .*isn’t a window id/,
        /applications\/123\/windows\/456/,
      ],
      ['click', { x: 1, y: 1, space: 'image:gone' }, /^DESKTOP_INVALID_REQUEST: .*image:gone/, /new screenshot/],
    ];
    for (const [name, given, what, next] of failures) {
      const { isError, text } = await call(name, given);
      const [first = '', second = ''] = text.split('\n');
      expect(isError, name).toBe(true);
      expect(first).toMatch(what);
      expect(second).toMatch(/^Next: \S/);
      expect(second).toMatch(next);
    }
    const [denied] = await Promise.all([
      call('click_element', { element_id: send }),
      person.answer('deny', { message: 'not today' }),
    ]);
    expect(denied).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^DESKTOP_CONFIRM_REQUIRED: .*not today.*\nNext: .*send_message/),
    });
    expect(await good('list_displays')).toMatchObject({ isError: false });
    expect(desktop.world.journal().filter(({ event }) => event === 'pressed')).toEqual([]);
  });

  test('a tool that is not there is refused with the names of those that are', async () => {
    const { call } = await start(kind);
    const refused = await call('launch_rocket').catch((error: unknown) => ({ isError: true, text: String(error) }));
    expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/launch_rocket[^]*click_element/) });
  });
});

test('[req:MT-3-1] [req:MT-6-1] [req:DS-5-8] points left of the main display are global, in points and in pixels of a picture', async () => {
  const { good, allowed } = await start('SDK 1');
  const pid = desktop.world.addApp({
    id: 'test.left',
    name: 'Left',
    executable: '/left',
    windows: [
      {
        title: 'Left',
        frame: { x: -1000, y: -100, width: 400, height: 300 },
        elements: [
          { role: 'AXButton', title: 'Far', identifier: 'far', frame: { x: 100, y: 100, width: 100, height: 40 } },
        ],
      },
    ],
  });
  const { value } = await good('find_elements', { parent: `applications/${pid}`, role: 'AXButton' });
  const [{ frame }] = value?.['elements'] as [{ frame: { x: number; y: number; width: number; height: number } }];
  expect(frame).toMatchObject({ x: -900, width: 100 });
  const middle = { x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 };
  const presses = () =>
    desktop.world.journal().filter(({ control, event }) => control === 'far' && event === 'pressed').length;
  await allowed('click', middle);
  expect(presses()).toBe(1);

  const { text, image } = await good('capture_screenshot', { display_id: 'display-2' });
  const bytes = Buffer.from(image?.data ?? '', 'base64');
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  expect([width, height]).toEqual([1568, 980]);
  expect(text).toContain(`1568×980 px, 1.225 px per point, top left at (-1280, -200)`);
  const space = /space "(image:[^"]+)"/.exec(text)?.[1];
  const at = { x: (middle.x + 1280) * 1.225, y: (middle.y + 200) * 1.225 };
  const clicked = await allowed('click', { ...at, space });
  expect(presses()).toBe(2);
  const { point } = clicked.value as { point: { x: number; y: number } };
  expect(point.x).toBeCloseTo(middle.x, 3);
  expect(point.y).toBeCloseTo(middle.y, 3);
});
