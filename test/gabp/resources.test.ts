/** Resources and events of other applications, as an MCP client has them. */
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createNews } from '../../src/main/gabp/app.js';
import { launched, startApps, type Apps } from '../support/gabp-apps.js';
import { openGabp } from '../support/gabp.js';
import { connectAs } from '../support/other.js';
import { scriptedApp } from '../support/scripted-app.js';
import { openClient, type Door } from '../support/mcp-doors.js';

let apps: Apps | null = null;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await apps?.close();
  apps = null;
});

async function open(door: Door, more: object = {}): Promise<{ apps: Apps; client: Client }> {
  const opened = await startApps({ game: launched([], more) }, { http: 0 });
  apps = opened;
  await opened.start('game');
  const client = await openClient(opened.scene, door);
  closers.push(() => client.close());
  return { apps: opened, client };
}

const ROOT = 'chaperone://apps/game';
const at = (uri: string): string => `${ROOT}/resources/${encodeURIComponent(uri)}`;
const DOORS = ['stdio, 2026-07-28', 'HTTP, 2025-11-25'] as const;

async function read(client: Client, uri: string): Promise<{ text?: string; blob?: string }> {
  return (await client.readResource({ uri })).contents[0] as { text?: string; blob?: string };
}

test.each(DOORS)('%s: each read is asked for, and lists say only that there is something [req:MR-11]', async (door) => {
  const { apps: running, client } = await open(door);
  const { person } = running.scene;
  const listed = JSON.stringify([await client.listResources(), await client.listResourceTemplates()]);
  for (const uri of [`${ROOT}/events`, `${ROOT}/resources`, `${ROOT}/resources/{resource}`])
    expect(listed).toContain(uri);
  expect(listed).not.toMatch(/Score|game:/);
  expect(JSON.stringify(await client.listTools())).not.toMatch(/game_(list|read)_resource/);

  const listing = read(client, `${ROOT}/resources`);
  const card = await person.answer('allow');
  expect(card).toMatchObject({ tool: 'game_list_resources', effect: 'input' });
  expect(JSON.parse((await listing).text ?? '')).toMatchObject({
    resources: [
      { uri: 'game://map', name: 'The map', mime_type: 'image/png' },
      { uri: 'game://score', name: 'Score' },
    ],
  });
  const { resources } = await client.listResources();
  expect(resources.filter(({ uri }) => uri.startsWith(`${ROOT}/resources/`))).toEqual([
    { uri: at('game://map'), name: 'game: The map', mimeType: 'image/png' },
    { uri: at('game://score'), name: 'game: Score', mimeType: 'application/json' },
  ]);
  const refused = client.readResource({ uri: at('game://score') });
  expect((await person.answer('deny', { message: 'not that' })).text).toContain('game://score');
  await expect(refused).rejects.toThrow('not that');
  const score = read(client, at('game://score'));
  await person.answer('allow');
  expect(JSON.parse((await score).text ?? '')).toMatchObject({ content: { points: 7 } });
  for (const [uri, why] of [
    ['game://lie', /not what it says/],
    ['game://huge', /too large/],
    ['game://none', /No such resource/],
  ] as const) {
    // prettier-ignore
    const wrong = client.readResource({ uri: at(uri) });
    await person.answer('allow');
    await expect(wrong).rejects.toThrow(why);
  }
  await expect(client.readResource({ uri: 'chaperone://apps/other/events' })).rejects.toMatchObject({ code: -32602 });
});

test('what one agent was told of an application’s resources is in no other’s list, is bounded, and goes with the connection [req:MR-13]', async () => {
  const app = await scriptedApp({
    'resources/list': () => ({
      resources: Array.from({ length: 300 }, (_, index) => ({ uri: `game://${index}/${'x'.repeat(index === 7 ? 1_999 : 5)}`, name: `n${index}`, description: 'd\u202e' })),
    }),
  });
  const running = await startApps({ game: { attach: { bridgeFile: app.file } } });
  apps = running;
  await running.start('game');
  const listed = async (agent: Apps['agent']) => ((await agent.request('resources/list'))['resources'] as { uri: string; name: string; description?: string }[]).filter(({ uri }) => uri.includes('/resources/'));
  const other = connectAs({ path: running.scene.host.socketPath });
  closers.push(() => other.close());
  const neighbour = await openGabp(running.scene, { stream: other.stream });
  const list = () => running.agent.request('resources/read', { uri: 'gabp://chaperone/apps/game/resources' });
  const listing = list().catch(() => undefined);
  await running.scene.person.answer('deny');
  await listing;
  expect(await listed(running.agent)).toEqual([]);
  const allowed = list();
  await running.scene.person.answer('allow');
  await allowed;
  const all = await listed(running.agent);
  expect(all).toHaveLength(100);
  expect(all[0]).toMatchObject({ name: 'game: n0', description: 'The application game says: d' });
  expect(await listed(neighbour)).toEqual([]);
  app.peer().end();
  await expect.poll(() => app.count('tools/list')).toBe(2);
  expect(await listed(running.agent)).toEqual([]);
}); // prettier-ignore

test('only the person makes reading milder; a picture is a picture [req:MR-11]', async () => {
  const { apps: running, client } = await open('HTTP, 2026-07-28', { effects: { 'resources/read': 'read' } });
  const contents = (await client.readResource({ uri: at('game://map') })).contents;
  expect(contents).toContainEqual({
    uri: at('game://map'),
    mimeType: 'image/png',
    blob: expect.stringMatching(/^iVBO/),
  });
  expect(running.scene.person.seen.filter(({ type }) => type === 'approvalRequested')).toHaveLength(1);
});

test.each(DOORS)('%s: who subscribed is told of events, and reads them after a card [req:MR-12]', async (door) => {
  const { apps: running, client } = await open(door, { effects: { 'events/emit': 'read' } });
  const told: unknown[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params));
  if (door.endsWith('2026-07-28')) await client.listen({ resourceSubscriptions: [`${ROOT}/events`] });
  else await client.subscribeResource({ uri: `${ROOT}/events` });
  await client.callTool({ name: 'game_events_emit', arguments: {} });
  await expect.poll(() => told.length).toBeGreaterThan(0);
  expect(told[0]).toMatchObject({ uri: `${ROOT}/events` });
  expect(JSON.stringify(told)).not.toContain('pings');
  const events = read(client, `${ROOT}/events`);
  expect((await running.scene.person.answer('allow')).effect).toBe('disclose');
  expect((await events).text).toContain('"pings":1');
});

test('a client that did not subscribe is told nothing [req:MR-12]', async () => {
  const { client } = await open('HTTP, 2025-11-25', { effects: { 'events/emit': 'read' } });
  const told: string[] = [];
  client.fallbackNotificationHandler = async ({ method }) => void told.push(method);
  await client.callTool({ name: 'game_events_emit', arguments: {} });
  await client.listTools();
  expect(told).toEqual([]);
});

beforeEach(() => void vi.useRealTimers());

test('however many events there are, they are told of once a second [req:MR-12]', () => {
  vi.useFakeTimers();
  try {
    let told = 0;
    const news = createNews();
    news.on(() => (told += 1));
    for (let event = 0; event < 1_000; event += 1) news.add();
    expect(told).toBe(1);
    vi.advanceTimersByTime(1_000);
    expect(told).toBe(2);
    vi.advanceTimersByTime(5_000);
    expect(told).toBe(2);
    news.add();
    expect(told).toBe(3);
    news.add();
    news.close();
    vi.advanceTimersByTime(5_000);
    expect(told).toBe(3);
  } finally {
    vi.useRealTimers();
  }
});
