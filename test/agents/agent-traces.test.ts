import { expect, it } from 'vitest';
import type { Caller } from '../../src/main/approvals/request.js';
import { AgentTraces } from '../../src/main/agents/agent-traces.js';
import { createAgents } from '../../src/main/agents/index.js';
import type { ProcessIdentity } from '../../src/native/peer/types.js';
import { unknownPeer } from '../../src/main/agents/caller.js';
import type { ProcessDetails } from '../../src/native/peer/process-inspector.js';

/** The agent; ids near it are of made-up processes. Above every id that a system gives: never that of this process. */
const AGENT = 5_000_050;

function start() {
  const all = new Map<number, ProcessDetails>();
  const time = { now: 10_000 };
  const place = (pid: number, parentPid: number, family = '/agent') =>
    all.set(pid, {
      pid,
      parentPid,
      startTime: `${pid}`,
      sessionLeader: pid,
      groupLeader: pid,
      terminal: 0,
      uid: 0,
      realUid: 0,
      name: 'x',
      family,
      namespaces: { pid: '', mount: '' },
    });
  place(AGENT, 2);
  const agents = createAgents(() => new Date(time.now));
  const lineage = (pid: number): ProcessIdentity[] => {
    const found = all.get(pid);
    return found === undefined ? [] : [{ ...unknownPeer('x'), ...found }, ...lineage(found.parentPid)];
  };
  const traces = new AgentTraces({
    inspector: { inspect: (pid) => all.get(pid) ?? null, list: () => [...all.values()] },
    lineage,
    openedByAgent: (pid) => pid === 5_000_070,
    hasCalled: agents.hasCalled,
    now: () => time.now,
  });
  agents.onContact((contact) => traces.note(contact));
  const peer = { ...unknownPeer('x'), pid: AGENT, startTime: `${AGENT}` };
  const caller = { agent: peer, peer, connectionId: 'x', protocol: 'gabp' } as unknown as Caller;
  const call = () => {
    time.now += 1_000;
    agents.called(caller);
  };
  const saw = (pid: number) => traces.saw({ pid, startTime: `${pid}` });
  const mayHaveLeft = (pid: number) => {
    const [one] = lineage(pid);
    return one !== undefined && traces.mayHaveLeft(one, { ...unknownPeer('x'), pid: one.parentPid });
  };
  return { all, agents, caller, call, mayHaveLeft, place, saw, traces, time };
}

it('[req:PW-3] what was seen below an agent is known also once its parent has ended', () => {
  const { all, call, place, saw } = start();
  place(5_000_060, AGENT);
  place(5_000_061, 5_000_060);
  call();
  all.delete(5_000_060);
  place(5_000_061, 1);
  call();
  expect([5_000_061, 2].map(saw)).toEqual([true, false]);
});

it('[req:PW-3] looks again when the agent goes, and at most once a second', () => {
  const { agents, caller, call, place, saw, time } = start();
  call();
  place(5_000_060, AGENT);
  agents.disconnected(caller);
  expect(saw(5_000_060)).toBe(false);
  time.now += 1_000;
  agents.disconnected(caller);
  expect(saw(5_000_060)).toBe(true);
});

it('[req:PW-9] a program that an agent had opened counts as one, and so does what it starts; what the host started itself does not', () => {
  const { call, place, saw, mayHaveLeft } = start();
  place(5_000_070, process.pid, '/host');
  place(5_000_071, 5_000_070, '/host');
  place(5_000_080, process.pid, '/host');
  place(5_000_081, 5_000_080, '/host');
  call();
  expect([5_000_070, 5_000_071, 5_000_080, 5_000_081].map(saw)).toEqual([true, true, false, false]);
  place(5_000_090, 1);
  place(5_000_049, 1);
  expect([5_000_090, 5_000_049].map(mayHaveLeft)).toEqual([true, false]);
});

it('[req:PN-2] forgets no terminal, control group or start of an agent, and keeps nothing of processes that have ended', () => {
  const { all, agents, caller, call, mayHaveLeft, place, saw, traces, time } = start();
  place(AGENT, 2, '0::/user.slice/app-agent.scope\n');
  place(5_000_060, AGENT);
  call();
  const [there] = [all.get(AGENT)];
  if (there === undefined) throw new Error('unreachable');
  all.clear();
  place(5_000_061, 1);
  time.now += 24 * 3_600_000;
  agents.disconnected(caller);
  expect([AGENT, 5_000_060].map(saw)).toEqual([false, false]);
  expect(mayHaveLeft(5_000_061)).toBe(true);
  expect(traces.lives({ ...there, pid: 5_000_062 })).toBe(true);
  expect(traces.lives({ ...there, pid: 5_000_062, family: '0::/user.slice/app-other.scope\n' })).toBe(false);
  expect(traces.lives(null)).toBe(false);
});

it.each(['0::/\n', '0::/user.slice/user-1000.slice/session-2.scope\n', '0::/init.scope\n', '0::/docker/7f3a\n'])(
  '[req:PN-2] tells nobody by a control group that everything shares: %j',
  (family) => {
    const { all, call, place, traces } = start();
    place(AGENT, 2, family);
    call();
    expect(traces.lives(all.get(AGENT) ?? null)).toBe(false);
  },
);
