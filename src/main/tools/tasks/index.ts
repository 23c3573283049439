/** Tasks: an agent asks once for what it is about to do in several applications, and says when it is done. */
import * as z from 'zod';
import { defineAction } from '../../pipeline/define.js';
import { planWithoutTarget, type Plan } from '../../approvals/plan.js';
import { folderOf } from '../../approvals/request-facts.js';
import { scopeTexts, isBrowser, isNeverInTasks, taskAppOf } from '../../approvals/tasks.js';
import {
  subjectWithoutPlace,
  taskEffectSchema,
  TASK_EFFECTS,
  TASK_LIMITS,
  title,
  WireError,
  type RunningTask,
  type TaskScope,
  type TaskApp,
} from '../../protocol/index.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import { unpublished, invalidRequest } from '../parameters.js';
import { formatEnglish, message, type Message } from '../../../messages/index.js';
import { DesktopError, type App, type InstalledApp } from '../../../native/desktop.js';
import type { HidingReader } from '../../pipeline/masked.js';
import { similarNames } from '../../protocol/input-errors.js';

// What an agent names in a request for a task, as programs and origins.

interface Places {
  desktop: HidingReader;
  excludes(app: Pick<App, 'id' | 'name' | 'otherIds'>): boolean;
  /** Whether the agent may know what runs: an error must not tell it. */
  seen: boolean;
}

/** As the agent wrote it. */
interface Named {
  name: string;
  /** null: it has no entry as an application, but may run. */
  installed: InstalledApp | null;
  /** Names of installed applications, where it is none. */
  known: readonly string[];
}

type Given = Omit<TaskScope, 'apps'> & { apps: string[] };

/** Throws for a name that is none, and for what no task can hold: as far as possible before anything is looked at, so that nobody is asked whether the agent may know. */
async function resolveScope(places: Places, given: Given, signal: AbortSignal): Promise<TaskScope> {
  const { desktop } = places;
  const sites = [...new Set(given.sites.map(originOf))];
  const named: Named[] = [];
  for (const name of new Set(given.apps)) named.push(await installedAs(places, name, signal));
  const installed = named.flatMap((one) => one.installed ?? []);
  if (installed.length === named.length) assertSites(installed, sites);
  const running = await desktop.apps(signal);
  const apps = named.map((one) => resolveApp(places, one, running));
  assertSites(apps, sites);
  const effects = TASK_EFFECTS.filter((one) => given.effects.includes(one));
  const known = [...new Map(apps.map((app) => [app.id, app])).values()];
  return { apps: known, sites, effects, minutes: given.minutes, acts: given.acts };
}

function assertSites(apps: readonly Pick<App, 'id' | 'name'>[], sites: readonly string[]): void {
  const browser = apps.find(isBrowser);
  if (browser !== undefined && sites.length === 0)
    throw invalidRequest(message('error.task_no_sites', { app: browser.name }), 'no_sites', 'Name them in sites.');
  if (browser === undefined && sites.length > 0)
    throw invalidRequest(message('error.task_no_browser'), 'no_browser', 'Name the browser in apps.');
}

function originOf(site: string): string {
  const url = URL.canParse(site) ? new URL(site) : null;
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url.origin;
  throw invalidRequest(
    message('error.task_bad_site', { site }),
    'no_site',
    'Write https://example.com or http://localhost:8080.',
  );
}

function resolveApp(places: Places, { name, installed, known }: Named, apps: readonly App[]): TaskApp {
  const running = runningAs(apps, name, installed);
  const [first] = running;
  if (first === undefined && installed !== null) return { id: installed.id, name: installed.name, program: null };
  if (first === undefined) throw unknown(name, known);
  assertMayBe(places, first);
  if (first.program === '') throw leftOut(message('error.task_program_untold', { app: first.name }));
  if (running.some(({ program }) => program !== first.program)) throw leftOut(message('error.task_several', { name }));
  return taskAppOf(first);
}

