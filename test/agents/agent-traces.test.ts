import { expect, it } from 'vitest';
import type { Caller } from '../../src/main/pipeline/ports.js';
import { createAgentTraces } from '../../src/main/agents/agent-traces.js';
import { createAgents } from '../../src/main/agents/index.js';
import { unknownPeer } from '../../src/main/agents/caller.js';
import type { ProcessDetails } from '../../src/native/peer/process-inspector.js';

const AGENT = 50;

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
      family,
    });
  place(AGENT, 2);
  const agents = createAgents(() => new Date(time.now));
  const traces = createAgentTraces({
    inspector: { inspect: (pid) => all.get(pid) ?? null, terminalHolders: () => ({ masters: [], programs: [] }), list: () => [...all.values()] }, // prettier-ignore
    openedByAgent: (pid) => pid === 70,
    hasCalled: agents.hasCalled,
    now: () => time.now,
  });
  agents.onContact(traces.note);
  const peer = { ...unknownPeer('x'), pid: AGENT, startTime: `${AGENT}` };
  const caller = { agent: peer, peer, connectionId: 'x', protocol: 'gabp' } as unknown as Caller;
  const call = () => {
    time.now += 1_000;
    agents.called(caller);
  };
  const saw = (pid: number) => traces.saw({ pid, startTime: `${pid}` });
  return { all, agents, caller, call, place, saw, traces, time };
}

it('[req:PW-3] what was seen below an agent is known also once its parent has ended', () => {
  const { all, call, place, saw } = start();
  place(60, AGENT);
  place(61, 60);
  call();
  all.delete(60);
  place(61, 1);
  call();
  expect([60, 61, 2].map(saw)).toEqual([true, true, false]);
});

it('[req:PW-3] looks again when the agent goes, and at most once a second', () => {
  const { agents, caller, call, place, saw, time } = start();
  call();
  place(60, AGENT);
  agents.disconnected(caller);
  expect(saw(60)).toBe(false);
  time.now += 1_000;
  agents.disconnected(caller);
  expect(saw(60)).toBe(true);
});

it('[req:PW-9] a program that an agent had opened counts as one, and so does what it starts; what the host started itself does not', () => {
  const { call, place, saw, traces } = start();
  place(70, process.pid, '/host');
  place(71, 70, '/host');
  place(80, process.pid, '/host');
  place(81, 80, '/host');
  call();
  expect([70, 71, 80, 81].map(saw)).toEqual([true, true, false, false]);
  const orphan = (start: number, family: string) => ({ pid: start, parentPid: 1, startTime: `${start}`, sessionLeader: 0, groupLeader: 0, terminal: 0, uid: 0, family }); // prettier-ignore
  expect(traces.mayHaveStarted(orphan(90, '/host'))).toBe(true);
  expect(traces.mayHaveStarted(orphan(69, '/host'))).toBe(false);
});

it('[req:PW-3] what started after an agent in its control group may be its own, and so may what cannot be read', () => {
  const { all, call, traces } = start();
  const agent = all.get(AGENT);
  if (agent === undefined) throw new Error('unreachable');
  expect(traces.mayHaveStarted({ ...agent, startTime: '99' })).toBe(false);
  call();
  expect(traces.mayHaveStarted({ ...agent, startTime: '99' })).toBe(true);
  expect(traces.mayHaveStarted({ ...agent, startTime: '49' })).toBe(false);
  expect(traces.mayHaveStarted({ ...agent, startTime: '99', family: '/other' })).toBe(false);
  expect(traces.mayHaveStarted(null)).toBe(true);
});
