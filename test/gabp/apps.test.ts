/** Applications as processes of their own, through a whole host: confirmed, started, called, and ended. */
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { settle } from '../support/person.js';
import { alive } from '../support/alive.js';
import { eventually } from '../support/eventually.js';
import { openGabp, type ToolAnswer } from '../support/gabp.js';
import { launched, peerAlone, peerCommand, startApps, type Apps } from '../support/gabp-apps.js';

let apps: Apps | null = null;
afterEach(async () => {
  await apps?.close();
  apps = null;
});

const open = async (entries: Record<string, unknown>): Promise<Apps> => (apps = await startApps(entries));

/** A call that the person allows. */
const allowed = async ({ agent, scene }: Apps, name: string, args: object = {}): Promise<ToolAnswer> =>
  (await Promise.all([agent.tool(name, { ...args }), scene.person.answer('allow')]))[0];

const resultOf = ({ structuredContent }: ToolAnswer): unknown => structuredContent?.['result'];
const textOf = ({ content }: ToolAnswer): string => content.map(({ text }) => text ?? '').join('\n');

test('[req:GC-1] nothing of an entry is used before a person has confirmed exactly it; a changed one is asked anew', async () => {
  const { agent, scene, state, write } = await open({ game: launched() });
  const refused = agent.request('admin/apps/start', { name: 'game' });
  refused.catch(() => undefined);
  const card = await scene.person.answer('deny');
  expect(card).toMatchObject({ effect: 'dangerous', tool: 'connect_application', grants: [] });
  expect(JSON.stringify(card.arguments)).toContain('gabp-app.mjs');
  expect(card.subject.place).toMatch(/gabp-app\.mjs .*traps/);
  await expect(refused).rejects.toThrow('Nobody confirmed');
  expect(await state('game')).toBe('stopped');

  await apps?.start('game');
  await agent.request('admin/apps/stop', { name: 'game' });
  await apps?.start('game');
  await agent.request('admin/apps/stop', { name: 'game' });
  await write({ game: launched([], { effects: { 'world/set_block': 'read' } }) });
  expect(await apps?.list()).toMatchObject([{ name: 'game', confirmed: false }]);
  const changed = agent.request('admin/apps/start', { name: 'game' });
  changed.catch(() => undefined);
  await scene.person.answer('deny');
  await expect(changed).rejects.toThrow('Nobody confirmed');

  const lines = (await readFile(join(scene.home, 'state/audit.jsonl'), 'utf8')).split('\n').filter((line) => line.includes('"kind":"application"')); // prettier-ignore
  expect(lines.map((line) => /"event":"(\w+)"/.exec(line)?.[1])).toEqual(['denied', 'confirmed', 'started', 'stopped', 'started', 'stopped', 'denied']); // prettier-ignore
});

test('[req:GC-2] a launched application gets a token and a configuration file of its own, and none of our variables', async () => {
  const { scene, agent } = await open({ game: launched([], { effects: { 'game/environment': 'read' } }) });
  await apps?.start('game');
  const file = join(scene.home, 'state/gabp/game.json');
  const bridge = JSON.parse(await readFile(file, 'utf8'));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(bridge).toMatchObject({ token: expect.stringMatching(/^[0-9a-f]{64}$/), transport: { type: 'stdio' } });
  expect(Object.keys(bridge.metadata).sort()).toEqual(['launchId', 'pid', 'startTime']);
  await agent.request('admin/apps/stop', { name: 'game' });
  await expect(stat(file)).rejects.toThrow('ENOENT');
  await apps?.start('game');
  expect(JSON.parse(await readFile(file, 'utf8')).token).not.toBe(bridge.token);

  const answer = resultOf(await agent.tool('game_game_environment')) as { names: string[] };
  expect(answer.names).toEqual(expect.arrayContaining(['GABP_TOKEN', 'GABP_BRIDGE_PATH', 'PATH']));
  expect(answer.names.filter((name) => /^CHAPERONE_(?!COMMAND)|^NODE_|VITEST/.test(name))).toEqual([]);
});