function assertMayBe({ excludes }: Places, app: Pick<App, 'id' | 'name' | 'otherIds'>): void {
  if (isNeverInTasks(app)) throw leftOut(message('error.task_app_never', { app: app.name }));
  if (excludes(app)) throw leftOut(message('error.task_app_excluded', { app: app.name }));
}

/** Throws for what is not installed where it cannot be told whether it runs. */
async function installedAs(places: Places, name: string, signal: AbortSignal): Promise<Named> {
  const { desktop, seen } = places;
  const found = await desktop.findApplication(name, signal).catch((thrown: unknown) => {
    if (!(thrown instanceof DesktopError) || thrown.code !== 'not_found') throw thrown;
    const { known } = thrown.details;
    return { known: Array.isArray(known) ? known.map(String) : [] };
  });
  if ('installed' in found) assertMayBe(places, found);
  if ('installed' in found && found.installed) return { name, installed: found, known: [] };
  const known = 'known' in found ? found.known : [];
  if (!seen) throw unknown(name, known);
  return { name, installed: null, known };
}

function runningAs(apps: readonly App[], name: string, installed: InstalledApp | null): App[] {
  const names = [name, ...(installed === null ? [] : [installed.id])].map((one) => one.toLowerCase());
  return apps.filter(({ id, name: called }) => [id, called].some((one) => names.includes(one.toLowerCase())));
}

const unknown = (name: string, known: readonly string[]): WireError =>
  new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.no_such_app', { name }), {
    reason: 'no_such_application',
    nearest: similarNames(name, known),
    next: 'Use one of the nearest names in details, or open the application first.',
  });

const leftOut = (why: Message): WireError => invalidRequest(why, 'not_in_tasks', 'Leave it out of the task.');

const DEFAULTS = { minutes: 15, acts: 100 };

const input = z
  .object({
    purpose: z.string().trim().min(1).max(TASK_LIMITS.purpose).describe('E.g. Fill in the order form'),
    apps: z.array(z.string().min(1).max(500)).min(1).max(TASK_LIMITS.apps).describe('Names or ids'),
    sites: z
      .array(z.string().min(1).max(2_000))
      .max(TASK_LIMITS.sites)
      .default([])
      .describe('E.g. https://example.com'),
    effects: z
      .array(taskEffectSchema)
      .min(1)
      .default([...TASK_EFFECTS]),
    minutes: z.number().int().min(1).max(TASK_LIMITS.minutes).default(DEFAULTS.minutes),
    acts: z.number().int().min(1).max(TASK_LIMITS.acts).default(DEFAULTS.acts),
  })
  .strict();

const shown = z.object({
  purpose: z.string(),
  apps: z.array(z.string()),
  sites: z.array(z.string()),
  effects: z.array(taskEffectSchema),
  ends_at: z.string(),
  acts: z.number().int(),
  acts_left: z.number().int(),
});

const shownOf = ({ purpose, apps, sites, effects, endsAt, acts, used }: RunningTask): z.infer<typeof shown> => ({
  purpose,
  apps: apps.map(({ id }) => id),
  sites,
  effects,
  ends_at: endsAt,
  acts,
  acts_left: acts - used,
});

const lineOf = ({ purpose, apps, sites, effects, ends_at: ends, acts_left: left }: z.infer<typeof shown>): string =>
  `“${purpose}”: ${[...apps, ...sites].join(', ')}: ${effects.join(', ')}. Until ${ends}, ${left} acts left.`;

