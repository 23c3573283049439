/** Tasks: an agent asks once for what it is about to do in several applications, and says when it is done. */
import * as z from 'zod';
import { defineAction } from '../../pipeline/define.js';
import { planWithoutTarget, type Plan } from '../../approvals/plan.js';
import { scopeTexts } from '../../approvals/tasks.js';
import {
  subjectWithoutPlace,
  taskEffectSchema,
  TASK_EFFECTS,
  TASK_LIMITS,
  title,
  WireError,
  type RunningTask,
  type TaskScope,
} from '../../protocol/index.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import { unpublished } from '../parameters.js';
import { resolveScope } from './scope.js';
import { formatEnglish, message, type Message } from '../../../messages/index.js';

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
    async plan({ desktop, caller }, { purpose, ...given }, signal) {
      const problem = tasks.problem(caller);
      if (problem !== null) throw refused(problem);
      const seen = await mayReadTitles(caller);
      const asked = await resolveScope({ desktop, excludes: tasks.excludes, seen }, given, signal);
      return planOf(purpose, asked, tasks.of(caller.agent.id));
    },
    async act({ caller, decision, plan }, { purpose }) {
      const task = tasks.start(caller, purpose, decision);
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
    covers: scopeTexts(asked),
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
