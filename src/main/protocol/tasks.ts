/** Tasks: what an agent asks for once, in several applications. Shown on the request, edited there by the person, and shown while it runs. */
import * as z from 'zod';

/** `see`: pictures, text and controls; `click`: the pointer, and whatever it presses; `type`: keys and text. */
export const TASK_EFFECTS = ['see', 'click', 'type'] as const;
export const taskEffectSchema = z.enum(TASK_EFFECTS);
export type TaskEffect = z.infer<typeof taskEffectSchema>;

export const TASK_LIMITS = { minutes: 120, acts: 500, apps: 10, sites: 10, purpose: 200 } as const;

/** `program`: the executable, from the kernel. null: it does not run yet, and nothing in it is covered until this agent has opened it. */
const taskAppSchema = z.object({ id: z.string(), name: z.string(), program: z.string().nullable().optional() });
export type TaskApp = z.infer<typeof taskAppSchema>;

const limits = {
  /** Web origins: scheme, host and port. In a browser nothing else is covered. */
  sites: z.array(z.string().max(300)).max(TASK_LIMITS.sites),
  effects: z.array(taskEffectSchema).min(1),
  minutes: z.number().int().min(1).max(TASK_LIMITS.minutes),
  acts: z.number().int().min(1).max(TASK_LIMITS.acts),
};

export const taskScopeSchema = z.object({ apps: z.array(taskAppSchema).min(1).max(TASK_LIMITS.apps), ...limits });
export type TaskScope = z.infer<typeof taskScopeSchema>;

/** What a person makes of a scope on the request; `apps`: ids. */
export const taskEditSchema = z.object({ apps: z.array(z.string().max(500)).min(1).max(TASK_LIMITS.apps), ...limits });
export type TaskEdit = z.infer<typeof taskEditSchema>;

/** On a request. `scope`: what an Allow gives, as the person has edited it. */
export const requestedTaskSchema = z.object({
  purpose: z.string(),
  asked: taskScopeSchema,
  scope: taskScopeSchema,
  /** The purpose of the task that an Allow ends, of the same agent. */
  replaces: z.string().nullable(),
});
export type RequestedTask = z.infer<typeof requestedTaskSchema>;

export const runningTaskSchema = taskScopeSchema.extend({
  id: z.uuid(),
  purpose: z.string(),
  startedAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  /** Acts so far. */
  used: z.number().int(),
});
export type RunningTask = z.infer<typeof runningTaskSchema>;

export const taskMessageSchemas = [
  /** Changes what an Allow of this request gives; `digest`: of the request as it was shown. */
  z.object({ type: z.literal('editTask'), id: z.uuid(), digest: z.string().max(128), task: taskEditSchema }),
  z.object({ type: z.literal('endTask'), id: z.uuid() }),
] as const;

/** The applications that a person may add to the task of a request. */
export const taskQuestions = [z.object({ type: z.literal('taskApps'), request: z.uuid(), id: z.uuid() })] as const;
export const taskAnswers = [
  z.object({
    type: z.literal('taskApps'),
    request: z.uuid(),
    apps: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
] as const;
