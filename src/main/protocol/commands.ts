/** Commands that the person allowed to keep running after their call. For paired pages only. */
import * as z from 'zod';

const keptCommandSchema = z.object({
  id: z.uuid(),
  agent: z.string(),
  command: z.string(),
  since: z.iso.datetime(),
  processes: z.number().int(),
  /** It keeps running when Chaperone ends. */
  outlives: z.boolean(),
});
export type KeptCommand = z.infer<typeof keptCommandSchema>;

/** Sent after `connected`, and whenever a command is added, changes or ends. */
export const commandNews = [z.object({ type: z.literal('commands'), commands: z.array(keptCommandSchema) })] as const;

export const commandMessageSchemas = [
  z.object({ type: z.literal('endCommand'), id: z.uuid() }),
  z.object({ type: z.literal('outliveCommand'), id: z.uuid(), on: z.boolean() }),
] as const;
