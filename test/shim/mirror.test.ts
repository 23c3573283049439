import { afterEach, describe, expect, it } from 'vitest';
import { createFakeHost, Refusal, SCREENS } from '../support/fake-host.js';
import { clientV1, clientV2, rawClient, until, wire, type Wired } from './support.js';

const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

const CLICK = {
  name: 'click',
  description: 'Clicks.',
  inputSchema: { type: 'object', properties: { at: { $ref: '#/$defs/point' } }, $defs: { point: { type: 'object' } } },
  outputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      effect: { type: 'string', enum: ['confirmed', 'unverified', 'no_change'] },
      hits: { type: 'array', items: { type: 'object', required: ['x'] } },
      point: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
      before: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      status: { type: 'number' },
    },
    required: ['effect'],
    additionalProperties: false,
  },
  annotations: { destructiveHint: false },
};
/** All that is published of the result of a tool that only reads: the names that are not also in handles and failures. */
const FIELDS = { effect: {}, hits: {}, point: {}, before: {} };
const PLAIN = { name: 'look', description: 'Looks.', inputSchema: { type: 'object' } };
const PIXEL = 'iVBORw0KGgo=';

let open: Wired[] = [];
afterEach(async () => {
  for (const { shim } of open) await shim.close();
  open = [];
});

function shimFor(host = createFakeHost()) {
  host.on('tools', () => ({ tools: [CLICK, PLAIN] }));
  const wired = wire(host);
  open.push(wired);
  return { host, wired };
}

describe('the opening', () => {
  for (const protocolVersion of VERSIONS) {
    it(`[req:DS-5-1] [req:DS-5-9] [req:MT-2-1] [req:MT-2-2] [req:MT-5-1] [req:MT-7-1] serves ${protocolVersion} and says the screens both ways`, async () => {
      const { wired } = shimFor();
      const client = rawClient(wired);
      client.send({
        id: 1,
        method: 'initialize',
        params: { protocolVersion, capabilities: {}, clientInfo: { name: 'old', version: '1' } },
      });
      const answer = await client.answer(1);
      expect(answer['result']).toMatchObject({
        protocolVersion,
        serverInfo: { name: 'chaperone', version: '0.0.0' },
        capabilities: { tools: { listChanged: true } },
        screens: SCREENS,
        displayInfo: { screens: SCREENS },
      });
      client.send({ method: 'notifications/initialized' });
      client.send({ id: 2, method: 'ping' });
      expect((await client.answer(2))['result']).toEqual({});
      client.send({ id: 3, method: 'no/such' });
      expect((await client.answer(3))['error']).toMatchObject({ code: -32601 });
      expect(client.received.filter((message) => !('id' in message))).toEqual([]);
    });
  }

  it.each(['1999-12-31', '2099-01-01', 'the newest'])(
    '[req:MT-2-1] answers a version that nobody serves (%s) with one that it does, and goes on',
    async (protocolVersion) => {
      const { wired } = shimFor();
      const client = rawClient(wired);
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'odd', version: '1' } };
      client.send({ id: 1, method: 'initialize', params });
      expect((await client.answer(1))['result']).toMatchObject({ protocolVersion: VERSIONS.at(-1) });
      client.send({ id: 2, method: 'tools/list' });
      expect((await client.answer(2))['result']).toHaveProperty('tools');
    },
  );

  it('[req:MT-2-3] does not end by shutdown or exit, as a request or told, and serves on', async () => {
    const { wired } = shimFor();
    const client = rawClient(wired);
    const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'old', version: '1' } };
    client.send({ id: 1, method: 'initialize', params });
    await client.answer(1);
    client.send({ id: 2, method: 'shutdown' });
    expect((await client.answer(2))['result']).toEqual({});
    for (const method of ['shutdown', 'exit']) client.send({ method });
    client.send({ id: 3, method: 'exit' });
    expect((await client.answer(3))['error']).toMatchObject({ code: -32601 });
    client.send({ id: 4, method: 'tools/list' });
    expect((await client.answer(4))['result']).toHaveProperty('tools');
    expect(client.received.map((message) => message['id'])).toEqual([1, 2, 3, 4]);
  });

  it('[req:DS-5-1] serves 2026-07-28, with the screens in the answer to server/discover', async () => {
    const { wired } = shimFor();
    const seen: string[] = [];
    wired.fromShim.on('data', (chunk) => seen.push(String(chunk)));
    const client = await clientV2(wired);
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect(seen[0]).toContain('"displayInfo"');
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(['click', 'look', 'resume_call']);
    await client.close();
  });

  it('opens without screens where the host cannot be had in time', async () => {
    const host = createFakeHost();
    host.on('screens', () => new Promise(() => undefined));
    const wired = wire(host, { times: { screensTimeoutMs: 10 } });
    open.push(wired);
    const client = rawClient(wired);
    client.send({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
    });
    const { result } = await client.answer(1);
    expect(result).toMatchObject({ protocolVersion: '2025-06-18' });
    expect(result).not.toHaveProperty('screens');
  });

  it('[req:CH-2-2] [req:DS-7-19] prints only the address, once, for the person', async () => {
    const { wired } = shimFor();
    const client = await clientV1(wired);
    await client.listTools();
    expect(wired.notices()).toBe('http://localhost:4321\n');
  });

  it('tells the host what the client calls itself, as a claim, and where it works', async () => {
    const { wired, host } = shimFor();
    const client = await clientV1(wired, 'claude-code');
    await client.listTools();
    const said = host.asked.filter((asked) => asked.method === 'describe').at(-1);
    expect(said?.params).toEqual({ client: { name: 'claude-code', version: '1.0.0' }, cwd: '/work/project' });
  });
});

