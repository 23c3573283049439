/** The parameters of the tools of mcp-tools.md, as that names them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeTool } from '../../src/main/calls/descriptors.js';
import { toolResult } from '../../src/main/calls/results.js';
import { publish } from '../../src/main/mcp/backend.js';
import { allTools } from '../../src/main/tools/index.js';
import { openSimulated } from '../../src/native/simulated/index.js';
import { WireError } from '../../src/main/protocol/index.js';
import { ALLOWED, CALLER, createTestPipeline } from '../support/pipeline.js';

type Given = Record<string, unknown>;
interface Script {
  published(product: object, profile: 'full'): { name: string; inputSchema: { properties: object } }[];
}

/** What stands for something on the desktop of the test; the observations are made in this order. */
const PARENT = 'PARENT';
const WINDOW = 'WINDOW';
const ELEMENT = 'ELEMENT';
const FIELD = 'FIELD';
const OBSERVATION = 'OBSERVATION';
const NEXT = 'NEXT';
const AREA = { x: 100, y: 120, width: 80, height: 40 };
const END = { start_x: 100, start_y: 130, end_x: 140, end_y: 150 };
const SCRIPT = { script: 'beep', timeout: 5, compile_only: true };
const SHELL = { command: 'cat', args: [], working_directory: '/', environment: { A: 'b' }, timeout: 5, stdin: 'x', shell: false }; // prettier-ignore
const WATCH = { roles: ['AXButton'], attributes: ['title'], poll_interval_ms: 1000 };
const FIND = { parent: PARENT, role: 'AXButton', title: 'Send', identifier: 'send' };
const TURN = { scale: 2, rotation: 90, finger_count: 2, direction: 'left' };

/** In an order in which each finds what it needs: what ends something comes last. */
const SPECIFIED: readonly (readonly [string, Given])[] = [
  ['capture_screenshot', { display_id: 'main', window_id: WINDOW, format: 'png', include_ocr: true, max_width: 640, max_height: 480 }], // prettier-ignore
  ['capture_region_screenshot', { ...AREA, display_id: 'main', format: 'jpeg', include_ocr: true }],
  ['capture_window_screenshot', { window: WINDOW, format: 'jpeg', quality: 60, include_shadow: true, include_ocr: true }], // prettier-ignore
  ['click', { x: 110, y: 300, button: 'left', click_count: 2, show_animation: false }],
  ['type_text', { text: 'a', modifiers: ['ctrl'] }],
  ['press_key', { key: 'a', modifiers: ['ctrl'] }],
  ['mouse_move', { x: 120, y: 140, smooth: true, duration_ms: 10 }],
  ['scroll', { x: 120, y: 140, delta_x: 1, delta_y: 1 }],
  ['drag', { ...END, duration_ms: 10 }],
  ['hover', { x: 120, y: 140, duration: 0.01 }],
  ['gesture', { center_x: 120, center_y: 140, gesture_type: 'swipe', ...TURN }],
  ['find_elements', { ...FIND, page_size: 1, page_token: NEXT }],
  ['get_element', { parent: PARENT, element_id: ELEMENT }],
  ['get_element_actions', { parent: PARENT, element_id: ELEMENT }],
  ['click_element', { parent: PARENT, element_id: ELEMENT }],
  ['write_element_value', { parent: PARENT, element_id: FIELD, value: 'x' }],
  ['perform_element_action', { parent: PARENT, element_id: ELEMENT, action: 'AXPress' }],
  ['list_windows', { parent: PARENT, page_size: 1, page_token: NEXT }],
  ['get_window', { name: WINDOW }],
  ['focus_window', { name: WINDOW }],
  ['move_window', { name: WINDOW, x: 90, y: 110 }],
  ['resize_window', { name: WINDOW, width: 600, height: 500 }],
  ['minimize_window', { name: WINDOW }],
  ['restore_window', { name: WINDOW }],
  ['list_displays', { page_size: 1, page_token: NEXT }],
  ['get_display', { name: 'displays/one' }],
  ['write_clipboard', { text: 'x', type: 'text' }],
  ['get_clipboard', {}],
  ['get_clipboard_history', { limit: 1, offset: 0 }],
  ['clear_clipboard', {}],
  ['open_application', { application_id: 'simulated.notes' }],
  ['list_applications', { page_size: 1, page_token: NEXT }],
  ['get_application', { name: PARENT }],
  ['delete_application', { name: PARENT }],
  ['execute_apple_script', SCRIPT],
  ['execute_javascript', SCRIPT],
  ['execute_shell_command', SHELL],
  ['validate_script', { script: 'true', type: 'shell', compile_only: true }],
  ['create_observation', { parent: PARENT, type: 'element_changes', visible_only: true, ...WATCH }],
  ['stream_observations', { parent: PARENT, types: ['element_changes'], ...WATCH, timeout: 0 }],
  ['get_observation', { name: OBSERVATION }],
  ['list_observations', { parent: PARENT, page_size: 1, page_token: NEXT }],
  ['cancel_observation', { name: OBSERVATION }],
  ['close_window', { name: WINDOW }],
];

/** Taken and not published: a model has nothing to say with them. */
const UNPUBLISHED: Readonly<Record<string, readonly string[]>> = {
  gesture: Object.keys(TURN),
  get_element: ['parent'],
  get_element_actions: ['parent'],
  perform_element_action: ['parent'],
  validate_script: ['compile_only'],
};
/** What nothing on the simulated desktop can do. */
const UNSUPPORTED = ['gesture', 'execute_apple_script', 'execute_javascript'];