test.each(['stdio', 'tcp', 'socket'])(
  '[req:TP-13] [req:GC-3] over %s an application is launched, connected and called',
  async (transport) => {
    const started = await open({ game: launched(['nulls'], {}, { transport }) });
    await started.start('game');
    const answer = await allowed(started, 'game_world_get_blocks', { where: 'Straße 😀' });
    expect(resultOf(answer)).toMatchObject({ did: 'world/get_blocks', given: { where: 'Straße 😀' } });
  },
);

test('[req:GC-4] tools of an application are asked about as what they are, whatever it calls them; only the entry makes one milder', async () => {
  const effects = { 'game/alarm': 'read' };
  const started = await open({ game: launched([], { effects }) });
  const { agent, scene } = started;
  await started.start('game');
  const reading = agent.tool('game_world_get_blocks');
  const asked = await scene.person.answer('deny');
  expect(asked).toMatchObject({ effect: 'input', tool: 'game_world_get_blocks', subject: { app: 'game' } });
  expect((await reading).isError).toBe(true);

  const resetting = agent.tool('game_game_reset');
  expect(await scene.person.answer('allow')).toMatchObject({ effect: 'dangerous', grants: [] });
  expect(textOf(await resetting)).toMatch(/^DESKTOP_APP_FAILED: .*refused: “No way back \.”/);
  expect((await agent.tool('game_game_alarm')).isError).toBeUndefined();
});

test('[req:GC-4] the card has the arguments in the words of the schema and what the application says; a grant covers the application', async () => {
  const started = await open({ game: launched(), other: launched() });
  const { agent, scene } = started;
  await started.start('game');
  await started.start('other');
  const name = (await started.toolNames()).find((one) => one.startsWith('game_world_set_block_')) ?? '';
  const call = agent.tool('game_world_get_blocks', { x: 3, block: 'stone' });
  const card = await scene.person.answer('allow', { grant: 'time' });
  expect(card.text).toBe('x: 3\nblock: stone');
  expect(JSON.stringify(card.notes)).toContain('Does world/get_blocks.');
  expect((await call).isError).toBeUndefined();
  expect(resultOf(await agent.tool('game_world_get_blocks'))).toMatchObject({ calls: 2 });

  const elsewhere = agent.tool('other_world_get_blocks');
  await scene.person.answer('deny');
  expect((await elsewhere).isError).toBe(true);
  expect(name.length).toBeLessThanOrEqual(40);
  expect(textOf(await agent.tool('game_world_get_blocks', { file: join(scene.home, 'state/grants.json') }))).toContain(
    'own_file',
  );
});

test('[req:GC-5] an application that hangs is given up on, with the outcome unknown, and holds nothing else up', async () => {
  const started = await open({ slow: launched(['hang'], { timeout: 1 }), game: launched() });
  await started.start('slow');
  await started.start('game');
  const hanging = await allowed(started, 'slow_world_get_blocks');
  expect(textOf(hanging)).toContain('outcome_unknown');
  expect(resultOf(await allowed(started, 'game_world_get_blocks'))).toMatchObject({ calls: 1 });
});

test('[req:TP-13] [req:GC-5] a result with an error is no success', async () => {
  const started = await open({ game: launched(['both']) });
  await started.start('game');
  const answer = await allowed(started, 'game_world_get_blocks');
  expect(answer.isError).toBe(true);
  expect(textOf(answer)).toContain('both a result and an error');
});

test('[req:GC-5] one that floods is cut off, and others go on', async () => {
  const started = await open({ loud: launched(['flood']), game: launched() });
  const request = started.agent.request('admin/apps/start', { name: 'loud' });
  await started.scene.person.answer('allow');
  await request;
  await started.start('game');
  await eventually(() => started.agent.request('admin/apps/log', { name: 'loud' }).then(JSON.stringify)).toContain(
    'more than can be read',
  );
  expect(resultOf(await allowed(started, 'game_world_get_blocks'))).toMatchObject({ calls: 1 });
});

