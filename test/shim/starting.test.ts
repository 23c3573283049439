import { afterEach, describe, expect, it } from 'vitest';
import { createFakeHost } from '../support/fake-host.js';
import { clientV1, until, wire, type Wired } from './support.js';

const REPLY = { content: [{ type: 'text', text: 'yes' }], structuredContent: { reply: 'yes' } };

let open: Wired[] = [];
afterEach(async () => {
  for (const { shim } of open) await shim.close();
  open = [];
});

describe('a host that does not run', () => {
  it('is started once, however many calls come at once', async () => {
    const host = createFakeHost({ running: false });
    host.on('call', () => REPLY);
    const wired = wire(host);
    open.push(wired);
    const client = await clientV1(wired);
    const results = await Promise.all([1, 2, 3].map(() => client.callTool({ name: 'send_message', arguments: {} })));
    expect(results).toHaveLength(3);
    expect(host.starts()).toBe(1);
    expect(host.connections()).toBe(1);
  });

  it('and cannot be started is reported with its own words and the next step', async () => {
    const host = createFakeHost({ running: false });
    host.failStart({ code: 1, output: 'policy.json: unknown field x.' });
    const wired = wire(host, { times: { openingTimeoutMs: 1 } });
    open.push(wired);
    const client = await clientV1(wired);
    const result = await client.callTool({ name: 'send_message', arguments: {} });
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result.content)).toMatch(/policy\.json: unknown field x\..*chaperone doctor/);
    await expect(client.listTools()).rejects.toThrow('policy.json');
  });

  it('is waited for when another shim was quicker to start it', async () => {
    const host = createFakeHost({ running: false });
    host.failStart({ code: 0, output: '' });
    host.on('call', () => REPLY);
    const wired = wire(host, { times: { openingTimeoutMs: 1 } });
    open.push(wired);
    const client = await clientV1(wired);
    const answer = client.callTool({ name: 'send_message', arguments: {} });
    await until(() => host.starts() > 0);
    host.arrive();
    expect(await answer).toMatchObject(REPLY);
    expect(host.starts()).toBe(1);
  });

  it('and does not come up in time is reported, and not started once for each who waits', async () => {
    const host = createFakeHost({ running: false });
    host.connection.startTimeoutMs = 50;
    let starts = 0;
    host.connection.start = () => {
      starts += 1;
      return { ended: new Promise(() => undefined) };
    };
    const wired = wire(host, { times: { openingTimeoutMs: 1 } });
    open.push(wired);
    const client = await clientV1(wired);
    const [first, second] = await Promise.all(
      [1, 2].map(() => client.callTool({ name: 'send_message', arguments: {} })),
    );
    expect(JSON.stringify(first?.content)).toContain('does not answer');
    expect(second).toMatchObject({ isError: true });
    expect(starts).toBeLessThanOrEqual(3);
  });

  it('refuses a wrong token: nothing is called', async () => {
    const host = createFakeHost();
    const { find } = host.connection;
    host.connection.find = async () => {
      const found = await find();
      return found === null ? null : { ...found, token: 'b'.repeat(64) };
    };
    const wired = wire(host, { times: { openingTimeoutMs: 1 } });
    open.push(wired);
    const client = await clientV1(wired);
    expect(await client.callTool({ name: 'send_message', arguments: {} })).toMatchObject({ isError: true });
    expect(new Set(host.asked.map((asked) => asked.method))).toEqual(new Set(['session/hello']));
  });
});
