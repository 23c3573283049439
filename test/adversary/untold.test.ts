/** An agent that may see nothing gets the same answers, byte for byte, on two desktops that differ in what only a look could tell. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isRecord } from '../../src/base/type-guards.js';
import type { Card, ToPage } from '../../src/main/protocol/index.js';
import type { AppSpec, World } from '../../src/native/simulated/index.js';
import { openGabp, type Gabp } from '../support/gabp.js';
import { type Person, settle } from '../support/person.js';
import { openPipe } from '../support/pipe.js';
import { type Scene, startScene } from '../support/world.js';

type Arguments = Record<string, unknown>;

const FRAME = { x: 60, y: 60, width: 400, height: 300 };
const at = (y: number) => ({ x: 20, y, width: 200, height: 24 });
const LEDGER: AppSpec = {
  id: 'simulated.ledger',
  name: 'Ledger',
  executable: '/opt/ledger',
  windows: [
    {
      title: 'Payroll 4471',
      frame: FRAME,
      elements: [
        { role: 'AXButton', title: 'Dismiss Bob', identifier: 'dismiss', frame: at(10) },
        { role: 'AXStaticText', title: 'The merger closes on Friday', frame: at(50) },
        { role: 'AXTextField', title: 'Amount', value: '4471', frame: at(90) },
      ],
    },
  ],
};

/** What only a look at the desktop tells: what runs, how many windows there are, their titles and texts, the focus, the clipboard. */
const SECRETS: readonly ((world: World) => void)[] = [
  (world) => {
    const pid = world.addApp(LEDGER);
    world.addWindow(pid, { title: 'Second window', frame: { ...FRAME, x: 500 } });
    world.setClipboard({ text: 'secret' });
  },
  (world) => {
    world.addApp(LEDGER, { start: false });
    world.addApp({
      id: 'simulated.poem',
      name: 'Poem',
      executable: '/opt/poem',
      windows: [{ title: 'An ode', frame: FRAME }],
    });
    world.setClipboard({ png: new Uint8Array([1, 2, 3]) });
  },
];

/** Values that hit something on one of the desktops, by the name of the parameter; else by its type. */
const NAMED: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>([
  ['parent', ['simulated.ledger']],
  ['application', ['simulated.ledger']],
  ['name', ['applications/105/windows/title:Payroll%204471', 'applications/simulated.ledger']],
  ['window', ['applications/105/windows/title:Payroll%204471']],
  ['title', ['Dismiss Bob', 'o']],
  ['role', ['AXButton']],
  ['text', ['merger', 'e']],
  ['application_id', ['simulated.ledger']],
  ['timeout', [0.05]],
  ['duration', [0.01]],
  [
    'steps',
    [
      [{ tool: 'click_element', arguments: { parent: 'simulated.ledger', title: 'Dismiss Bob' } }],
      [{ tool: 'click', arguments: { x: 100, y: 110 } }],
    ],
  ],
  ['keys', [['a'], ['ctrl', 'a']]],
  ['key', ['a']],
  ['command', ['true']],
]);

const OF_TYPE: ReadonlyMap<unknown, readonly unknown[]> = new Map<unknown, readonly unknown[]>([
  ['string', ['o']],
  ['number', [110]],
  ['integer', [1]],
  ['boolean', [true]],
  ['array', [[]]],
  ['object', [{}]],
]);

function valuesFor(name: string, schema: unknown): readonly unknown[] {
  const named = NAMED.get(name);
  if (named !== undefined || !isRecord(schema)) return named ?? [];
  if (Array.isArray(schema['enum'])) return schema['enum'];
  if ('const' in schema) return [schema['const']];
  const some = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(some)) return some.flatMap((one) => valuesFor(name, one)).slice(0, 2);
  return OF_TYPE.get(schema['type']) ?? [];
}

/** Nothing, what a tool takes at least, each parameter that names something of the desktop, all others together, and what it refuses. */
function shapesOf(schema: unknown): Arguments[] {
  if (!isRecord(schema)) return [{}];
  const properties = isRecord(schema['properties']) ? Object.entries(schema['properties']) : [];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const first = (some: typeof properties) =>
    Object.fromEntries(some.map(([name, one]) => [name, valuesFor(name, one)[0]]));
  const needed = first(properties.filter(([name]) => required.includes(name)));
  const optional = properties.filter(([name]) => !required.includes(name));
  const naming = properties.flatMap(([name]) => (NAMED.get(name) ?? []).map((value) => ({ ...needed, [name]: value })));
  const others = { ...needed, ...first(optional.filter(([name]) => !NAMED.has(name))) };
  const place = ['parent', 'application'].find((name) => properties.some(([one]) => one === name));
  const inside = naming.filter((shape) => ['title', 'role', 'text', 'keys'].some((name) => name in shape));
  const placed = place === undefined ? [] : inside.map((shape) => ({ ...shape, [place]: 'simulated.ledger' }));
  const all = [{}, needed, ...naming, ...placed, others, { ...needed, nonsense: 1 }];
  return [...new Map(all.map((shape) => [JSON.stringify(shape), shape])).values()];
}

