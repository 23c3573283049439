/** What each kind of caller gets of the command line's methods. Who is the person is not decided here. */
import { describe, expect, test } from 'vitest';
import { createElsewhere } from '../../src/main/agents/status.js';
import type { Caller } from '../../src/main/approvals/request.js';
import type { Agent, Card, Doubt, ElsewhereHost } from '../../src/main/protocol/index.js';
import { createAdmin, type AdminOptions } from '../../src/main/serve/admin.js';

const ENV = { DISPLAY: ':7' };
const DESKTOP = { name: 'virtual', display: ':7', env: ENV };
const process = (pid: number) => ({ pid, startTime: '1', uid: 1, executable: '/bin/sh', script: null, cwd: null, parentPid: 1 }); // prettier-ignore
const agent = (pid: number) => ({ ...process(pid), id: `${pid}`, name: `Agent ${pid}` }) as unknown as Agent;
const card = (pid: number) => ({ id: `card-${pid}`, agent: agent(pid), arguments: { command: 'secret' } }) as unknown as Card; // prettier-ignore
const [OWN, OTHER] = [40, 41] as const;

/** A host with an agent and a card each of 40 and 41. */
function start(
  doubt: Doubt | null,
  { called = false, more = {} }: { called?: boolean; more?: Partial<AdminOptions> } = {},
) {
  const did: unknown[] = [];
  const elsewhere = createElsewhere({ onContact: () => () => undefined, callers: () => [] }, () => undefined);
  const now = {
    state: 'acting',
    paused: null,
    agents: [agent(OWN), agent(OTHER)],
    elsewhere: [],
    recordVerified: true,
  };
  const admin = createAdmin({
    url: 'http://localhost:1',
    desktop: DESKTOP,
    status: () => now as unknown as ReturnType<AdminOptions['status']>,
    names: () => [{ id: 'a', name: 'Shop' }],
    health: () => ({ backend: 'linux' }) as ReturnType<AdminOptions['health']>,
    headState: () => Promise.resolve('right'),
    policy: () => ({ preset: 'standard' }) as ReturnType<AdminOptions['policy']>,
    cards: () => [card(OWN), card(OTHER)],
    questions: () => [1],
    pairingLink: () => ({ link: 'http://localhost:1/#pair=x', confirm: null }),
    stopAgents: (by, where) => void did.push(['stop', by, where]),
    leave: () => void did.push('leave'),
    background: true,
    deny: (denial) => void did.push(denial),
    agents: { callers: () => [], hasCalled: ({ pid }) => called && pid === OWN, includes: () => false },
    apps: { list: () => [{ name: 'game' }] as ReturnType<AdminOptions['apps']['list']>, start: async () => void did.push('start'), stop: async () => undefined, log: () => [] }, // prettier-ignore
    elsewhere,
    person: { doubt: () => doubt },
    lineage: () => [process(OWN)],
    ...more,
  });
  const caller = { peer: process(OWN), agent: agent(OWN), connectionId: 'one', protocol: 'gabp' } as unknown as Caller;
  const ask = (method: string, params: unknown = {}, by: Partial<Caller> = {}) => admin({ ...caller, ...by }, method, params); // prettier-ignore
  return { ask, did, elsewhere, caller };
}

const DOUBTS = ['agent', 'host', 'command', 'unclear', 'no_terminal'] as const;

test('[req:PN-4] the person gets all of it', async () => {
  const { ask, did } = start(null);
  expect(await ask('admin/status')).toMatchObject({ desktop: DESKTOP, health: { backend: 'linux' }, policy: { preset: 'standard' }, status: { agents: [{ pid: OWN }, { pid: OTHER }] } }); // prettier-ignore
  expect(await ask('admin/approvals')).toMatchObject({ approvals: [{ id: 'card-40' }, { id: 'card-41' }], others: 0 });
  expect(await ask('admin/status')).toMatchObject({ names: [{ id: 'a', name: 'Shop' }] });
  expect(await ask('admin/head')).toEqual({ head: 'right' });
  expect(await ask('admin/pair')).toHaveProperty('link');
  expect(await ask('admin/apps')).toEqual({ apps: [{ name: 'game' }] });
  for (const method of ['start', 'stop', 'log']) await ask(`admin/apps/${method}`, { name: 'game' });
  await ask('admin/deny', { id: 'card-41', message: 'Not now' });
  await ask('admin/stop', { host: true });
  expect(did).toEqual([
    'start',
    { id: 'card-41', message: 'Not now', by: 'command line', where: 'cli' },
    ['stop', 'command line', 'cli'],
    'leave',
  ]);
});

