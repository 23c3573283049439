/** The only HTTP that a host without `--http` speaks is its page's: no tools, no bearer tokens, no other site, and no agent's answer for another. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.js';
import { startHost, type TestHost } from '../support/host.js';
import { openPage, type Person } from '../support/person.js';

let chaperone: TestHost;
let person: Person;
let agents: TestAgent[];

beforeAll(async () => {
  chaperone = await startHost();
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  agents = await Promise.all([1, 2].map(() => startAgent(chaperone.home, { cwd: chaperone.workspace })));
});
afterAll(async () => {
  for (const agent of agents) await agent.close();
  person.close();
  await chaperone.close();
});

const status = async (path: string, init: RequestInit = {}) =>
  (await fetch(`${chaperone.host.url}${path}`, init)).status;

test('case 39: over HTTP there is the page and no MCP, with any token or none; another site’s Origin is refused', async () => {
  expect(await status('/')).toBe(200);
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_windows' } });
  for (const authorization of ['', 'Bearer wrong', 'bearer wrong']) {
    const headers = { 'content-type': 'application/json', ...(authorization === '' ? {} : { authorization }) };
    for (const path of ['/', '/mcp', '/sse'])
      expect([path, (await status(path, { method: 'POST', headers, body: call })) >= 400]).toEqual([path, true]);
  }
  expect(await status('/', { headers: { origin: 'http://evil.example' } })).toBe(403);
  await expect(openPage(chaperone.host.url, undefined, { origin: 'http://evil.example' })).rejects.toThrow('403');
});

test('case 39: of two agents that wait at once each gets its own answer', async () => {
  const answers = agents.map((agent, index) => agent.call('send_message', { text: `Question ${index}` }));
  for (const index of [1, 0]) {
    const asked = await person.next('agentMessage', ({ text }) => text === `Question ${index}`);
    person.send({ type: 'ack', id: asked.ack_id, message: `Answer ${index}` });
  }
  const replies = (await Promise.all(answers)).map(({ value }) => value['reply']);
  expect(replies).toEqual(['Answer 0', 'Answer 1']);
});