const ROUTES: readonly Arguments[] = [
  {},
  { route: { app: { bundleId: 'simulated.ledger' } } },
  { route: { window: { titlePattern: 'Payroll' } } },
];
const confirm = { phrase: 'CONFIRM' };
const SELECTORS = ['Dismiss', 'Nothing'].map((titleContains) => ({ titleContains }));
const clicks = SELECTORS.map((selector) => ({ target: { selector }, confirm }));

/** The parameters of each desktop.* method that are tried; one that is missing here fails the test. */
const METHODS: Record<string, readonly Arguments[]> = {
  'desktop.health': [{}],
  'desktop.doctor': [{}],
  'desktop.observe': [{}],
  'desktop.find': SELECTORS.map((selector) => ({ selector })),
  'desktop.waitUntil': SELECTORS.map((selectorExists) => ({
    condition: { selectorExists },
    pollMs: 10,
    timeoutMs: 50,
  })),
  'desktop.click': clicks,
  'desktop.typeText': [{ text: 'a', confirm }, ...clicks.map((click) => ({ ...click, text: 'a' }))],
  'desktop.hotkey': [{ keys: ['a'], confirm }],
  'desktop.confirm.issue': clicks.map((params) => ({ intent: { method: 'desktop.click', params } })),
  'desktop.abort': [{ executionId: '00000000-0000-4000-8000-000000000000' }],
};

/** What MCP has besides tools; the answer to the opening has the screens. */
const OF_MCP: readonly [string, Arguments][] = [
  [
    'initialize',
    { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'one that looks', version: '1' } },
  ],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ...[
    ['application', 'chaperone://applications/{application}'],
    ['window', 'chaperone://windows/{window}'],
    ['display', 'chaperone://screens/{display}/image'],
  ].map(([name, uri]): [string, Arguments] => [
    'completion/complete',
    { ref: { type: 'ref/resource', uri }, argument: { name, value: '' } },
  ]),
];

/** What else an agent may ask the host for, also as the command line does. */
const REQUESTS: readonly [string, Arguments][] = [
  ...['resources/list', 'attention/current', 'state/get'].map((name): [string, Arguments] => [name, {}]),
  ...['admin/status', 'admin/approvals', 'admin/apps'].map((name): [string, Arguments] => [name, {}]),
];

/** Sent only where a call takes long. */
const isOnlyLong = ({ channel, payload }: Gabp['events'][number]): boolean =>
  channel === 'call/progress' && isRecord(payload) && payload['message'] === 'Running.';

const byMethod = (list: string): string => (list.match(/\{[^{}]*\}/gu) ?? []).toSorted().join(',');

/** Ids, times and folders by their place in each answer, and what is sorted by time by its name: what is random must not hide what is not. */
function normalized(answer: unknown): string {
  const known = new Map<string, string>();
  const numbered = (value: string) => {
    if (!known.has(value)) known.set(value, `<${known.size + 1}>`);
    return known.get(value) ?? '';
  };
  return JSON.stringify(answer)
    .replaceAll(/"(?:ms|totalMs|waited)\\?":[\d.]+|Waited [\d.]+ s/gu, '<duration>')
    .replaceAll(/(?<="desktop":\[)[^\]]*/gu, byMethod)
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b[0-9a-f]{64}\b/gu, numbered)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, '<time>')
    .replaceAll(/localhost:\d+/gu, '<host>')
    .replaceAll(/\/tmp\/chaperone-(?:test|work)-\w+/gu, '<folder>');
}

interface Answers {
  asked: string[];
  /** Resolves when the person has done with the last card, and agents may go on. */
  done(): Promise<void>;
}

const isHeld = ({ status: { paused, agents, away = [] } }: Extract<ToPage, { type: 'status' }>) =>
  paused !== null || away.length > 0 || agents.some((agent) => agent.state === 'paused');

/** More than one, as a person with many denials a second would exceed what a page may send. */
const PAGES = 3;

