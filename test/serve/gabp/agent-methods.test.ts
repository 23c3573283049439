import { describe, expect, it } from 'vitest';
import { WireError } from '../../../src/main/protocol/index.js';
import { connection, error, result } from '../support.js';
import { verbatim } from '../../../src/messages/index.js';
import { waitFor } from '../../support/eventually.js';

async function shim(cwd: string | null = '/project') {
  const link = connection();
  await link.hello({ clientInfo: { name: 'chaperone-mcp', version: '0.1.0' } });
  const described = await link.ask('agent/describe', { client: { name: 'claude-code', version: '2.1' }, cwd });
  return { ...link, described };
}

describe('agent/describe', () => {
  it('[req:DS-3-12] makes the shim’s parent the one who asks, whatever the client calls itself', async () => {
    const { described, services, nth, send } = await shim();
    expect(result(described)).toEqual({
      agent: { id: expect.any(String), name: 'Claude Code' },
      url: 'http://localhost:1234',
    });
    expect(services.present).toEqual(['+node · cli.js/gabp', '+Claude Code/mcp', '-node · cli.js/gabp']);
    await send('agent/call', { callId: 'c', name: 'look' });
    const { caller, arguments: args } = await nth(0);
    expect(caller).toMatchObject({
      protocol: 'mcp',
      peer: { pid: 500 },
      agent: { pid: 400, executable: '/usr/bin/claude', claim: 'claude-code 2.1', cwd: '/project' },
    });
    expect(args).toEqual({});
  });

  it('believes a folder only where the kernel says so of shim or parent', async () => {
    const folder = async (cwd: string | null): Promise<unknown> => {
      const { nth, send } = await shim(cwd);
      await send('agent/call', { callId: 'c', name: 'look' });
      return (await nth(0)).caller.agent.cwd;
    };
    expect(await folder('/')).toBe('/');
    expect(await folder('/etc')).toBe('/project');
    expect(await folder(null)).toBe('/project');
  });

  it('takes a client that says nothing of itself', async () => {
    const { hello, ask } = connection();
    await hello();
    expect(result(await ask('agent/describe', { client: null, cwd: '/' }))).toMatchObject({
      agent: { name: 'Claude Code' },
    });
    expect(result(await ask('agent/describe', {}))).toMatchObject({ agent: { name: 'Claude Code' } });
  });

  it('is gone once, under its last name', async () => {
    const { services, near, served } = await shim();
    near.close();
    await served.closed;
    expect(services.present.slice(3)).toEqual(['-Claude Code/mcp']);
  });
});

describe('the other methods', () => {
  it('[req:DS-3-12] list the tools word for word, by profile', async () => {
    const { ask } = await shim();
    const tools = result(await ask('agent/tools', { profile: 'core' }))['tools'] as Record<string, unknown>[];
    expect(tools.map((tool) => Object.keys(tool).sort())).toEqual([
      ['annotations', 'description', 'inputSchema', 'name'],
    ]);
    expect(result(await ask('agent/tools'))['tools']).toHaveLength(2);
  });

  it('[req:DS-3-12] give the ready result, errors and pictures included', async () => {
    const { ask, nth } = await shim();
    const answer = ask('agent/call', { callId: 'c', name: 'look', arguments: { a: 1 } });
    const ready = { content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }], isError: true, _meta: { x: 1 } };
    (await nth(0)).resolve(ready);
    expect(result(await answer)).toEqual(ready);
  });

  it('refuse with plain words and everything in data', async () => {
    const { ask } = await shim();
    const refused = error(await ask('agent/resume', { callId: 'unknown' }));
    expect(refused).toMatchObject({
      message: 'No such call.',
      data: { code: 'DESKTOP_INVALID_REQUEST', details: { reason: 'unknown_call' } },
    });
  });

  it('[req:DS-3-12] detach or abort a waiting call by its callId, also a resumed one', async () => {
    for (const [method, mode, ended] of [['agent/call', 'detach', 'detach'], ['agent/resume', 'abort', 'withdraw']] as const) {
      const { ask, nth, services, send } = await shim();
      await send(method, { callId: 'c', name: 'look' });
      const { options } = await nth(0);
      expect(result(await ask('agent/cancel', { callId: 'other', mode }))).toEqual({ cancelled: false });
      expect(options.signal.aborted).toBe(false);
      expect(result(await ask('agent/cancel', { callId: 'c', mode }))).toEqual({ cancelled: true });
      expect(options.signal.reason).toMatchObject({ mode: ended });
      expect(services.cancels.at(-1)).toEqual({ callId: 'c', mode });
    } // prettier-ignore
  });

  it('cancel even when no more calls are taken', async () => {
    const link = connection({ limits: { maxCalls: 1 } });
    await link.hello();
    await link.send('agent/call', { callId: 'c', name: 'look' });
    await link.nth(0);
    expect(result(await link.ask('agent/cancel', { callId: 'c', mode: 'abort' }))).toEqual({ cancelled: true });
  });

  it('tell the screens', async () => {
    const { ask } = await shim();
    expect(result(await ask('agent/screens'))).toMatchObject({ screens: [{ id: 'main', width: 800 }] });
  });
});

describe('admin methods', () => {
  it('reach the host on the Unix socket, after hello', async () => {
    const { ask, services, hello } = connection();
    await hello();
    expect(result(await ask('admin/status'))).toEqual({ pid: 500 });
    expect(services.admins).toEqual(['admin/status']);
  });

  it('do not exist elsewhere', async () => {
    const { ask, services, hello } = connection({ admin: null });
    await hello();
    expect(error(await ask('admin/status'))).toMatchObject({ code: -32601 });
    expect(services.admins).toEqual([]);
  });
});

it('closes the connection, not the host, when the host breaks where it may not', async () => {
  const link = connection();
  link.services.agents.connected = () => {
    throw new WireError('DESKTOP_INTERNAL_ERROR', verbatim('broken'));
  };
  await link.near.send({ jsonrpc: '2.0', id: 1, method: 'desktop.health' });
  await waitFor(() => expect(link.ends).toEqual(['internal error']));
});
