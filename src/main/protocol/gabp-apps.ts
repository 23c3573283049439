/** The GABP applications of `gabp-apps.json`. For paired pages only. What applications say comes on one line, bounded, without hidden characters. */
import * as z from 'zod';
import { messageOrTextSchema } from '../../messages/index.js';

const name = z.string().max(100);
const attentionId = z.string().min(1).max(200);
const request = z.uuid();

const shownAppSchema = z.object({
  name: z.string(),
  state: z.enum(['asking', 'starting', 'connected', 'waiting', 'stopped']),
  kind: z.enum(['launch', 'attach']),
  /** The program, or the file that says where it listens. */
  place: z.string(),
  start: z.enum(['auto', 'manual']),
  /** A person has confirmed the entry as it is in the file now. */
  confirmed: z.boolean(),
  /** What it calls itself; null while it is not connected. */
  claim: z.string().nullable(),
  tools: z.number().int(),
  /** It has begun in this host, so that there is a log. */
  hasLog: z.boolean(),
  /** What it wants seen before it is called again. */
  attention: z.object({ id: z.string(), summary: z.string() }).nullable(),
});
export type ShownGabpApp = z.infer<typeof shownAppSchema>;

/** Sent after `connected`, and when an application changes. `fault`: why the file cannot be used. */
export const gabpAppNews = [
  z.object({ type: z.literal('gabpApps'), apps: z.array(shownAppSchema), fault: messageOrTextSchema.nullable() }),
] as const;
export type GabpAppNews = z.infer<(typeof gabpAppNews)[0]>;

export const gabpAppMessageSchemas = [
  z.object({ type: z.literal('startApp'), name }),
  z.object({ type: z.literal('stopApp'), name }),
  z.object({ type: z.literal('acknowledgeApp'), name, attentionId }),
  z.object({ type: z.literal('appLog'), request, name }),
] as const;

export const gabpAppAnswers = [
  z.object({
    type: z.literal('appLog'),
    request,
    /** Oldest first. */
    lines: z.array(z.object({ at: z.string(), text: z.string() })),
  }),
] as const;