export function taskTools({ tasks, mayReadTitles }: Pick<ToolDeps, 'tasks' | 'mayReadTitles'>): Tool[] {
  const request = defineAction({
    name: 'request_task',
    title: 'Ask for a task',
    description:
      'Call this first: the person is asked once for all you are about to do in these applications (in a browser: on these sites). Looking, clicking and typing there then need no request. Commands, sending, paying, deleting and passwords are still asked for.',
    effect: ({ effects }) => (effects.every((one) => one === 'see') ? 'disclose' : 'input'),
    needs: [],
    evidence: 'line',
    offDesktop: true,
    input,
    output: z.object({
      status: z.enum(['started', 'not_needed']),
      changed: unpublished(z.boolean()),
      task: shown.nullable(),
    }),
    subject: ({ purpose }) => subjectWithoutPlace(title('title.start_task'), purpose),
    async plan({ desktop, caller, workspace }, { purpose, ...given }, signal) {
      const problem = tasks.problem(caller);
      if (problem !== null) throw refused(problem);
      const seen = await mayReadTitles(caller);
      const asked = await resolveScope({ desktop, excludes: tasks.excludes, seen }, given, signal);
      const covers = scopeTexts(asked, folderOf(caller.agent, workspace));
      return { ...planOf(purpose, asked, tasks.of(caller.agent.id)), covers };
    },
    async act({ caller, decision, plan, workspace }, { purpose }) {
      const task = tasks.start(caller, purpose, decision, workspace);
      const changed = task !== null && isNarrowed(plan?.task?.asked, task);
      const value = {
        status: task === null ? ('not_needed' as const) : ('started' as const),
        changed,
        task: task && shownOf(task),
      };
      return { value, effect: { effect: 'confirmed', before: null, after: null } };
    },
    text: ({ task, changed }) =>
      task === null
        ? 'The policy lets all of this through without a task.'
        : [
            `${changed ? 'The person allowed this, which is not all as you asked for it' : 'Allowed'}: ${lineOf(task)}`,
            formatEnglish(message('task.still_asked')),
            'Put known steps into one run_plan, also those that look. Call finish_task when you are done.',
          ].join('\n'),
  });

  const finish = defineAction({
    name: 'finish_task',
    title: 'Finish the task',
    description: 'Ends your task: call it as soon as you are done.',
    effect: 'bookkeeping',
    needs: [],
    input: z.object({}).strict(),
    output: z.object({ ended: z.boolean() }),
    subject: () => subjectWithoutPlace(title('title.finish_task')),
    run: async ({ caller }) => ({ ended: tasks.finish(caller.agent.id) }),
    text: ({ ended }) => (ended ? 'Your task has ended.' : 'No task of yours is running.'),
  });

  const get = defineAction({
    name: 'get_task',
    title: 'Get task',
    description: 'Your running task, and what is left of it.',
    effect: 'read',
    needs: [],
    input: z.object({}).strict(),
    output: z.object({ task: shown.nullable() }),
    subject: () => subjectWithoutPlace(title('title.look_up_task')),
    async run({ caller }) {
      const task = tasks.of(caller.agent.id);
      return { task: task && shownOf(task) };
    },
    text: ({ task }) => (task === null ? 'No task of yours is running.' : lineOf(task)),
  });

  return toolGroup('task', { core: [request, finish], more: [get] });
}

function planOf(purpose: string, asked: TaskScope, runs: RunningTask | null): Plan {
  const note = runs?.purpose === purpose ? 'note.task_extends' : 'note.task_replaces';
  return {
    ...planWithoutTarget(subjectWithoutPlace(title('title.start_task'), purpose)),
    notes: runs === null ? [] : [message(note, { purpose: runs.purpose })],
    task: { purpose, asked, replaces: runs?.purpose ?? null },
    alwaysAsk: true,
  };
}

/** Whether the person made something else of it. */
function isNarrowed(asked: TaskScope | undefined, task: RunningTask): boolean {
  if (asked === undefined) return true;
  const partsOf = ({ apps, sites, effects, minutes, acts }: TaskScope) =>
    JSON.stringify([apps.map(({ id }) => id), sites, effects, minutes, acts]);
  return partsOf(asked) !== partsOf(task);
}

const refused = (why: Message): WireError =>
  new WireError('DESKTOP_CONFIRM_REQUIRED', why, {
    reason: 'no_task',
    next: 'Go on without a task: each act is asked for.',
  });
