import { LRUCache } from 'lru-cache';
import type { ProcessInspector, ProcessDetails } from '../../native/peer/process-inspector.js';
import type { Caller } from '../pipeline/ports.js';
import type { Agents, Contact } from './index.js';

/** Remembers processes that agents started, also after their parents ended. In memory only. */
export interface AgentTraces {
  /** Must be called at each call and each end of a connection. */
  note(contact: Contact): void;
  /** True for a process once seen as a descendant of an agent, or of a program that an agent opened. */
  saw(process: { pid: number; startTime: string }): boolean;
  /** True where a descent cannot be ruled out: started after an agent, in the same family of processes. */
  mayHaveStarted(place: ProcessDetails | null): boolean;
}

const SCAN_INTERVAL_MS = 1_000;
const MAX_AGENTS = 500;
const MAX_SEEN_PROCESSES = 5_000;

interface TracesOptions {
  inspector: ProcessInspector;
  /** For processes started by the host: true where an agent requested it. */
  openedByAgent(pid: number): boolean;
  hasCalled: Agents['hasCalled'];
  now(): number;
}

export function createAgentTraces({ inspector, openedByAgent, hasCalled, now }: TracesOptions): AgentTraces {
  const agents = new LRUCache<string, Pick<ProcessDetails, 'startTime' | 'family'>>({ max: MAX_AGENTS });
  const seen = new LRUCache<string, true>({ max: MAX_SEEN_PROCESSES });
  let scannedAt = -Infinity;

  function add({ agent, peer }: Caller): void {
    for (const { pid, startTime } of [agent, peer]) {
      const key = keyOf(pid, startTime);
      const place = agents.has(key) ? null : inspector.inspect(pid);
      if (place !== null && place.startTime === startTime) agents.set(key, place);
    }
  }

  function addOpened({ pid, startTime }: Pick<ProcessDetails, 'pid' | 'startTime'>): void {
    const key = keyOf(pid, startTime);
    if (seen.has(key) || !openedByAgent(pid)) return;
    const place = inspector.inspect(pid);
    if (place === null || place.startTime !== startTime) return;
    seen.set(key, true);
    agents.set(key, place);
  }

  function scanDescendants(): void {
    if (now() - scannedAt < SCAN_INTERVAL_MS) return;
    scannedAt = now();
    const all = inspector.list();
    const parents = new Map(all.map((one) => [one.pid, one]));
    const isAgents = (pid: number, start: string) => agents.has(keyOf(pid, start)) || seen.has(keyOf(pid, start));
    for (const one of all) {
      if (one.pid === process.pid) continue;
      const parent = parents.get(one.parentPid);
      if (one.parentPid === process.pid) addOpened(one);
      if (parent !== undefined && parent.pid !== process.pid && isAgents(parent.pid, parent.startTime))
        seen.set(keyOf(one.pid, one.startTime), true);
    }
  }

  return {
    note({ kind, caller }) {
      if (kind === 'called') add(caller);
      if (kind === 'called' || (kind === 'disconnected' && hasCalled(caller.peer))) scanDescendants();
    },
    saw: ({ pid, startTime }) => seen.has(keyOf(pid, startTime)),
    mayHaveStarted: (place) =>
      place === null ||
      [...agents.values()].some(
        ({ startTime, family }) => Number(place.startTime) >= Number(startTime) && place.family === family,
      ),
  };
}

const keyOf = (pid: number, start: string) => `${pid}:${start}`;
