import { afterEach, describe, expect, it } from 'vitest';
import { createObservationBuffer } from '../../src/main/mcp/observation-buffer.js';
import { createFakeHost } from '../support/fake-host.js';
import { clientV1, clientV2, until, wire, type Wired } from '../shim/support.js';

let open: Wired[] = [];
afterEach(async () => {
  for (const { shim } of open) await shim.close();
  open = [];
});

function shimFor() {
  const host = createFakeHost();
  const wired = wire(host);
  open.push(wired);
  return { host, wired };
}

const EVENT = { sequence: 1, type: 'element_added' };

describe('what an observation saw', () => {
  it('[req:DS-3-11] is told to a client of 2025 or older as a log message of its own logger', async () => {
    const { host, wired } = shimFor();
    const told: unknown[] = [];
    const client = await clientV1(wired);
    client.fallbackNotificationHandler = async ({ method, params }) => void told.push({ method, params });
    await client.listTools();
    host.emit('observation/o1', EVENT);
    await until(() => told.length > 0);
    expect(told).toEqual([
      {
        method: 'notifications/message',
        params: {
          level: 'info',
          logger: 'chaperone/observation',
          data: { observation: 'observations/o1', event: EVENT },
        },
      },
    ]);
    await client.setLoggingLevel('error');
    host.emit('observation/o1', EVENT);
    await client.listTools();
    expect(told).toHaveLength(1);
    expect(client.getServerCapabilities()).toMatchObject({ tools: { listChanged: true }, logging: {} });
  });

  it('[req:DS-3-11] is a resource in 2026-07-28: who subscribed hears that it changed, and reads it', async () => {
    const { host, wired } = shimFor();
    const client = await clientV2(wired);
    const uri = 'chaperone://observations/o1';
    const changed: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void changed.push(params.uri));
    const subscription = await client.listen({ resourceSubscriptions: [uri] });
    host.emit('observation/o2', EVENT);
    host.emit('observation/o1', EVENT);
    host.emit('observation/o1', { ...EVENT, sequence: 2 });
    await until(() => changed.length >= 2);
    expect(changed).toEqual([uri, uri]);
    const { resources } = await client.listResources();
    expect(resources.map((one) => one.name).sort()).toEqual(['observations/o1', 'observations/o2']);
    const { contents } = await client.readResource({ uri });
    expect(JSON.parse(String(contents[0] && 'text' in contents[0] ? contents[0].text : ''))).toEqual({
      events: [EVENT, { ...EVENT, sequence: 2 }],
      dropped: 0,
    });
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toMatchObject({ code: -32602 });
    await subscription.close();
  });

  it('does not wait for a client that does not read, nor grow without end, and says how much was left out', () => {
    const told: [string, unknown, number][] = [];
    let room = true;
    const observed = createObservationBuffer({ send: (...one) => void told.push(one), canSend: () => room });
    observed.add('o1', 0);
    room = false;
    for (let event = 1; event <= 1_000; event += 1) observed.add('o1', event);
    room = true;
    observed.add('o1', 1_001);
    expect(told).toEqual([
      ['o1', 0, 0],
      ['o1', 1_001, 1_000],
    ]);
    const { events, dropped } = JSON.parse(observed.read('chaperone://observations/o1') ?? '') as Record<
      string,
      unknown
    >;
    expect(events).toHaveLength(100);
    expect(dropped).toBe(902);
    for (let id = 0; id < 1_000; id += 1) observed.add(`other/${id}`, 1);
    expect(observed.list()).toHaveLength(50);
    expect(observed.read('chaperone://observations/o1')).toBeNull();
  });
});