test('[req:TP-27] [req:GC-6] what an application says of its tools is published without hidden characters, bounded, and as its own words', async () => {
  const started = await open({ liar: launched(['lying']), old: launched(['parameters', 'oneBased']) });
  await started.start('liar');
  await started.start('old');
  const tools = await started.agent.tools();
  const own = tools.filter(({ name }) => name.startsWith('liar_lie'));
  expect(own.map(({ name }) => name)).toEqual(['liar_lie_shape', 'liar_lie_words', 'liar_lie_deep']);
  expect(JSON.stringify(own)).not.toMatch(/\\u00|\u202e|\$ref/);
  expect(own[0]?.inputSchema).toEqual({ type: 'object', properties: { good: {} } });
  expect(own[1]?.description.length).toBeLessThan(700);
  expect(own[1]?.description).toMatch(/^The application liar says: /);
  const old = tools.find(({ name }) => name === 'old_world_set_block');
  expect(old?.inputSchema).toMatchObject({ properties: { block: { description: 'What' } }, required: ['block'] });
});

test('[req:GC-6] of 10,000 tools at most 100 are published, and the rest are found and called', async () => {
  const started = await open({ big: launched(['many']) });
  const { agent, scene } = started;
  await started.start('big');
  const names = (await started.toolNames()).filter((name) => name.startsWith('big_'));
  expect(names).toHaveLength(100);
  expect(names).toEqual(expect.arrayContaining(['big_find_tools', 'big_call_tool', 'big_many_tool_0']));
  const found = await agent.tool('big_find_tools', { query: 'tool-9999' });
  expect(found.structuredContent).toMatchObject({ of: 1, tools: [{ tool: 'many/tool-9999' }] });
  const call = agent.tool('big_call_tool', { tool: 'many/tool-9999', arguments: { a: 1 } });
  expect(await scene.person.answer('allow')).toMatchObject({ effect: 'input', text: 'a: 1' });
  expect(resultOf(await call)).toMatchObject({ did: 'many/tool-9999', given: { a: 1 } });
});

test('[req:GC-6] a tool that says something else of itself while the person decides is not called', async () => {
  const started = await open({ game: launched(['changing'], { effects: { 'events/emit': 'read' } }) });
  const { agent, scene, toolNames } = started;
  await started.start('game');
  const told = () => agent.tools().then(JSON.stringify);
  const [set = ''] = (await toolNames()).filter((name) => name.startsWith('game_world_set_block_'));
  const call = agent.tool(set, { x: 1 });
  const { id, digest } = (await scene.person.next('approvalRequested')).approval;
  await agent.tool('game_events_emit');
  await eventually(told).toContain('Does something else.');
  await settle(scene.person, { id, digest }, 'allow');
  expect(textOf(await call)).toContain('now says something else');
});

test('[req:GC-7] [req:GT-4.3-1] an application that restarts is connected to again with its new token, and its tools come and go', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'gabp-')), 'bridge.json');
  const [program, ...args] = peerCommand({ file });
  const first = spawn(program, args, { stdio: 'ignore' });
  const started = await open({ game: { attach: { bridgeFile: file } } });
  const { agent, state, toolNames } = started;
  await agent.request('events/subscribe', { channels: ['tools/changed'] });
  await started.start('game');
  const changes = () => agent.events.filter(({ channel }) => channel === 'tools/changed').length;
  expect(changes()).toBe(1);
  first.kill('SIGKILL');
  await eventually(() => state('game')).toBe('waiting');
  expect((await toolNames()).filter((name) => name.startsWith('game_'))).toEqual([]);
  const second = spawn(program, args, { stdio: 'ignore' });
  try {
    await eventually(() => state('game')).toBe('connected');
    expect(await toolNames()).toContain('game_world_get_blocks');
    expect(changes()).toBe(3);
    expect(resultOf(await allowed(started, 'game_world_get_blocks'))).toMatchObject({ calls: 1 });
  } finally {
    second.kill('SIGKILL');
  }
});

test('[req:GC-7] [req:GT-4.3-3] what was started ends with the host', async () => {
  const started = await open({ game: launched([], { effects: { 'game/environment': 'read' } }, { transport: 'tcp' }) });
  await started.start('game');
  const { pid } = resultOf(await started.agent.tool('game_game_environment')) as { pid: number };
  expect(alive(pid)).toBe(true);
  await started.close();
  apps = null;
  expect(alive(pid)).toBe(false);
});

