import { expect, test } from 'vitest';
import { createAdmin } from '../../src/main/serve/admin.js';
import type { LinkRefusal } from '../../src/main/serve/pairing/link-permissions.js';
import type { Caller } from '../../src/main/pipeline/ports.js';

const ENV = { DISPLAY: ':7' };
const peer = { pid: 40, startTime: '1', uid: 1, executable: '/bin/sh', script: null, cwd: null, parentPid: 1 };
const unused = (): never => {
  throw new Error('not asked for here');
};

/** What `admin/status` tells a process that is not below an agent. */
async function shownTo(refusal: LinkRefusal | null, via: { via?: 'ssh' } = {}) {
  const admin = createAdmin({
    url: 'http://localhost:1',
    desktop: { name: 'virtual', display: ':7', env: ENV },
    status: () => ({ agents: [] }) as unknown as ReturnType<Parameters<typeof createAdmin>[0]['status']>,
    health: () => null,
    headState: unused,
    policy: () => ({}) as ReturnType<Parameters<typeof createAdmin>[0]['policy']>,
    cards: () => [],
    questions: () => [],
    pairingLink: unused,
    stopAgents: unused,
    leave: unused,
    background: false,
    deny: unused,
    agents: { callers: () => [], hasCalled: () => false, includes: () => false },
    apps: { list: () => [], start: unused, stop: unused, log: unused },
    elsewhere: { tell: unused, list: () => [], onChange: () => () => undefined },
    askerRefusal: () => refusal,
    lineage: () => [peer],
  });
  const caller = { peer, agent: { pid: 40, startTime: '1', ...via } } as Caller;
  return (await admin(caller, 'admin/status', {})) as { desktop: { display: string; env: unknown } };
}

test.each<[LinkRefusal | null, unknown]>([
  [null, ENV],
  ['no_terminal', ENV],
  ['command', null],
  ['host', null],
  ['agent', null],
  ['unclear', null],
])('the environment of the desktop, where a link would be refused for %s', async (refusal, env) => {
  expect((await shownTo(refusal)).desktop).toEqual({ name: 'virtual', display: ':7', env });
});

test('what SSH forwards is never given it [req:RH-10]', async () => {
  expect((await shownTo(null, { via: 'ssh' })).desktop).toEqual({ name: 'virtual', display: ':7', env: null });
});
