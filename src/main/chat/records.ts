import * as z from 'zod';
import { chatEventSchema } from '../protocol/index.js';

/** One line of chat.jsonl: an event for the pages, or another call that joined a question. */
export const chatRecordSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('event'), event: chatEventSchema, callId: z.string().optional() }),
  z.object({ kind: z.literal('joined'), ackId: z.uuid(), callId: z.string() }),
]);
export type ChatRecord = z.infer<typeof chatRecordSchema>;