test('[req:GC-7] [req:GT-4.3-3] one that ends in a call gives no result', async () => {
  const started = await open({ game: launched([], {}, { transport: 'tcp' }) });
  await started.start('game');
  expect(textOf(await allowed(started, 'game_game_crash'))).toContain('outcome_unknown');
  await eventually(() => started.state('game')).toBe('stopped');
});

test('[req:GC-8] while an application wants something seen, it is not called until the agent confirms that', async () => {
  const started = await open({ game: launched([], { effects: { 'game/alarm': 'read', 'world/get_blocks': 'read' } }) });
  const { agent } = started;
  await started.start('game');
  await agent.tool('game_game_alarm');
  const refused = await agent.tool('game_world_get_blocks');
  expect(textOf(refused)).toContain('The base burns.');
  expect((await agent.tool('game_acknowledge', { attention_id: 'other' })).structuredContent).toEqual({
    acknowledged: false,
  });
  expect((await agent.tool('game_world_get_blocks')).isError).toBe(true);
  await agent.tool('game_acknowledge', { attention_id: 'a-1' });
  expect(resultOf(await agent.tool('game_world_get_blocks'))).toMatchObject({ calls: 2 });
});

test('[req:GC-8] events are kept and read by position', async () => {
  const started = await open({ game: launched(['oneBased'], { effects: { 'events/emit': 'read' } }) });
  const { agent, scene } = started;
  await started.start('game');
  await agent.tool('game_events_emit');
  await agent.tool('game_events_emit');
  const reading = agent.tool('game_events', { since: 1 });
  expect(await scene.person.answer('allow')).toMatchObject({ effect: 'disclose' });
  expect((await reading).structuredContent).toMatchObject({
    lost: 0,
    events: [{ position: 2, channel: 'world/changed', payload: { pings: 2 } }],
  });
});

test('[req:GC-1] an agent starts no application, and a file that others may write is not read', async () => {
  const { agent, scene } = await open({ game: launched() });
  await agent.tool('list_sessions');
  await expect(agent.request('admin/apps/start', { name: 'game' })).rejects.toThrow('Only the person');
  expect(await agent.request('admin/apps')).toEqual({ apps: [], others: 1, doubt: 'agent' });
  expect(scene.person.seen.filter(({ type }) => type === 'approvalRequested')).toEqual([]);
  const file = join(scene.home, 'config/gabp-apps.json');
  await writeFile(file, JSON.stringify({ version: 1, apps: { bad_name: {} } }));
  await expect(agent.request('admin/apps')).rejects.toThrow('gabp-apps.json');
});

test('[req:GC-1] what is confirmed starts with the next host unasked, and what is not is asked about', async () => {
  const game = await peerAlone();
  const { scene, start, write } = await open({ game: game([]) });
  await start('game');
  await scene.restart();
  const person = await scene.page(scene.host.pairingLink());
  const again = await openGabp(scene);
  const list = async () => JSON.stringify(await again.request('admin/apps'));
  await eventually(list).toContain('"state":"connected"');
  again.close();
  expect(person.seen.filter(({ type }) => type === 'approvalRequested')).toEqual([]);
  await write({ game: game(['nulls']) });
  await scene.restart();
  const asked = await openGabp(scene);
  await eventually(async () => JSON.stringify(await asked.request('admin/approvals'))).toContain('connect_application');
  expect(JSON.stringify(await asked.request('admin/apps'))).toContain('"state":"asking"');
  asked.close();
});

test('[req:GC-1] a file with a fault is not used, and the error names the fault and what to do', async () => {
  const { list, write } = await open({ game: launched() });
  await write({ game: launched(), Bad_Name: launched() });
  await expect(list()).rejects.toMatchObject({
    message: expect.stringMatching(/gabp-apps\.json: apps\.Bad_Name: must be a name of up to 16 lower-case letters/),
    code: 'DESKTOP_INVALID_REQUEST',
    next: 'Correct the file, then ask again.',
  });
});
