/** What a task covers, and what it may be edited to. Pure. */
import {
  isControlEffect,
  TASK_EFFECTS,
  type Effect,
  type TaskApp,
  type TaskEdit,
  type TaskEffect,
  type TaskScope,
} from '../protocol/index.js';
import type { App } from '../../native/desktop.js';
import { BROWSERS, NEVER_ALWAYS, isListed } from './app-kinds.js';
import { grantCovers } from './choices.js';
import { namesOf, type RequestFacts } from './request-facts.js';
import { message, type Message } from '../../messages/index.js';

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
export function taskCovers(scope: TaskScope, asked: RequestFacts): boolean {
  if (asked.alwaysAsk || asked.effect === 'dangerous' || asked.personOnly === true) return false;
  if (asked.opens !== undefined) return opensOne(scope, asked.opens);
  const { app, browser, origin, does } = asked;
  if (app === null || does === undefined || isNeverInTasks(app)) return false;
  if (browser && (origin === null || !scope.sites.includes(origin))) return false;
  if (!does.every((one) => scope.effects.includes(one))) return false;
  const effects = scope.effects.flatMap((one) => CLASSES[one]);
  return scope.apps.some(
    ({ id, program }) => program !== null && grantCovers({ appId: id, appProgram: program, origin, effects }, asked),
  );
}

/** Opening an application changes something, so a task that only looks does not cover it. */
function opensOne({ apps, effects }: TaskScope, opens: NonNullable<RequestFacts['opens']>): boolean {
  if (isNeverInTasks(opens) || effects.every((one) => one === 'see')) return false;
  return apps.some(({ id }) => id === opens.id);
}

/** The application of a task that this agent has just started: from now on the program is known. */
export const boundTo = (scope: TaskScope, app: Pick<App, 'id' | 'name' | 'program'>): TaskScope => ({
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
export const scopeTexts = (scope: TaskScope): Message[] => [scopeText(scope), message('task.still_asked')];

export function scopeText({ apps, sites, effects, minutes, acts }: TaskScope): Message {
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
