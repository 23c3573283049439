import * as z from 'zod';

/** In the order in which a call passes them; a sequence repeats some for each step. */
export const CALL_STAGES = [
  'begin',
  'turn',
  'plan',
  'picture',
  'decide',
  'lane',
  'restore',
  'compare',
  'before',
  'started',
  'scroll',
  'baseline',
  'act',
  'verify',
  'after',
  'record',
] as const;
export type CallStage = (typeof CALL_STAGES)[number];

const ms = z.number().nonnegative();

export const callTimesSchema = z.object({
  totalMs: ms,
  stages: z.array(z.object({ stage: z.enum(CALL_STAGES), ms })),
  /** Per method of the desktop: how often it was called and for how long in all. Concurrent calls overlap. */
  desktop: z.array(z.object({ method: z.string(), calls: z.int().positive(), ms })),
});
export type CallTimes = z.infer<typeof callTimesSchema>;
