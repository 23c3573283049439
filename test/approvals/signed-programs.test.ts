/** An "always" where the system tells which program runs, whatever lies at its path. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createTrust } from '../../src/main/approvals/trust.js';
import { untold, type ProgramIdentities } from '../../src/native/peer/program-identity.js';
import { asked } from './grant-store.js';
import { createClock } from '../../src/main/approvals/clock.js';
import { createGrantStore } from '../../src/main/approvals/grants.js';
import { agentOf, call, callerOf, onlyCard, START, tempDir, world } from './support.js';

const AGENT = 100;
const APP_PID = 4000;
const TEAM = 'code anchor apple generic and identifier "dev.agent"';

/** By pid, changed by the tests. */
function system() {
  const programs = new Map<number, string>();
  const identities: ProgramIdentities = {
    of({ pid }) {
      const identity = programs.get(pid);
      return identity === undefined ? untold('unknown', '') : { identity };
    },
    isSame: ({ pid }, _role, identity) => programs.get(pid) === identity,
  };
  return { programs, peers: { identities, isOwnShim: () => true } };
}
const facts = (pid = AGENT) => {
  const made = asked({ agent: agentOf({ pid }) });
  if (made.app === null) throw new Error('no application');
  return { ...made, app: { ...made.app, process: { pid: APP_PID, startTime: '1' } } };
};
function store() {
  const { programs, peers } = system();
  programs.set(AGENT, TEAM).set(APP_PID, 'code anchor apple and identifier "app"');
  const file = `${tempDir()}/grants.json`;
  const open = (more: object = { trust: createTrust(peers) }) =>
    createGrantStore({ file, clock: createClock(() => START, () => 0), log: () => undefined, ...more }); // prettier-ignore
  return { programs, open, file, grants: open() };
}

describe('[req:MW-7] an “always” is for the programs it was given for', () => {
  it('in any of their processes, also after a restart of the host', () => {
    const { grants, programs, open } = store();
    const given = grants.add('always', facts());
    programs.set(101, TEAM);
    expect(grants.match(facts(101))?.id).toBe(given.id);
    expect(open().match(facts(101))?.id).toBe(given.id);
  });

  it.each<[string, (programs: Map<number, string>) => unknown]>([
    ['the agent’s program was signed by another', (programs) => programs.set(AGENT, 'code cdhash H"ff"')],
    ['the agent’s program cannot be told', (programs) => programs.delete(AGENT)],
    ['the application’s program is another', (programs) => programs.set(APP_PID, 'code cdhash H"ff"')],
    ['the application’s program cannot be told', (programs) => programs.delete(APP_PID)],
  ])('and not where %s', (_, change) => {
    const { grants, programs } = store();
    grants.add('always', facts());
    change(programs);
    expect(grants.match(facts())).toBeNull();
  });

  it('is neither given nor offered where a program cannot be told', () => {
    const { grants, programs } = store();
    programs.delete(AGENT);
    expect(grants.noAlways(facts())).toMatchObject({ code: 'grant.untold' });
    expect(() => grants.add('always', facts())).toThrow('does not show which program');
    expect(grants.add('time', facts()).kind).toBe('time');
  });

  it('does not go on from a file that does not say for which programs', () => {
    const { open, file } = store();
    open().add('always', facts());
    expect(open().match(facts())).not.toBeNull();
    const [programs, kept] = [/,"programs":\{[^}]*\}/, readFileSync(file, 'utf8')];
    expect(kept).toMatch(programs);
    writeFileSync(file, kept.replace(programs, ''), { mode: 0o600 });
    expect(open().match(facts())).toBeNull();
    expect(open({}).match(facts())).not.toBeNull();
  });

  it('leaves grants for a time to the process, as everywhere', () => {
    const { grants, programs } = store();
    grants.add('session', facts());
    programs.clear();
    expect(grants.match(facts())).not.toBeNull();
  });
});

it('[req:MW-7] a card offers “always” only where both programs can be told', () => {
  const { programs, peers } = system();
  const w = world({ peers });
  call(w.approvals);
  expect(onlyCard(w.approvals).grants.map(({ kind }) => kind)).toEqual(['once', 'time', 'session']);
  expect(onlyCard(w.approvals).noAlways).toMatchObject({ code: 'grant.untold', params: { reason: 'other' } });
  const known = (pid: number) => ({ identity: programs.get(pid) ?? TEAM });
  const other = world({ peers: { ...peers, identities: { ...peers.identities, of: ({ pid }) => known(pid) } } });
  call(other.approvals);
  expect(onlyCard(other.approvals).grants.map(({ kind }) => kind)).toContain('always');
});

describe('[req:ID-5] a connection', () => {
  const caller = (socket: string | null | undefined) => {
    const made = callerOf();
    return { ...made, peer: { ...made.peer, ...(socket === undefined ? {} : { socket }) } };
  };
  const held = (pids: number[], hidden: number[] = []) => {
    const { peers } = system();
    return createTrust({ ...peers, holders: { look: () => null, of: () => ({ pids, hidden }) } });
  };
  const peer = caller('7').peer.pid;

  it('counts where the one that connected holds it alone', () => {
    expect(held([peer]).doubtOf(caller('7'))).toBeNull();
  });

  it.each<[string, number[], number[]]>([
    ['another holds it too', [peer, 9], []],
    ['only another holds it', [9], []],
    ['nobody holds it', [], []],
    ['one that hides what it holds is near', [peer], [9]],
  ])('does not where %s', (_, pids, hidden) => {
    expect(held(pids, hidden).doubtOf(caller('7'))).toMatchObject({ code: 'grant.shared' });
  });

  it('does not whose end the kernel does not name', () => {
    expect(held([peer]).doubtOf(caller(null))).toMatchObject({ code: 'grant.shared' });
  });
});
