import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/main/approvals/request.js';
import { createAgents } from '../../src/main/agents/index.js';
import { createPausedIdentities } from '../../src/main/agents/paused-identities.js';
import type { ProcessIdentity } from '../../src/native/peer/types.js';
import { self } from '../transport/support.js';

const SHELL = self({ pid: 20, startTime: 's', executable: '/bin/bash', parentPid: 1 });
const AGENT = self({ pid: 30, startTime: 'a', executable: '/usr/bin/claude', parentPid: 20 });
const SHIM = self({ pid: 40, startTime: 'm', executable: '/usr/bin/node', parentPid: 30 });

function world() {
  const processes = new Map([SHELL, AGENT, SHIM].map((one) => [one.pid, one]));
  const paused = new Set<string>();
  const time = { now: Date.parse('2026-11-21T10:00:00Z') };
  const lineage = (pid: number): ProcessIdentity[] => {
    const one = processes.get(pid);
    return one === undefined ? [] : [one, ...lineage(one.parentPid)];
  };
  const agents = createAgents(() => new Date(time.now));
  const identities = createPausedIdentities({ processes: { lineage }, agents, now: () => time.now });
  const update = () => identities.setPaused([...paused]);
  let connections = 0;
  return {
    update,
    time,
    pause(id: string) {
      paused.add(id);
      update();
    },
    resume(id: string) {
      paused.delete(identities.resolve(id));
      update();
    },
    /** `asking` talks through `peer`. */
    connect(asking: ProcessIdentity, peer: ProcessIdentity = asking): Caller {
      for (const one of [asking, peer]) processes.set(one.pid, one);
      const { pid, startTime, executable, script } = asking;
      const agent = { id: `${executable} ${pid}`, name: 'A', tile: 'A', claim: null, executable, script, pid, startTime, cwd: null }; // prettier-ignore
      const caller: Caller = { agent, peer, connectionId: `c${(connections += 1)}`, protocol: 'mcp' };
      agents.connected(caller);
      return caller;
    },
    leave: agents.disconnected,
    held: ({ agent }: Caller) => paused.has(agent.id) || paused.has(identities.resolve(agent.id)),
  };
}

describe('[req:AP-G-2] a pause of one agent', () => {
  it('holds the same process under another description', () => {
    const w = world();
    const before = w.connect(SHIM);
    w.pause(before.agent.id);
    w.leave(before);
    expect(w.held(w.connect(AGENT, SHIM))).toBe(true);
  });

  it('holds what the agent starts, and a new start of it by the same parent', () => {
    const w = world();
    const agent = w.connect(AGENT, SHIM);
    w.pause(agent.agent.id);
    expect(w.held(w.connect(self({ pid: 50, startTime: 'p', executable: '/usr/bin/python3', parentPid: 30 })))).toBe(true);
    w.leave(agent);
    const again = self({ ...AGENT, pid: 31, startTime: 'b' });
    const wrapped = [self({ ...SHELL, pid: 21, startTime: 't', parentPid: 20 }), self({ ...AGENT, pid: 32, startTime: 'c', parentPid: 21 })] as const; // prettier-ignore
    expect(w.held(w.connect(again))).toBe(true);
    w.connect(wrapped[0]);
    expect(w.held(w.connect(wrapped[1]))).toBe(true);
  }); // prettier-ignore

  it('leaves others alone: another program of that parent, the same program of another, and the parent itself', () => {
    const w = world();
    w.pause(w.connect(AGENT, SHIM).agent.id);
    expect(w.held(w.connect(self({ pid: 60, startTime: 'x', executable: '/usr/bin/codex', parentPid: 20 })))).toBe(false);
    expect(w.held(w.connect(self({ ...AGENT, pid: 61, startTime: 'y', parentPid: 1 })))).toBe(false);
    expect(w.held(w.connect(SHELL))).toBe(false);
  }); // prettier-ignore

  it('ends for all of them when the person resumes any', () => {
    const w = world();
    const first = w.connect(AGENT, SHIM);
    w.pause(first.agent.id);
    w.leave(first);
    const second = w.connect(self({ ...AGENT, pid: 31, startTime: 'b' }));
    w.resume(second.agent.id);
    expect([w.held(first), w.held(second)]).toEqual([false, false]);
    expect(w.held(w.connect(self({ ...AGENT, pid: 33, startTime: 'd' })))).toBe(false);
  });

  it('is held for ten minutes after the last of them has gone', () => {
    const w = world();
    const first = w.connect(AGENT, SHIM);
    w.pause(first.agent.id);
    w.time.now += 60 * 60_000;
    w.update();
    w.leave(first);
    w.time.now += 9 * 60_000;
    const second = w.connect(self({ ...AGENT, pid: 31, startTime: 'b' }));
    expect(w.held(second)).toBe(true);
    w.leave(second);
    w.time.now += 11 * 60_000;
    expect(w.held(w.connect(self({ ...AGENT, pid: 32, startTime: 'c' })))).toBe(false);
  });

  it('stays with the first however often it comes back', () => {
    const w = world();
    const first = w.connect(AGENT, SHIM);
    w.pause(first.agent.id);
    for (let pid = 100; pid < 400; pid += 1) w.leave(w.connect(self({ ...AGENT, pid, startTime: `${pid}` })));
    expect(w.held(first)).toBe(true);
    expect(w.held(w.connect(self({ ...AGENT, pid: 500, startTime: 'z' })))).toBe(true);
  });
});
