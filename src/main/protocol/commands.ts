/** Commands that go on after their call, because the person allowed that: shown to and ended by paired pages only. */
import * as z from 'zod';

const keptCommandSchema = z.object({
  /** The execution that started it. */
  id: z.uuid(),
  agent: z.string(),
  command: z.string(),
  since: z.iso.datetime(),
  /** How many of its processes run now. */
  processes: z.number().int(),
  /** It goes on when Chaperone ends. */
  outlives: z.boolean(),
});
export type KeptCommand = z.infer<typeof keptCommandSchema>;

/** To paired pages: after `connected`, and when one is added, changes or ends. */
export const commandNews = [z.object({ type: z.literal('commands'), commands: z.array(keptCommandSchema) })] as const;

export const commandMessageSchemas = [
  z.object({ type: z.literal('endCommand'), id: z.uuid() }),
  z.object({ type: z.literal('outliveCommand'), id: z.uuid(), on: z.boolean() }),
] as const;
