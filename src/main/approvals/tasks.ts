/**
 * Tasks that run. Comes in: what a person allowed on a request. Goes out: whether an act is covered, and what is left. In memory only,
 * so that a task ends with the host; it also ends with its agent's process, by time or count, and when it is taken back.
 */
import { randomUUID } from 'node:crypto';
import { createEmitter } from '../../base/emitter.js';
import type { Agent, RunningTask, TaskScope } from '../protocol/index.js';
import type { App } from '../../native/desktop.js';
import type { Clock } from './clock.js';
import { isKnownProgram, type RequestFacts } from './request-facts.js';
import { boundTo, taskCovers } from './task-scope.js';

export type TaskStore = ReturnType<typeof createTaskStore>;

interface Kept {
  id: string;
  agent: Agent;
  purpose: string;
  scope: TaskScope;
  startedAt: number;
  used: number;
}

interface TaskStoreOptions {
  clock: Clock;
  /** False once that program has ended. */
  isRunning(agent: Agent): boolean;
  log(thrown: unknown): void;
}

const MINUTE_MS = 60_000;

export function createTaskStore({ clock, isRunning, log }: TaskStoreOptions) {
  let kept: Kept[] = [];
  const changes = createEmitter<void>(log);
  const running = () => kept.filter((task) => clock.read() < endOf(task) && isRunning(task.agent));

  function keep(next: Kept[]): void {
    kept = next;
    changes.emit();
  }

  function drop(which: (task: Kept) => boolean): boolean {
    const left = kept.filter((task) => !which(task));
    const ended = left.length < kept.length;
    if (ended) keep(left);
    return ended;
  }

  const change = (id: string, by: (task: Kept) => Kept) => keep(kept.map((one) => (one.id === id ? by(one) : one)));

  return {
    /** One for each agent: another one ends the one before. */
    start(agent: Agent, purpose: string, scope: TaskScope): RunningTask {
      const task = { id: randomUUID(), agent, purpose, scope, startedAt: clock.read(), used: 0 };
      keep([...kept.filter((one) => one.agent.id !== agent.id), task]);
      return shownTask(task);
    },
    /** The task that covers this request, however many acts are left. */
    match(asked: RequestFacts): RunningTask | null {
      const found = running().find((task) => isOf(task, asked.agent) && taskCovers(task.scope, asked));
      return found === undefined ? null : shownTask(found);
    },
    /** Counts acts; false when the task has ended, or has not so many left. */
    use(id: string, acts: number): boolean {
      const task = running().find((one) => one.id === id);
      if (task === undefined || leftOf(task) < acts) return false;
      if (acts > 0) change(id, (one) => ({ ...one, used: one.used + acts }));
      return true;
    },
    /** The act of a decision is over: a task without acts left ends only then, so that its last one still runs. */
    acted: (id: string): boolean => drop((task) => task.id === id && leftOf(task) === 0),
    live: (id: string): boolean => running().some((task) => task.id === id),
    end: (id: string): boolean => drop((task) => task.id === id),
    endWhere: (fits: (agent: Agent) => boolean): boolean => drop(({ agent }) => fits(agent)),
    /** This agent has started the application. */
    opened(agentId: string, app: Pick<App, 'id' | 'name' | 'program'>): void {
      const task = running().find(({ agent }) => agent.id === agentId);
      if (task !== undefined && app.program !== '')
        change(task.id, (one) => ({ ...one, scope: boundTo(one.scope, app) }));
    },
    of(agentId: string): RunningTask | null {
      const task = running().find(({ agent }) => agent.id === agentId);
      return task === undefined ? null : shownTask(task);
    },
    count: (): number => running().length,
    /** Drops what has ended. */
    sweep: (): boolean => drop((task) => !running().includes(task)),
    onChange: changes.on,
  };
}

const endOf = ({ startedAt, scope }: Kept): number => startedAt + scope.minutes * MINUTE_MS;
const leftOf = ({ scope, used }: Kept): number => scope.acts - used;

/** The same process, as the kernel tells; what a client calls itself does not count. */
function isOf({ agent }: Kept, other: Agent): boolean {
  const parts: readonly (keyof Agent)[] = ['id', 'pid', 'startTime', 'executable', 'script', 'via'];
  return isKnownProgram(other) && other.demo !== true && parts.every((part) => agent[part] === other[part]);
}

function shownTask(task: Kept): RunningTask {
  const { id, purpose, scope, startedAt, used } = task;
  const [start, end] = [startedAt, endOf(task)].map((at) => new Date(at).toISOString());
  return { ...structuredClone(scope), id, purpose, startedAt: start ?? '', endsAt: end ?? '', used };
}
