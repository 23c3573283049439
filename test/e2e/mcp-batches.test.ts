/** JSON-RPC batches, which only MCP 2025-03-26 has, and cursors of lists, line by line through the real shim. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSimulated, type SimulatedDesktop } from '../../src/native/simulated/index.js';
import { eventually } from '../support/eventually.js';
import { on, startHost, type TestHost } from '../support/host.js';
import { openPage, type Person } from '../support/person.js';
import { startRawShim, type RawShim } from '../support/raw-shim.js';

type Message = Record<string, unknown>;
const OPENING = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };

let desktop: SimulatedDesktop;
let chaperone: TestHost;
let person: Person;
let older: RawShim;

beforeAll(async () => {
  desktop = openSimulated();
  chaperone = await startHost(on(desktop));
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  older = startRawShim(chaperone.home);
  expect(await older.ask('initialize', OPENING)).toMatchObject({ result: { protocolVersion: '2025-03-26' } });
});
afterAll(async () => {
  await older.close();
  person.close();
  await chaperone.close();
  await desktop.close();
});

describe('[req:AG-LIST-1] a cursor', () => {
  test.each(['next', 'eyJ4IjoxfQ=='])('of another server is -32602: %j', async (cursor) => {
    const answer = await older.ask('tools/list', { cursor });
    expect(answer).toMatchObject({ error: { code: -32602, message: expect.stringContaining('cursor') } });
    expect(answer).not.toHaveProperty('result');
  });
});

describe('[req:AG-BATCH-1] batches', () => {
  /** What came since, as one line each, once a request made afterwards has been answered. */
  const said = async (batch: unknown): Promise<unknown[]> => {
    const before = older.lines().length;
    older.write(`${JSON.stringify(batch)}\n`);
    await older.ask('ping', {});
    return older
      .lines()
      .slice(before)
      .map((line) => JSON.parse(line) as unknown)
      .filter((message) => Array.isArray(message) || (message as Message)['id'] === null);
  };
  const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ping' });

  test('are answered in one line with an answer for each request and none for a notification', async () => {
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const list = { jsonrpc: '2.0', id: 'l', method: 'tools/call', params: { name: 'list_displays', arguments: null } };
    older.write(`${JSON.stringify([ping('a'), note, list, ping('b')])}\n`);
    await eventually(() => older.lines().filter((line) => line.startsWith('[')).length).toBe(1);
    const answers = JSON.parse(older.lines().find((line) => line.startsWith('[')) ?? '[]') as Message[];
    expect(answers.map(({ id }) => id).sort()).toEqual(['a', 'b', 'l']);
    expect(answers).toContainEqual({ jsonrpc: '2.0', id: 'a', result: {} });
    expect(JSON.stringify(answers)).toContain('displays/display-1');
  });

  test('name in the same line what is wrong in them', async () => {
    const batch = [ping('c'), 7, ping('c'), { ...OPENING, jsonrpc: '2.0', id: 'i', method: 'initialize' }, ping({})];
    expect(await said(batch)).toEqual([
      expect.arrayContaining([
        { jsonrpc: '2.0', id: 'c', result: {} },
        { jsonrpc: '2.0', id: null, error: { code: -32600, message: expect.any(String) } },
        { jsonrpc: '2.0', id: 'c', error: { code: -32600, message: expect.any(String) } },
        { jsonrpc: '2.0', id: 'i', error: { code: -32602, message: expect.any(String) } },
      ]),
    ]);
  });

  test('of notifications alone get no answer, an empty one gets -32600', async () => {
    expect(await said([{ jsonrpc: '2.0', method: 'notifications/initialized' }])).toEqual([]);
    expect(await said([])).toMatchObject([{ id: null, error: { code: -32600 } }]);
  });

  test('do not wait for a request that was cancelled', async () => {
    const ask = { jsonrpc: '2.0', id: 'q', method: 'tools/call', params: { name: 'send_message', arguments: { text: 'Batch?' } } }; // prettier-ignore
    const before = older.lines().length;
    older.write(`${JSON.stringify([ask, ping('d')])}\n`);
    await person.next('agentMessage');
    older.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q"}}\n');
    const told = () =>
      older
        .lines()
        .slice(before)
        .map((line) => JSON.parse(line) as unknown);
    await eventually(told).toEqual([[{ jsonrpc: '2.0', id: 'd', result: {} }]]);
  });
});