/** The person denies whatever is asked, on each page in turn, and lets agents go on after each third denial, which pauses them. */
async function denyAll(scene: Scene): Promise<Answers> {
  const more = Array.from({ length: PAGES - 1 }, () => scene.page(scene.host.pairingLink()));
  const pages = [scene.person, ...(await Promise.all(more))];
  const asked: string[] = [];
  let last = Promise.resolve();
  const deny = async (page: Person, card: Card) => {
    await settle(page, card, 'deny');
    if (asked.length % 3 !== 0) return;
    await page.next('status', isHeld);
    page.send({ type: 'pause', on: false });
    await page.next('status', (status) => !isHeld(status));
  };
  const everDeny = async () => {
    for (;;) {
      const { approval } = await scene.person.next('approvalRequested');
      asked.push(approval.effect);
      last = deny(pages[asked.length % PAGES] ?? scene.person, approval);
      await last;
    }
  };
  const everReply = async () => {
    for (;;) await scene.person.reply('No.');
  };
  for (const ever of [everDeny, everReply]) ever().catch(() => undefined);
  return { asked, done: () => last };
}

async function sceneUnder(policy: object): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'untold-'));
  await writeFile(join(folder, 'policy.json'), JSON.stringify(policy));
  const scene = await startScene({ policy: join(folder, 'policy.json') });
  onTestFinished(async () => {
    await scene.close();
    await rm(folder, { recursive: true });
  });
  return scene;
}

const failed = (thrown: unknown) => ({ thrown: thrown instanceof Error ? thrown.message : String(thrown) });

/** Everything that a new agent can ask, in order. */
async function walk(
  policy: object,
  secret: (world: World) => void,
): Promise<{ answers: string[]; names: string[]; asked: string[] }> {
  const scene = await sceneUnder(policy);
  secret(scene.world);
  const { asked, done } = await denyAll(scene);
  const agent: Gabp = await openGabp(scene);
  onTestFinished(() => agent.close());
  const [answers, names]: [unknown[], string[]] = [[], []];
  const note = async (name: string, call: () => Promise<unknown>) => {
    const from = agent.events.length;
    answers.push({
      answer: await call().catch(failed),
      events: agent.events.slice(from).filter((one) => !isOnlyLong(one)),
    });
    await done();
    names.push(name);
  };
  await agent.request('events/subscribe', { channels: ['*'] }).catch(() => undefined);
  for (const { name, inputSchema } of await agent.tools())
    for (const shape of shapesOf(inputSchema))
      await note(`${name} ${JSON.stringify(shape)}`, () => agent.tool(name, shape));
  const unknown = await scene.rpc.error('desktop.none');
  expect(unknown.details['methods']).toEqual(expect.arrayContaining(Object.keys(METHODS)));
  for (const method of Array.isArray(unknown.details['methods']) ? unknown.details['methods'].map(String) : []) {
    const given = METHODS[method];
    if (given === undefined) throw new Error(`${method} is not walked`);
    for (const params of given.flatMap((one) => ROUTES.map((route) => ({ ...one, ...route }))))
      await note(`${method} ${JSON.stringify(params)}`, () => scene.rpc.call(method, params));
  }
  for (const [method, params] of REQUESTS) await note(method, () => agent.request(method, params));
  const pipe = await openPipe(scene);
  onTestFinished(() => pipe.close());
  for (const [method, params] of OF_MCP)
    await note(`${method} ${JSON.stringify(params)}`, () => pipe.request(method, params));
  return { answers: answers.map(normalized), names, asked };
}

const effects = { pointer: 'deny', input: 'deny', dangerous: 'deny' };
test.each([
  ['nothing is allowed', { preset: 'standard', effects: { disclose: 'deny', ...effects } }, 0],
  ['acts are asked about, and looking is refused', { preset: 'standard', effects: { disclose: 'deny' } }, 50],
  [
    'acts are allowed, and looking is refused',
    { preset: 'standard', effects: { disclose: 'deny', input: 'allow', pointer: 'allow' } },
    50,
  ],
  ['everything is asked about, and the person says no', { preset: 'standard' }, 100],
] as const)(
  '[req:SG-6] where %s, no answer tells two desktops apart',
  { timeout: 240_000 },
  async (_when, policy, least) => {
    const [one, other] = await Promise.all(SECRETS.map((secret) => walk(policy, secret)));
    if (one === undefined || other === undefined) throw new Error('two desktops were expected');
    expect(one.names).toEqual(other.names);
    expect(one.names.length).toBeGreaterThan(250);
    const told = one.answers.flatMap((answer, index) =>
      answer === other.answers[index] ? [] : [`${one.names[index]}\n  ${answer}\n  ${other.answers[index]}`],
    );
    expect(told.join('\n')).toBe('');
    expect(one.asked.length).toBe(other.asked.length);
    expect(one.asked.length).toBeGreaterThanOrEqual(least);
  },
);
