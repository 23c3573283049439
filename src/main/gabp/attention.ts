/** What an application says must be seen before it is called again. It only says so; that nothing is called is done here. */
import * as z from 'zod';
import { message } from '../../messages/index.js';
import { WireError } from '../protocol/index.js';
import { plainWords } from '../protocol/plain-words.js';
import type { AppConnection } from './connection.js';

const CHECK_MS = 5_000;
const MAX_SUMMARY_CHARS = 300;
const METHODS = ['attention/current', 'attention/ack'];

const currentSchema = z.looseObject({
  attention: z
    .looseObject({
      attentionId: z.string().min(1).max(200),
      state: z.string(),
      blocking: z.boolean(),
      summary: z.string(),
    })
    .nullable()
    .catch(null),
});
const answerSchema = z.looseObject({ acknowledged: z.boolean() });

export const hasAttention = ({ welcome }: AppConnection): boolean =>
  METHODS.every((method) => welcome.capabilities.methods?.includes(method));

/** Throws while something blocks, and where the application does not tell. Nothing was done then. */
export async function assertNoAttention(app: string, connection: AppConnection, signal: AbortSignal): Promise<void> {
  if (!hasAttention(connection)) return;
  const answer = await connection.request('attention/current', {}, { timeoutMs: CHECK_MS, signal });
  const { attention } = currentSchema.parse(answer);
  if (attention === null || !attention.blocking || attention.state !== 'open') return;
  const { attentionId, summary } = attention;
  const text = plainWords(summary, MAX_SUMMARY_CHARS);
  throw new WireError('DESKTOP_HOST_NOT_READY', message('apps.attention', { app, text }), {
    reason: 'app_attention',
    attention_id: attentionId,
    next: `Read it, then confirm with ${app}_acknowledge that you have seen it.`,
  });
}

export async function acknowledge(connection: AppConnection, id: string, signal: AbortSignal): Promise<boolean> {
  const answer = await connection.request('attention/ack', { attentionId: id }, { timeoutMs: CHECK_MS, signal });
  return answerSchema.catch({ acknowledged: false }).parse(answer).acknowledged;
}
