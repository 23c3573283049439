/** Names that the person gives agents, against agents that would like one: through every door of a real host. */
import type { Client } from '@modelcontextprotocol/client';
import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openClient } from '../support/mcp-doors.js';
import { openPage, type Person } from '../support/person.js';
import { openRpc } from '../support/rpc.js';
import { startWorld, type WorldHost } from '../support/world.js';

let chaperone: WorldHost;
let person: Person;
let client: Client;
let id: string;
beforeEach(async () => {
  chaperone = await startWorld({ http: 0 });
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  client = await openClient(chaperone, 'stdio, 2025-11-25');
  await client.callTool({ name: 'list_displays', arguments: {} });
  const { status } = await person.next('status', (one) => one.status.agents.length > 0);
  id = status.agents.at(-1)?.id ?? '';
});
afterEach(async () => {
  await client.close();
  person.close();
  await chaperone.close();
});

function rename(page: Person, name: string) {
  const request = randomUUID();
  page.send({ type: 'renameAgent', request, id, name });
  return request;
}

test('the person names an agent, hears why not, and takes the name away again', async () => {
  rename(person, 'Shop');
  expect((await person.next('names')).names).toEqual([{ id, name: 'Shop' }]);
  const refused = rename(person, 'Chaperone');
  expect(await person.next('error')).toMatchObject({ code: 'name', about: refused });
  const other = await openPage(chaperone.host.url);
  const seen = other.seen.find(({ type }) => type === 'connected');
  expect(JSON.stringify(seen)).not.toContain('Shop');
  other.close();
  rename(person, '');
  expect((await person.next('names')).names).toEqual([]);
});

test('nobody else names one: no page that is not paired, and no method or tool of any door', async () => {
  const stranger = await openPage(chaperone.host.url);
  const request = rename(stranger, 'Bank');
  expect(await stranger.next('error')).toMatchObject({ code: 'pairing_needed', about: request });
  stranger.close();
  const { tools } = await client.listTools();
  expect(tools.filter(({ name }) => /rename|name_agent/.test(name))).toEqual([]);
  const rpc = await openRpc(chaperone.host.socketPath, chaperone.workspace);
  for (const method of ['renameAgent', 'admin/rename', 'admin/renameAgent', 'desktop.renameAgent'])
    expect(await rpc.error(method, { id, name: 'Bank' })).toMatchObject({ details: { reason: 'unknown_method' } });
  rpc.close();
  rename(person, 'Shop');
  expect((await person.next('names')).names).toEqual([{ id, name: 'Shop' }]);
});

test('the name goes to no agent and into no record, which keep the program’s own', async () => {
  rename(person, 'Zyxwv');
  await person.next('names');
  const asked = client.callTool({ name: 'list_windows', arguments: {} });
  await person.answer('allow');
  expect(JSON.stringify(await asked)).not.toContain('Zyxwv');
  const state = join(chaperone.home, 'state');
  const written = filesIn(state).filter((file) => readFileSync(file).includes('Zyxwv'));
  expect(written.map((file) => file.slice(state.length + 1))).toEqual(['agent-names.json']);
  expect(filesIn(chaperone.workspace).filter((file) => readFileSync(file).includes('Zyxwv'))).toEqual([]);
});

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
