import { LRUCache } from 'lru-cache';
import type { ProcessInspector, ProcessDetails } from '../../native/peer/places.js';
import type { Caller } from '../pipeline/ports.js';
import type { Agents, Contact } from './index.js';

/** What is known of processes that agents started, also once their parents have ended. In memory, for this host's life. */
export interface AgentTraces {
  /** To be told of each call and each end of a connection. */
  note(contact: Contact): void;
  /** True for a process that was once seen below an agent, or below a program that an agent had opened. */
  saw(process: { pid: number; startTime: string }): boolean;
  /** True where the kernel tells nothing that speaks against it: started after an agent, in its control group. */
  mayHaveStarted(place: ProcessDetails | null): boolean;
}

const LOOK_EVERY_MS = 1_000;
const MOST_AGENTS = 500;
const MOST_SEEN = 5_000;

export interface TracesOptions {
  places: ProcessInspector;
  /** Of what the host started: true where an agent had it opened. */
  opened(pid: number): boolean;
  hasCalled: Agents['hasCalled'];
  now(): number;
}

export function createAgentTraces({ places, opened, hasCalled, now }: TracesOptions): AgentTraces {
  const agents = new LRUCache<string, Pick<ProcessDetails, 'startTicks' | 'cgroup'>>({ max: MOST_AGENTS });
  const seen = new LRUCache<string, true>({ max: MOST_SEEN });
  let lookedAt = -Infinity;

  function add({ agent, peer }: Caller): void {
    for (const { pid, startTime } of [agent, peer]) {
      const key = keyOf(pid, startTime);
      const place = agents.has(key) ? null : places.inspect(pid);
      if (place !== null && String(place.startTicks) === startTime) agents.set(key, place);
    }
  }

  function addOpened({ pid, startTicks }: Pick<ProcessDetails, 'pid' | 'startTicks'>): void {
    const key = keyOf(pid, startTicks);
    if (seen.has(key) || !opened(pid)) return;
    const place = places.inspect(pid);
    if (place === null || place.startTicks !== startTicks) return;
    seen.set(key, true);
    agents.set(key, place);
  }

  function lookBelow(): void {
    if (now() - lookedAt < LOOK_EVERY_MS) return;
    lookedAt = now();
    const all = places.list();
    const parents = new Map(all.map((one) => [one.pid, one]));
    const isAgents = (pid: number, start: number) => agents.has(keyOf(pid, start)) || seen.has(keyOf(pid, start));
    for (const one of all) {
      if (one.pid === process.pid) continue;
      const parent = parents.get(one.parentPid);
      if (one.parentPid === process.pid) addOpened(one);
      if (parent !== undefined && parent.pid !== process.pid && isAgents(parent.pid, parent.startTicks))
        seen.set(keyOf(one.pid, one.startTicks), true);
    }
  }

  return {
    note({ kind, caller }) {
      if (kind === 'called') add(caller);
      if (kind === 'called' || (kind === 'disconnected' && hasCalled(caller.peer))) lookBelow();
    },
    saw: ({ pid, startTime }) => seen.has(keyOf(pid, startTime)),
    mayHaveStarted: (place) =>
      place === null ||
      [...agents.values()].some(({ startTicks, cgroup }) => place.startTicks >= startTicks && place.cgroup === cgroup),
  };
}

const keyOf = (pid: number, start: string | number) => `${pid}:${start}`;