describe('tools/list', () => {
  it('[req:DS-1-4] [req:MT-2-4] gives the host’s descriptors, and resume_call', async () => {
    const { host, wired } = shimFor();
    const find = { ...CLICK, name: 'find', annotations: { readOnlyHint: true } };
    host.on('tools', () => ({ tools: [CLICK, PLAIN, find] }));
    const client = await clientV1(wired);
    const { tools } = await client.listTools();
    const [click, look, found, resume] = tools;
    expect(look).toEqual(PLAIN);
    expect(click).toEqual({ ...CLICK, outputSchema: { type: 'object' } });
    expect(found).toEqual({ ...find, outputSchema: { type: 'object', properties: FIELDS } });
    expect(resume).toMatchObject({ name: 'resume_call', inputSchema: { required: ['call_id'] } });
  });

  it('asks for the profile it was started with', async () => {
    const host = createFakeHost();
    const wired = wire(host, { profile: 'core' });
    open.push(wired);
    await (await clientV1(wired)).listTools();
    expect(host.asked).toContainEqual({ method: 'tools', params: { profile: 'core' } });
  });

  it('[req:DS-3-10] says when the host’s tools change', async () => {
    const { wired, host } = shimFor();
    const client = rawClient(wired);
    client.send({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
    });
    await client.answer(1);
    host.emit('tools/changed', {});
    await until(() => client.received.some((message) => message['method'] === 'notifications/tools/list_changed'));
  });
});

describe('tools/call', () => {
  const RESULT = {
    content: [
      { type: 'text', text: 'clicked' },
      { type: 'image', data: PIXEL, mimeType: 'image/png' },
    ],
    structuredContent: { effect: 'confirmed' },
    _meta: { 'anthropic/maxResultSizeChars': 100_000 },
  };

  for (const [name, connect] of [
    ['SDK 1', clientV1],
    ['SDK 2', clientV2],
  ] as const) {
    it(`[req:MT-2-5] [req:MT-6-1] hands the host’s result through to ${name}`, async () => {
      const { wired, host } = shimFor();
      host.on('call', () => RESULT);
      const client = await connect(wired);
      await client.listTools();
      const result = await client.callTool({ name: 'click', arguments: { at: { x: 1 } } });
      expect(result).toMatchObject(RESULT);
      const asked = host.asked.find((one) => one.method === 'call');
      expect(asked?.params).toMatchObject({ name: 'click', arguments: { at: { x: 1 } } });
      expect(asked?.params['callId']).toMatch(/^[0-9a-f-]{36}$/);
    });

    it(`[req:MT-4-1] lets failures through the output check of ${name}`, async () => {
      const { wired, host } = shimFor();
      const client = await connect(wired);
      await client.listTools();
      for (const structuredContent of [
        undefined,
        { error: { code: 'DESKTOP_TIMEOUT' } },
        { code: 'DESKTOP_TIMEOUT', message: 'late' },
      ]) {
        host.on('call', () => ({ content: [{ type: 'text', text: 'no' }], isError: true, structuredContent }));
        expect(await client.callTool({ name: 'click', arguments: {} })).toMatchObject({ isError: true });
      }
    });
  }

  it('lets a client refuse a result without structured content where the tool has a schema', async () => {
    const { wired, host } = shimFor();
    host.on('call', () => ({ content: [] }));
    const client = await clientV1(wired);
    await client.listTools();
    await expect(client.callTool({ name: 'click', arguments: {} })).rejects.toThrow(/schema/i);
  });

  it('case 6: a tool that is not there is an error of the protocol, -32602 as MCP has it, that names it and those there are', async () => {
    const { wired, host } = shimFor();
    const next = 'Use one of: click, look.';
    host.on('call', () => {
      throw new Refusal('DESKTOP_INVALID_REQUEST', 'There is no tool "clik".', { reason: 'unknown_tool', next });
    });
    const client = rawClient(wired);
    client.send({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
    });
    await client.answer(1);
    client.send({ id: 2, method: 'tools/call', params: { name: 'clik', arguments: {} } });
    expect((await client.answer(2))['error']).toEqual({ code: -32602, message: `There is no tool "clik". ${next}` });
  });

  it('gives a failure, not a broken connection, for a result that is none', async () => {
    const { wired, host } = shimFor();
    host.on('call', () => ({ nothing: true }));
    const client = await clientV1(wired);
    expect(await client.callTool({ name: 'look', arguments: {} })).toMatchObject({ isError: true });
    expect((await client.listTools()).tools).toHaveLength(3);
  });
});
