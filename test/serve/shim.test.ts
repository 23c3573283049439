/** What a shim has to say before its agent is served. */
import { expect, test } from 'vitest';
import { waitFor } from '../support/eventually.js';
import { connection, TOKEN } from './support.js';

const hello = (over: object) => ({
  mcp: {
    ...{
      token: TOKEN,
      version: '1',
      cwd: '/project',
      desktop: 'current',
      profile: 'full',
      callLimitMs: null,
      session: 's'.repeat(64),
    },
    ...{ machine: null, claim: null, counts: false, lines: [], next: 1 },
    ...over,
  },
});
const CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'look', arguments: {} } });

const open = () => connection({ protocols: ['jsonrpc', 'gabp', 'mcp'] });

test('a shim is served as who started it, which the kernel tells', async () => {
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
