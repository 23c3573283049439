/** What a paired page asks and changes on its settings view, besides the policy's preset. */
import * as z from 'zod';

const request = z.uuid();

/** An application the person may keep agents away from. */
const knownAppSchema = z.object({ id: z.string(), name: z.string() });
export type KnownApp = z.infer<typeof knownAppSchema>;

/** How the person decided lately, from the record. Counts requests a person was asked, each once. */
const habitsSchema = z.object({
  days: z.number().int(),
  asked: z.number().int(),
  allowed: z.number().int(),
  denied: z.number().int(),
  /** Nobody answered in time. */
  unanswered: z.number().int(),
  /** Of those answered, from the card's appearance; null without any. */
  medianMs: z.number().nullable(),
  /** Allowed in under two seconds. */
  hasty: z.number().int(),
});
export type Habits = z.infer<typeof habitsSchema>;

/** How long evidence is kept; null: without limit. */
export const retentionSchema = z.object({
  /** Older folders are deleted. */
  maxAgeDays: z.number().min(1).nullable(),
  /** Of all evidence files together; beyond it the oldest folders are deleted. */
  maxBytes: z.number().int().min(100_000).nullable(),
});
export type Retention = z.infer<typeof retentionSchema>;
export const KEEP_ALL: Readonly<Retention> = { maxAgeDays: null, maxBytes: null };

export const settingsQuestions = [
  z.object({ type: z.literal('applications'), request }),
  z.object({ type: z.literal('habits'), request }),
] as const;

export const settingsAnswers = [
  /** Running now, by name. */
  z.object({ type: z.literal('applications'), request, apps: z.array(knownAppSchema) }),
  z.object({ type: z.literal('habits'), request, habits: habitsSchema }),
] as const;

/** Each is answered by `policy`, or by an `error`. */
export const settingsChanges = [
  z.object({ type: z.literal('exclude'), appId: z.string().min(1).max(200), on: z.boolean() }),
  z.object({ type: z.literal('setRetention'), retention: retentionSchema }),
] as const;
