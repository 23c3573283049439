/** Tasks as the rest of the host uses them: a tool starts and ends one, a person edits the request and takes the task back. */
import type { Agent, RunningTask, TaskApp, TaskEdit } from '../protocol/index.js';
import type { App } from '../../native/desktop.js';
import { refusal, type ChangeResult } from './events.js';
import type { Parts } from './parts.js';
import type { Caller, Decision } from './request.js';
import { isExcludedApp } from './policy.js';
import { folderOf, isKnownProgram } from './request-facts.js';
import { editedScope, offeredApps, scopeTexts } from './tasks.js';
import { message, MessageError, type Message } from '../../messages/index.js';

export interface TaskControl {
  /** Whether the person keeps agents out of the application. */
  excludes(app: Parameters<typeof isExcludedApp>[1]): boolean;
  /** Why there can be no task for this caller, whatever it asks for; null: a person can be asked. */
  problem(caller: Caller): Message | null;
  /** Starts what the person allowed; null where no person did, because the policy lets everything of it through. */
  start(caller: Caller, purpose: string, decision: Decision, workspace?: string): RunningTask | null;
  /** The agent has started an application. */
  opened(agentId: string, app: Pick<App, 'id' | 'name' | 'program'>): void;
  of(agentId: string): RunningTask | null;
  /** By the agent; false where none runs. */
  finish(agentId: string): boolean;
  /** By the person; false where it has ended. */
  end(id: string): boolean;
  /** What a person may add on this request, of the applications that run. */
  offered(cardId: string, running: readonly App[]): TaskApp[];
  /** Changes what an Allow of the request gives. `digest`: of the request as the person saw it. */
  edit(edit: TaskEdit & { id: string; digest: string }, running: readonly App[]): ChangeResult;
  onChange(listener: () => void): () => void;
}

export function createTaskControl(parts: Parts, armTimer: () => void): TaskControl {
  const { tasks, grants, rules, queue, trust } = parts;
  const openCard = (id: string) => queue.open().find(({ card }) => card.id === id);
  const offered = (cardId: string, running: readonly App[]): TaskApp[] => {
    const task = openCard(cardId)?.card.task;
    const open = running.filter((app) => !isExcludedApp(rules.policy.excludedApps, app));
    return task === undefined ? [] : offeredApps(task.asked, open);
  };
  return {
    excludes: (app) => isExcludedApp(rules.policy.excludedApps, app),
    problem: (caller) => problemOf(rules.policy.grants, caller, trust.doubtOf(caller)),
    start(caller, purpose, decision, workspace) {
      const scope = decision.kind === 'allowed' && decision.by === 'person' ? decision.task : undefined;
      if (scope === undefined) return null;
      const problem = problemOf(rules.policy.grants, caller, trust.doubtOf(caller));
      if (problem !== null) throw new MessageError(problem);
      const task = tasks.start(caller.agent, purpose, scope, folderOf(caller.agent, workspace));
      armTimer();
      return task;
    },
    opened(agentId, app) {
      tasks.opened(agentId, app);
      grants.opened(agentId, app);
    },
    of: tasks.of,
    finish: (agentId) => tasks.endWhere(({ id }) => id === agentId),
    end: tasks.end,
    offered,
    edit({ id, digest, ...edit }, running) {
      const entry = openCard(id);
      if (entry === undefined) return refusal('unknown_card', message('answer.unknown_request'));
      const { task } = entry.card;
      if (digest !== entry.card.digest || task === undefined) return refusal('stale', message('answer.changed'));
      const scope = editedScope(task.asked, [...task.scope.apps, ...offered(id, running)], edit);
      if (scope === null) return refusal('stale', message('answer.changed'));
      queue.revise(entry, { task: { ...task, scope }, covers: scopeTexts(scope, entry.asked.folder) });
      return { ok: true };
    },
    onChange: tasks.onChange,
  };
}

function problemOf(grants: boolean, { agent }: { agent: Agent }, doubt: Message | null): Message | null {
  if (!grants) return message('task.not_here');
  if (!isKnownProgram(agent) || agent.demo === true) return message('task.none_for_agent');
  return doubt;
}
