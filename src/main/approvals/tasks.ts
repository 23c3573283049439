/**
 * Tasks that run. Comes in: what a person allowed on a request. Goes out: whether an act is covered, and what is left. In memory only,
 * so that a task ends with the host; it also ends with its agent's process, by time or count, and when it is taken back.
 */
import { randomUUID } from 'node:crypto';
import {
  isControlEffect,
  TASK_EFFECTS,
  type Effect,
  type TaskApp,
  type TaskEdit,
  type TaskEffect,
  type TaskScope,
  type Agent,
  type RunningTask,
} from '../protocol/index.js';
import type { App } from '../../native/desktop.js';
import { BROWSERS, NEVER_ALWAYS, isListed } from './app-kinds.js';
import { grantCovers } from './choices.js';
import { namesOf, type RequestFacts, isKnownProgram } from './request-facts.js';
import { message, type Message } from '../../messages/index.js';
import { createEmitter } from '../../base/emitter.js';
import type { Clock } from './clock.js';

// What a task covers, and what it may be edited to. Pure.

type Named = Pick<App, 'id' | 'name'> & { otherIds?: readonly string[] | undefined };

const namesIn = ({ id, name, otherIds = [] }: Named): string[] => namesOf({ id, name, otherIds: [...otherIds] });

/** Terminals, editors that run programs, file managers, password managers, settings and Chaperone: in these every act is asked for. */
export const isNeverInTasks = (app: Named): boolean =>
  [...NEVER_ALWAYS.values()].some((table) => isListed(table, ...namesIn(app)));

export const isBrowser = (app: Named): boolean => isListed(BROWSERS, ...namesIn(app));

const CLASSES: Readonly<Record<TaskEffect, readonly Effect[]>> = {
  see: ['disclose'],
  click: ['pointer', 'input'],
  type: ['input'],
};

/** How many of a task's acts the request takes; looking takes none. */
export const actsOf = ({ steps, effect }: Pick<RequestFacts, 'steps' | 'effect'>): number =>
  steps?.acts ?? (isControlEffect(effect) ? 1 : 0);

/** Whether the task lets this through without a request. Never what is dangerous, or asked for under every grant. */
export function taskCovers(scope: TaskScope & { folder?: string }, asked: RequestFacts): boolean {
  if (asked.alwaysAsk || asked.effect === 'dangerous' || asked.personOnly === true) return false;
  const { app, browser, origin, does } = asked;
  if (asked.opens !== undefined) return opensOne(scope, asked.opens) && (origin === null || opensSite(scope, asked));
  if (app === null || does === undefined || isNeverInTasks(app)) return false;
  if (browser && (origin === null || !scope.sites.includes(origin))) return false;
  if (!does.every((one) => scope.effects.includes(one))) return false;
  const effects = scope.effects.flatMap((one) => CLASSES[one]);
  // Dialogs of a browser hand files over to the site.
  const files = scope.folder === undefined || browser ? {} : { folder: scope.folder };
  return scope.apps.some(
    ({ id, program }) =>
      program !== null && grantCovers({ appId: id, appProgram: program, origin, effects, ...files }, asked),
  );
}

/** A page in it. Who may only not be told what came of it may open it all the same. */
const opensSite = (
  { sites, effects }: TaskScope,
  { origin, effect }: Pick<RequestFacts, 'origin' | 'effect'>,
): boolean => origin !== null && sites.includes(origin) && (effect !== 'disclose' || effects.includes('see'));

/** Opening an application changes something, so a task that only looks does not cover it. */
function opensOne({ apps, effects }: TaskScope, opens: NonNullable<RequestFacts['opens']>): boolean {
  if (isNeverInTasks(opens) || effects.every((one) => one === 'see')) return false;
  return apps.some(({ id }) => id === opens.id);
}

/** The application of a task that this agent has just started: from now on the program is known. */
const boundTo = (scope: TaskScope, app: Pick<App, 'id' | 'name' | 'program'>): TaskScope => ({
  ...scope,
  apps: scope.apps.map((one) => (one.program === null && one.id === app.id ? taskAppOf(app) : one)),
});

export const taskAppOf = ({ id, name, program }: Pick<App, 'id' | 'name' | 'program'>): TaskApp => ({
  id,
  name,
  ...(program === undefined ? {} : { program }),
});

/** As edited; null where it holds what was neither asked for nor offered. */
export function editedScope(asked: TaskScope, offered: readonly TaskApp[], edit: TaskEdit): TaskScope | null {
  const known = [...asked.apps, ...offered];
  const apps = [...new Set(edit.apps)].map((id) => known.find((one) => one.id === id));
  if (!apps.every((one) => one !== undefined) || !edit.sites.every((site) => asked.sites.includes(site))) return null;
  const { minutes, acts } = edit;
  const effects = TASK_EFFECTS.filter((one) => edit.effects.includes(one));
  return { apps, sites: [...new Set(edit.sites)], effects, minutes, acts };
}

/** The applications that run and that a person may add on a request. */
export const offeredApps = (scope: TaskScope, running: readonly App[]): TaskApp[] => {
  const known = new Set(scope.apps.map(({ id }) => id));
  const fit = running.filter(
    (app) => app.program !== '' && !known.has(app.id) && !isNeverInTasks(app) && !isBrowser(app),
  );
  return [...new Map(fit.map((app) => [app.id, taskAppOf(app)])).values()];
};

/** The scope in a sentence, and what is asked for all the same. */
export const scopeTexts = (scope: TaskScope, folder?: string): Message[] => [
  scopeText(scope),
  ...(folder === undefined || !WRITES.every((one) => scope.effects.includes(one))
    ? []
    : [message('task.files', { folder })]),
  message('task.still_asked'),
];

/** What a file dialog takes. */
const WRITES: readonly TaskEffect[] = ['click', 'type'];

function scopeText({ apps, sites, effects, minutes, acts }: TaskScope): Message {
  const names = apps.map((app) =>
    isBrowser(app) && sites.length > 0
      ? message('task.app_on_sites', { app: app.name, sites: sites.map(siteText) })
      : app.name,
  );
  const what = effects.map((effect) => message('task.effect', { effect: effect === 'type' ? 'other' : effect }));
  return message('task.scope', { apps: names, effects: what, minutes, acts });
}

/** Web addresses are read without their scheme, where that is the safe one. */
const siteText = (site: string): string => site.replace(/^https:\/\//, '');

export type TaskStore = ReturnType<typeof createTaskStore>;

interface Kept {
  id: string;
  agent: Agent;
  purpose: string;
  scope: TaskScope;
  /** Where its agent worked when the person allowed it: file dialogs may take and write files there. */
  folder?: string;
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
    start(agent: Agent, purpose: string, scope: TaskScope, folder?: string): RunningTask {
      const files = folder === undefined ? {} : { folder };
      const task = { id: randomUUID(), agent, purpose, scope, ...files, startedAt: clock.read(), used: 0 };
      keep([...kept.filter((one) => one.agent.id !== agent.id), task]);
      return shownTask(task);
    },
    /** The task that covers this request, however many acts are left. */
    match(asked: RequestFacts): RunningTask | null {
      const found = running().find((task) => isOf(task, asked.agent) && taskCovers(scopeWithFiles(task), asked));
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

const scopeWithFiles = ({ scope, folder }: Kept) => (folder === undefined ? scope : { ...scope, folder });

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