const display = (id: string, x: number) => ({ id, name: id, frame: { x, y: 0, width: 1440, height: 900 }, scale: 1, main: x === 0 }); // prettier-ignore
const pipeline = createTestPipeline(
  async () => ALLOWED,
  openSimulated({ displays: [display('one', 0), display('two', 1440)] }),
);
const stands: Record<string, string> = {};
const valueOf = async (tool: string, given: Given) => (await pipeline.run(tool, given)).value as Given;

beforeAll(async () => {
  const never = new AbortController().signal;
  const mail = (await pipeline.desktop.windows(never)).find(({ title }) => title === 'New Message');
  if (mail === undefined) throw new Error('no window');
  stands[PARENT] = `applications/${mail.app.pid}`;
  stands[WINDOW] = `${stands[PARENT]}/windows/${mail.id}`;
  [stands[ELEMENT], stands[FIELD]] = [await pipeline.refer('send'), await pipeline.refer('subject')];
  stands[OBSERVATION] = String((await valueOf('create_observation', { parent: stands[PARENT] }))['name']);
  await valueOf('create_observation', { parent: stands[PARENT], type: 'window_changes' });
});
afterAll(() => pipeline.recognizer.close());

/** With the names of what is there; a page token is the one that the same list gave out, where it has a second page. */
async function filled(tool: string, given: Given): Promise<Given> {
  const { page_token: next, ...rest } = Object.fromEntries(
    Object.entries(given).map(([field, value]) => [field, typeof value === 'string' ? (stands[value] ?? value) : value]), // prettier-ignore
  );
  if (next !== NEXT) return rest;
  const token = (await valueOf(tool, rest))['next_page_token'];
  return token === null ? rest : { ...rest, page_token: token };
}

test.each(SPECIFIED)('[req:DS-5-2] [req:MT-8-1] %s is called as the specification has it', async (tool, given) => {
  const called = pipeline.run(tool, await filled(tool, given)).then(
    () => 'done',
    (error: unknown) => (error instanceof WireError ? error.code : String(error)),
  );
  expect(await called).toBe(UNSUPPORTED.includes(tool) ? 'DESKTOP_UNSUPPORTED' : 'done');
});

test('[req:DS-5-2] [req:MT-8-1] all 44 are published with their parameters, but for those that say nothing more', async () => {
  const { published } = (await import(new URL('../../scripts/docs/tools.mjs', import.meta.url).href)) as Script;
  const tools = published({ allTools, describeTool, publish }, 'full');
  expect(SPECIFIED).toHaveLength(44);
  for (const [name, given] of SPECIFIED) {
    const properties = Object.keys(tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {});
    const hidden = UNPUBLISHED[name] ?? [];
    expect(properties, name).toEqual(expect.arrayContaining(Object.keys(given).filter((one) => !hidden.includes(one))));
    expect(
      properties.filter((one) => hidden.includes(one)),
      name,
    ).toEqual([]);
  }
});

test('[req:MT-T-list_displays] displays come in pages, each with its frame and density', async () => {
  const first = await valueOf('list_displays', { page_size: 1 });
  expect(first).toMatchObject({ displays: [{ name: 'displays/one', main: true, scale: 1 }], total: 2 });
  const second = await valueOf('list_displays', { page_size: 1, page_token: first['next_page_token'] });
  expect(second).toMatchObject({ displays: [{ name: 'displays/two', frame: { x: 1440 } }], next_page_token: null });
  expect(await valueOf('get_display', { name: 'displays/two' })).toMatchObject({ frame: { x: 1440, width: 1440 } });
});

test('[req:MT-T-cursor_position] the pointer is told where it is, with its display', async () => {
  for (const [x, name] of [
    [120, 'displays/one'],
    [1500, 'displays/two'],
  ] as const) {
    await valueOf('mouse_move', { x, y: 140 });
    expect(await valueOf('cursor_position', {})).toEqual({ x, y: 140, display: name });
  }
});

test('[req:MT-T-find_elements] an identifier fits as a whole, and only with the other fields', async () => {
  const found = async (given: Given) =>
    ((await valueOf('find_elements', { parent: 'simulated.notes', ...given }))['elements'] as Given[]).map(({ title }) => title); // prettier-ignore
  expect(await found({ identifier: 'note' })).toEqual(['Note']);
  expect(await found({ identifier: 'not' })).toEqual([]);
  expect(await found({ identifier: 'note', role: 'AXButton' })).toEqual([]);
});

test('[req:MT-6-1] [req:MT-6-2] [req:MT-T-capture_screenshot] a picture of one window has its text beside it, only on request', async () => {
  const parent = pipeline.world.addApp({
    id: 'shop',
    name: 'Shop',
    executable: '/shop',
    windows: [
      {
        title: 'Basket',
        frame: { x: 300, y: 200, width: 260, height: 160 },
        elements: [{ role: 'AXButton', title: 'Order', frame: { x: 20, y: 60, width: 90, height: 30 } }],
      },
    ],
  });
  const [window] = (await valueOf('list_windows', { parent: `applications/${parent}` }))['windows'] as Given[];
  for (const include_ocr of [true, false]) {
    const taken = await pipeline.run('capture_screenshot', { window_id: window?.['name'], include_ocr });
    const { content } = toolResult(taken, pipeline.images, { agentId: CALLER.agent.id }).result;
    expect(content.map(({ type }) => type).toSorted()).toEqual(['image', 'text']);
    const picture = content.find(({ type }) => type === 'image') as { data: string; mimeType: string };
    const bytes = Buffer.from(picture.data, 'base64');
    expect([picture.mimeType, bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual(['image/png', 260, 160]);
    const words = content.map((one) => ('text' in one ? String(one['text']) : '')).join();
    expect(words.includes('Order')).toBe(include_ocr);
  }
});
