/** Settings, except the policy's preset. For paired pages only. */
import * as z from 'zod';
import type { Effect } from './effects.js';

// Tasks: what an agent asks for once, in several applications. Shown on the request, edited there by the person, and
// shown while it runs.

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

// The rule of each policy preset for each effect class; applied by the host, and shown by the page.

export const RULES = ['deny', 'ask', 'ask_once_per_session', 'allow'] as const;
export type Rule = (typeof RULES)[number];
export const PRESETS = ['standard', 'strict', 'readonly', 'unattended'] as const;
export type Preset = (typeof PRESETS)[number];

type Rules = Readonly<Record<Effect, Rule>>;

const STANDARD: Rules = {
  read: 'allow',
  bookkeeping: 'allow',
  disclose: 'ask_once_per_session',
  pointer: 'ask',
  input: 'ask',
  dangerous: 'ask',
};

export const PRESET_RULES: Readonly<Record<Preset, Rules>> = {
  standard: STANDARD,
  strict: { ...STANDARD, disclose: 'ask' },
  readonly: { ...STANDARD, pointer: 'deny', input: 'deny', dangerous: 'deny' },
  unattended: {
    read: 'allow',
    bookkeeping: 'allow',
    disclose: 'allow',
    pointer: 'allow',
    input: 'allow',
    dangerous: 'allow',
  },
};

export function offersGrants(preset: Preset): boolean {
  return preset !== 'strict';
}

const request = z.uuid();

const knownAppSchema = z.object({ id: z.string(), name: z.string() });
export type KnownApp = z.infer<typeof knownAppSchema>;

/** The person's recent decisions, from the record. Counts each request once. */
const habitsSchema = z.object({
  days: z.number().int(),
  asked: z.number().int(),
  allowed: z.number().int(),
  denied: z.number().int(),
  unanswered: z.number().int(),
  /** Median time from the card’s appearance to the answer; null without any. */
  medianMs: z.number().nullable(),
  /** Allowed within two seconds. */
  hasty: z.number().int(),
});
export type Habits = z.infer<typeof habitsSchema>;

/** How long evidence is kept; null: without limit. */
export const retentionSchema = z.object({
  maxAgeDays: z.number().min(1).nullable(),
  /** Of all evidence files together; the oldest folders are deleted first. */
  maxBytes: z.number().int().min(100_000).nullable(),
});
export type Retention = z.infer<typeof retentionSchema>;
export const KEEP_ALL: Readonly<Retention> = { maxAgeDays: null, maxBytes: null };

/** How many desktops of agents' own exist at once: without a choice by the person, and at most. Each takes memory. */
export const OWN_DESKTOPS = { usual: 10, most: 20 } as const;
export const ownDesktopsSchema = z.number().int().min(1).max(OWN_DESKTOPS.most);

export const settingsQuestions = [
  z.object({ type: z.literal('applications'), request }),
  z.object({ type: z.literal('habits'), request }),
] as const;

export const settingsAnswers = [
  z.object({ type: z.literal('applications'), request, apps: z.array(knownAppSchema) }),
  z.object({ type: z.literal('habits'), request, habits: habitsSchema }),
] as const;

/** Each is answered by `policy`, or by an `error`. */
export const settingsChanges = [
  z.object({ type: z.literal('exclude'), appId: z.string().min(1).max(200), on: z.boolean() }),
  z.object({ type: z.literal('setRetention'), retention: retentionSchema }),
  z.object({ type: z.literal('setOwnDesktops'), count: ownDesktopsSchema }),
] as const;
