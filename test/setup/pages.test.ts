import { existsSync, mkdirSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchClientConnections } from '../../src/main/setup/client-connections.js';
import type { ClientId, Status } from '../../src/main/protocol/index.js';
import { startAgent } from '../support/agent.js';
import { startHost, type TestHost } from '../support/host.js';
import { openPage, type Person } from '../support/person.js';
import { CLAUDE, STATUS } from '../support/page-samples.js';
import { createMachine, LAUNCHER, type TestMachine } from './machine.js';

let machine: TestMachine;
beforeEach(() => {
  machine = createMachine();
});
afterEach(() => machine.close());

describe('[req:AP-S-3] asked by pages', () => {
  let chaperone: TestHost | null = null;
  const people: Person[] = [];
  afterEach(async () => {
    for (const person of people.splice(0)) person.close();
    await chaperone?.close();
    chaperone = null;
  });

  async function start(more: Parameters<typeof startHost>[0] = {}): Promise<Person> {
    chaperone = await startHost({ launcher: LAUNCHER, env: { ...machine.env }, ...more });
    return open(chaperone.host.pairingLink());
  }

  async function open(link?: string): Promise<Person> {
    const person = await openPage(chaperone?.host.url ?? '', link);
    people.push(person);
    return person;
  }

  const ask = async (person: Person, client: ClientId, remove = false) => {
    const request = randomUUID();
    person.send({ type: 'setUp', request, client, remove });
    return person.match((one) => ('request' in one && one.request === request) || (one.type === 'error' && one.about === request)); // prettier-ignore
  };
  const clients = async (person: Person) => {
    person.send({ type: 'clients', request: randomUUID() });
    return person.next('clients');
  };

  it('a paired page has an agent set up in the person’s own folders, and taken away', async () => {
    const person = await start();
    mkdirSync(machine.path('.codex'));
    const known = await clients(person);
    expect(known.offered).toBe(true);
    expect(known.clients.slice(0, 2)).toMatchObject([
      { id: 'claude', found: false },
      { id: 'codex', found: true, entry: 'none' },
    ]);
    expect(known.clients.filter(({ paste }) => paste !== null).map(({ id }) => id)).toEqual(['jetbrains']);
    const file = machine.path('.codex/config.toml');
    expect(await ask(person, 'codex')).toMatchObject({ type: 'setUp', outcome: 'added', files: [{ path: file }] });
    expect(machine.read('.codex/config.toml')).toContain('/opt/chaperone/index.js');
    expect((await clients(person)).clients[1]).toMatchObject({ entry: 'ours', lastSeen: null });
    expect(await ask(person, 'codex', true)).toMatchObject({ outcome: 'removed' });
    expect(existsSync(file)).toBe(false);
  });

  it('what cannot be done is told in words', async () => {
    const person = await start();
    machine.write('.cursor/mcp.json', '{ broken');
    expect(await ask(person, 'cursor')).toMatchObject({
      type: 'error',
      code: 'invalid_file',
      message: { code: 'setup.invalid_file', params: { why: { params: { error: 'invalid symbol' } } } },
    });
    expect(machine.read('.cursor/mcp.json')).toBe('{ broken');
  });

  it('nobody else: no page that is not paired, and no agent', async () => {
    await start();
    const other = await open();
    expect(await ask(other, 'cursor')).toMatchObject({ type: 'error', code: 'pairing_needed' });
    const request = randomUUID();
    other.send({ type: 'clients', request });
    expect(await other.next('error', ({ about }) => about === request)).toMatchObject({ code: 'pairing_needed' });
    const agent = await startAgent(chaperone?.home ?? '');
    const { tools } = await agent.client.listTools();
    await agent.close();
    expect(tools.filter(({ name }) => /set_?up|connect|client/i.test(name))).toEqual([]);
    expect(existsSync(machine.path('.cursor'))).toBe(false);
  });

  it.each([
    ['nobody said what starts it', { launcher: undefined }],
    ['an agent chose its folders', { narrow: true }],
  ])('nothing is offered where %s', async (_, more) => {
    const { launcher, ...rest } = { launcher: LAUNCHER, ...more };
    chaperone = await startHost({ env: { ...machine.env }, ...rest, ...(launcher === undefined ? {} : { launcher }) });
    const person = await open(chaperone.host.pairingLink());
    expect(await clients(person)).toMatchObject({ offered: false, clients: [] });
    expect(await ask(person, 'cursor')).toMatchObject({ type: 'error', code: 'not_offered' });
  });
});

describe('[req:AP-S-3] when an agent was last here', () => {
  it('is known by the name the host gives it, and outlives the host', async () => {
    const file = machine.path('clients.json');
    let agents: Status['agents'] = [];
    const listeners = new Set<() => void>();
    let time = Date.UTC(2026, 10, 21);
    const open = () =>
      watchClientConnections({
        file,
        status: {
          now: () => ({ ...STATUS, agents }),
          on: (listener) => {
            listeners.add(listener);
            return () => listeners.delete(listener);
          },
        },
        now: () => new Date((time += 60_000)),
        log: (thrown) => {
          throw thrown;
        },
      });
    const tell = (next: Status['agents']) => {
      agents = next;
      for (const listener of [...listeners]) listener();
    };
    const first = open();
    expect([first.connected('claude'), first.lastSeen('claude')]).toEqual([false, null]);
    const since = new Date(time).toISOString();
    tell([{ ...CLAUDE, since, state: 'idle' }, { ...CLAUDE, id: 'x', name: 'node · x.js', claim: 'Codex', since, state: 'idle' }]); // prettier-ignore
    expect([first.connected('claude'), first.connected('codex'), first.lastSeen('codex')]).toEqual([true, false, null]);
    tell([]);
    const seen = first.lastSeen('claude');
    expect([first.connected('claude'), seen]).toEqual([false, '2026-11-21T00:02:00.000Z']);
    await first.close();
    expect(listeners.size).toBe(0);
    expect(open().lastSeen('claude')).toBe(seen);
    machine.write('clients.json', '{"claude": 7, broken');
    expect(open().lastSeen('claude')).toBeNull();
  });
});
