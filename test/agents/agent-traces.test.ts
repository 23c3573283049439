import { expect, it } from 'vitest';
import type { Caller } from '../../src/main/pipeline/ports.js';
import { createAgentTraces } from '../../src/main/agents/agent-traces.js';
import { createAgents } from '../../src/main/agents/index.js';
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
      family,
    });
  place(AGENT, 2);
  const agents = createAgents(() => new Date(time.now));
  const traces = createAgentTraces({
    inspector: { inspect: (pid) => all.get(pid) ?? null, terminalHolders: () => ({ masters: [], programs: [] }), list: () => [...all.values()] }, // prettier-ignore
    openedByAgent: (pid) => pid === 5_000_070,
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
  place(5_000_060, AGENT);
  place(5_000_061, 5_000_060);
  call();
  all.delete(5_000_060);
  place(5_000_061, 1);
  call();
  expect([5_000_060, 5_000_061, 2].map(saw)).toEqual([true, true, false]);
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
  const { call, place, saw, traces } = start();
  place(5_000_070, process.pid, '/host');
  place(5_000_071, 5_000_070, '/host');
  place(5_000_080, process.pid, '/host');
  place(5_000_081, 5_000_080, '/host');
  call();
  expect([5_000_070, 5_000_071, 5_000_080, 5_000_081].map(saw)).toEqual([true, true, false, false]);
  const orphan = (start: number, family: string) => ({ pid: start, parentPid: 1, startTime: `${start}`, sessionLeader: 0, groupLeader: 0, terminal: 0, uid: 0, family }); // prettier-ignore
  expect(traces.mayHaveStarted(orphan(5_000_090, '/host'))).toBe(true);
  expect(traces.mayHaveStarted(orphan(5_000_069, '/host'))).toBe(false);
});

it('[req:PW-3] what started after an agent in its control group may be its own, and so may what cannot be read', () => {
  const { all, call, traces } = start();
  const agent = all.get(AGENT);
  if (agent === undefined) throw new Error('unreachable');
  expect(traces.mayHaveStarted({ ...agent, startTime: '5000099' })).toBe(false);
  call();
  expect(traces.mayHaveStarted({ ...agent, startTime: '5000099' })).toBe(true);
  expect(traces.mayHaveStarted({ ...agent, startTime: '5000049' })).toBe(false);
  expect(traces.mayHaveStarted({ ...agent, startTime: '5000099', family: '/other' })).toBe(false);
  expect(traces.mayHaveStarted(null)).toBe(true);
});
