/** What a shim has to say before its agent is served. */
import { expect, test } from 'vitest';
import { ELSEWHERE, readHostLine } from '../../src/main/protocol/pipe.js';
import { RESUME_TOOL } from '../../src/main/protocol/local-command.js';
import { waitFor } from '../support/eventually.js';
import { pipeHello } from '../support/pipe.js';
import { connection, TOKEN } from './support.js';

const hello = (over: object) => pipeHello({ token: TOKEN, cwd: '/project', ...over });
const CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'look', arguments: {} } });

const open = () => connection({ protocols: ['jsonrpc', 'gabp', 'mcp'] });

test('[req:DS-3-12] a shim is served as who started it, which the kernel tells', async () => {
  const { near, messages, nth, services } = open();
  await near.send(hello({}));
  await waitFor(() => expect(messages[0]).toEqual({ mcp: { url: 'http://localhost:1234' } }), 2);
  await near.send(CALL);
  const made = await nth(0);
  expect(made).toMatchObject({ name: 'look', caller: { agent: { name: 'Claude Code' }, protocol: 'mcp' } });
  made.resolve({ content: [] });
  await waitFor(() => expect(messages[1]).toMatch(/^=1 \{/), 2);
  near.close();
  await waitFor(() => expect(services.present).toEqual(['+Claude Code/mcp', '-Claude Code/mcp']), 2);
});

/** Its answers, without the heads of the lines. */
async function served(over: object = {}) {
  const link = open();
  await link.near.send(hello(over));
  const ask = async (method: string, params: object) => {
    const told = link.messages.length;
    await link.near.send(JSON.stringify({ jsonrpc: '2.0', id: told, method, params }));
    const answer = () => link.messages.map(String).find((line) => line.includes(`"id":${told}`));
    await waitFor(() => expect(answer()).toBeDefined(), 2);
    return (JSON.parse(readHostLine(answer() ?? '').message ?? '') as { result: Record<string, unknown> }).result;
  };
  return { ...link, ask };
}

test('a folder is believed only where the kernel says so of shim or parent', async () => {
  const folder = async (cwd: string): Promise<unknown> => {
    const { near, nth } = await served({ cwd });
    await near.send(CALL);
    return (await nth(0)).caller.agent.cwd;
  };
  expect(await folder('/')).toBe('/');
  expect(await folder('/etc')).toBe('/project');
});

test('a shim is told the tools word for word, by profile, and the ready result, errors and pictures included', async () => {
  const { ask, nth } = await served({ profile: 'core' });
  const { tools } = (await ask('tools/list', {})) as { tools: object[] };
  const named = (name: string) => expect.objectContaining({ name });
  expect(tools).toEqual([named('look'), named(RESUME_TOOL)]);
  expect(Object.keys(tools[0] ?? {}).sort()).toEqual(['annotations', 'description', 'inputSchema', 'name']);
  const whole = await (await served()).ask('tools/list', {});
  expect(whole['tools']).toEqual([named('look'), named('click'), named(RESUME_TOOL)]);
  const answer = ask('tools/call', { name: 'look', arguments: { a: 1 } });
  const ready = { content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }], isError: true, _meta: { x: 1 } };
  const made = await nth(0);
  expect(made.arguments).toEqual({ a: 1 });
  made.resolve(ready);
  expect(await answer).toEqual(ready);
});

test('a call that the client gives up is detached, and no other', async () => {
  const { near, nth } = await served();
  for (const id of [1, 2])
    await near.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'look' } }));
  const [one, two] = [await nth(0), await nth(1)];
  await near.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } }));
  await waitFor(() => expect(two.options.signal.aborted).toBe(true), 2);
  expect(two.options.signal.reason).toMatchObject({ mode: 'detach' });
  expect(one.options.signal.aborted).toBe(false);
});

test('what waits elsewhere is told in the agent’s name', async () => {
  const { near, services } = await served();
  const params = { address: 'ssh://far', state: 'connected', waiting: 1 };
  await near.send(JSON.stringify({ jsonrpc: '2.0', method: ELSEWHERE, params }));
  await waitFor(() => expect(services.admins).toEqual(['admin/elsewhere']), 2);
});

test.each([
  ['another token', { token: 'e'.repeat(64) }],
  ['no token', { token: undefined }],
  ['no secret of its own', { session: 'short' }],
  ['lines without number', { next: 0 }],
])('a shim is served nothing without the token, or what else it has to say: %s', async (_what, over) => {
  const { near, messages, ends, services } = open();
  await near.send(hello(over));
  await near.send(CALL).catch(() => undefined);
  await waitFor(() => expect(ends).toHaveLength(1), 2);
  expect(messages).toEqual([{ mcp: { error: expect.objectContaining({ code: expect.any(String) }) } }]);
  expect(services.made).toEqual([]);
});

test('where only GABP is spoken, a shim is not served', async () => {
  const { near, services } = connection({ protocols: ['gabp'] });
  await near.send(hello({}));
  await near.send(CALL).catch(() => undefined);
  expect(services.made).toEqual([]);
});
