/** Settings, except the policy's preset. For paired pages only. */
import * as z from 'zod';
import type { Effect } from './effects.js';

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
