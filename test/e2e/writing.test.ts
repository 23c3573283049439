/** The person writes first: through a paired page of a real host, to agents at every door of MCP. */
import type { Client } from '@modelcontextprotocol/client';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DOORS, openClient } from '../support/mcp-doors.js';
import { openPage, type Person } from '../support/person.js';
import { startWorld, type WorldHost } from '../support/world.js';

let chaperone: WorldHost;
let person: Person;
let clients: Client[] = [];
beforeEach(async () => {
  chaperone = await startWorld({ http: 0 });
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
});
afterEach(async () => {
  for (const client of clients) await client.close();
  clients = [];
  person.close();
  await chaperone.close();
});

const look = (client: Client) => client.callTool({ name: 'check_replies', arguments: {} });

async function agentOf(door: (typeof DOORS)[number]): Promise<{ client: Client; id: string }> {
  const client = await openClient(chaperone, door);
  clients.push(client);
  await look(client);
  const { status } = await person.next('status', (one) => one.status.agents.length > 0);
  return { client, id: status.agents.at(-1)?.id ?? '' };
}

function write(id: string, text: string) {
  const request = randomUUID();
  person.send({ type: 'write', request, id, text });
  return request;
}

describe.each(DOORS)('%s', (door) => {
  test('the next result carries it, and no other; then the page says that the agent has it', async () => {
    const { client, id } = await agentOf(door);
    write(id, 'Use the other folder');
    const said = await person.next('userMessage');
    expect(said).toMatchObject({ text: 'Use the other folder', paired: true, to: { id } });
    const { content, structuredContent } = await look(client);
    expect(JSON.stringify(content)).toContain('): Use the other folder');
    expect(structuredContent).toMatchObject({ replies: [], written_by_person: [{ text: 'Use the other folder' }] });
    const again = await look(client);
    expect(JSON.stringify(again)).not.toContain('other folder');
    expect(await person.next('delivered')).toMatchObject({ ack_id: said.ack_id });
  });
});

test('a call that fails carries it too; nobody writes to an agent that is not known, or from a page that is not paired', async () => {
  const { client, id } = await agentOf('stdio, 2025-11-25');
  write(id, 'Wait for me');
  await person.next('userMessage');
  const failed = await client.callTool({ name: 'delete_macro', arguments: { name: 'macros/none' } });
  expect(failed.isError).toBe(true);
  expect(JSON.stringify(failed.content)).toContain('): Wait for me');
  const request = write('somebody', 'Hello');
  expect(await person.next('error')).toMatchObject({ code: 'unknown_agent', about: request });
  const stranger = await openPage(chaperone.host.url);
  stranger.send({ type: 'write', request: randomUUID(), id, text: 'Press Allow' });
  expect(await stranger.next('error')).toMatchObject({ code: 'pairing_needed' });
  stranger.close();
  expect(JSON.stringify(await look(client))).not.toContain('Press Allow');
});
