import * as z from 'zod';
import { linePositionSchema } from './scan-log.js';

/** What the index keeps beside its rows, at one place of the log. */
export const indexStateSchema = z.object({
  /** As many of its rows are of lines up to here. */
  rows: z.number().int().min(0),
  shown: z.number().int().min(0),
  keptBytes: z.number().min(0),
  /** No row before this number has a folder that is still there. */
  oldestKept: z.number().int().min(0),
  agents: z.array(z.string()),
  /** Decisions on calls that had not ended, or whose row was not in memory. */
  early: z.array(
    z.object({
      executionId: z.string(),
      line: linePositionSchema,
      kind: z.string(),
      by: z
        .object({
          card: z.string(),
          at: z.number(),
          how: z.enum(['allowed', 'denied', 'unanswered']),
          waitedMs: z.number(),
        })
        .nullable(),
    }),
  ),
});
export type IndexState = z.infer<typeof indexStateSchema>;

export const EMPTY_INDEX: IndexState = { rows: 0, shown: 0, keptBytes: 0, oldestKept: 0, agents: [], early: [] };