describe.each(DOUBTS)('[req:PN-4] whoever is not proven, for %s', (doubt) => {
  test('sees counts, and why', async () => {
    const { ask } = start(doubt);
    const seen = [await ask('admin/status'), await ask('admin/approvals'), await ask('admin/apps')];
    expect(seen).toEqual([
      { url: 'http://localhost:1', status: { state: 'watching', paused: null, agents: [], recordVerified: true }, otherAgents: 2, pendingApprovals: 2, pendingQuestions: 1, desktop: { env: null }, health: null, policy: null, doubt },
      { approvals: [], others: 2, pendingQuestions: 1, doubt },
      { apps: [], others: 1, doubt },
    ]); // prettier-ignore
  });

  test('stops agents in no person’s name, and does nothing else', async () => {
    const { ask, did } = start(doubt);
    await ask('admin/stop');
    await expect(ask('admin/stop', { host: true })).rejects.toMatchObject({ details: { reason: doubt } });
    expect(did).toEqual([['stop', 'Agent 40', 'unproven']]);
    for (const id of ['card-40', 'card-41'])
      await expect(ask('admin/deny', { id, message: 'The person says' })).rejects.toThrow('Only the person');
    for (const method of [
      'admin/head',
      'admin/pair',
      'admin/handover',
      'admin/apps/start',
      'admin/apps/stop',
      'admin/apps/log',
    ])
      // prettier-ignore
      await expect(ask(method, { name: 'game' }), method).rejects.toThrow(/[Oo]nly the person/);
    expect(did).toHaveLength(1);
  });
});

test('[req:PN-4] an agent sees and withdraws its own, without words in the person’s name', async () => {
  const { ask, did } = start(null, { called: true });
  expect(await ask('admin/status')).toMatchObject({ status: { agents: [{ pid: OWN }] }, otherAgents: 1, desktop: { env: null } }); // prettier-ignore
  expect(await ask('admin/approvals')).toMatchObject({ approvals: [{ id: 'card-40' }], others: 1, doubt: 'agent' });
  await expect(ask('admin/deny', { id: 'card-41' })).rejects.toThrow('Only the person');
  await expect(ask('admin/deny', { id: 'card-40', message: 'I said so' })).rejects.toThrow('Only the person');
  await ask('admin/deny', { id: 'card-40' });
  expect(did).toEqual([{ id: 'card-40', by: 'Agent 40', where: 'agent' }]);
});

test('what SSH forwards sees counts, whoever it may be [req:RH-10]', async () => {
  const { ask, caller } = start(null);
  const forwarded = { ...caller.agent, via: 'ssh', startTime: 'ssh:1' } as const;
  expect(await ask('admin/status', {}, { agent: forwarded })).toMatchObject({ desktop: { env: null }, doubt: 'agent' });
});

test('a host in use leaves for the person only, and one that a person started for nobody', async () => {
  const idle = { cards: () => [], questions: () => [] };
  await start(null).ask('admin/handover');
  await start('no_terminal', { more: idle }).ask('admin/handover');
  await expect(start('no_terminal').ask('admin/handover')).rejects.toMatchObject({ details: { reason: 'in_use' } });
  await expect(start(null, { more: { background: false } }).ask('admin/handover')).rejects.toMatchObject({ details: { reason: 'not_background' } }); // prettier-ignore
});

describe('a host on another machine', () => {
  const ROW: ElsewhereHost = { address: 'ssh://ann@far:2222', state: 'connected', url: null, waiting: 1 };
  const LINK = { ...ROW, url: 'http://localhost:4100' };

  /** The rows after it was told, or `refused`. */
  async function told(doubt: Doubt | null, row: object, by: Partial<Caller> = {}) {
    const { ask, elsewhere } = start(doubt);
    return ask('admin/elsewhere', row, by).then(
      () => elsewhere.list(),
      () => 'refused',
    );
  }

  test('[req:RH-9] is told by the person, with its link', async () => {
    expect(await told(null, LINK)).toEqual([LINK]);
  });

  test.each<[Doubt, unknown]>([
    ['agent', [{ ...ROW, by: 'Agent 40' }]],
    ['unclear', [{ ...ROW, by: 'Agent 40' }]],
    ['no_terminal', [{ ...ROW, by: 'Agent 40' }]],
    ['command', 'refused'],
    ['host', 'refused'],
  ])('[req:RH-10] by whoever is not proven for %s it is named after its sender, over every protocol', async (doubt, rows) => {
    for (const protocol of ['gabp', 'mcp', 'jsonrpc'] as const)
      expect(await told(doubt, { ...ROW, by: 'You' }, { protocol })).toEqual(rows);
    expect(await told(doubt, LINK)).toBe('refused');
  }); // prettier-ignore

  test.each(['ssh://far; rm -rf ~', 'unix:///tmp/$(id)', 'Your bank'])(
    '[req:RH-10] of an agent %j is not taken',
    async (address) => {
      // prettier-ignore
      expect(await told('agent', { ...ROW, address })).toBe('refused');
    },
  );

  test('[req:RH-10] whoever SSH forwards tells nothing', async () => {
    const forwarded = { ...agent(OWN), via: 'ssh' } as const;
    expect(await told(null, ROW, { agent: forwarded })).toBe('refused');
  });

  test('[req:RH-9] however many agents tell, the person’s own have room', async () => {
    const { ask, elsewhere } = start('agent');
    const tells = Array.from({ length: 60 }, (_, index) => ask('admin/elsewhere', ROW, { connectionId: `agent ${index}` }).then(() => true, () => false)); // prettier-ignore
    expect((await Promise.all(tells)).filter((ok) => !ok)).toHaveLength(40);
    expect(elsewhere.tell({ connectionId: 'person' }, ROW)).toBe(true);
    expect(elsewhere.list()).toHaveLength(21);
    await ask('admin/elsewhere', { ...ROW, waiting: 5 }, { connectionId: 'agent 0' });
    expect(elsewhere.list()).toHaveLength(21);
  });
});
