/** What an application says must be seen before it is called again. It only says so; that nothing is called is done here. */
import * as z from 'zod';
import { message } from '../../messages/index.js';
import { WireError } from '../protocol/index.js';
import { plainWords } from '../protocol/characters.js';
import type { AppConnection } from './connection.js';

const CHECK_MS = 5_000;
const MAX_SUMMARY_CHARS = 300;
const METHODS = ['attention/current', 'attention/ack'];

/** Open, and blocking. */
export interface Attention {
  id: string;
  summary: string;
}

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

/** What blocks now; null: nothing. Rejects where the application does not tell. */
async function currentAttention(connection: AppConnection, signal: AbortSignal): Promise<Attention | null> {
  if (!hasAttention(connection)) return null;
  const answer = await connection.request('attention/current', {}, { timeoutMs: CHECK_MS, signal });
  const { attention } = currentSchema.parse(answer);
  if (attention === null || !attention.blocking || attention.state !== 'open') return null;
  return { id: attention.attentionId, summary: plainWords(attention.summary, MAX_SUMMARY_CHARS) };
}

export type AttentionWatch = ReturnType<typeof watchAttention>;

export function watchAttention(connection: () => AppConnection | null, onChange: () => void) {
  let known: Attention | null = null;
  return {
    /** What blocks, as the application said last; null while it is not connected. */
    now: (): Attention | null => known,
    clear: (): void => void (known = null),
    /** Asks it. Rejects where it is not connected or does not tell. */
    async check(signal: AbortSignal): Promise<Attention | null> {
      const asked = connection();
      if (asked === null) throw new Error('not connected');
      const found = await currentAttention(asked, signal);
      if (asked !== connection() || JSON.stringify(found) === JSON.stringify(known)) return found;
      known = found;
      onChange();
      return found;
    },
  };
}

export function attentionError(app: string, { id, summary }: Attention): WireError {
  return new WireError('DESKTOP_HOST_NOT_READY', message('apps.attention', { app, text: summary }), {
    reason: 'app_attention',
    attention_id: id,
    next: `Read it, then confirm with ${app}_acknowledge that you have seen it.`,
  });
}

export async function acknowledge(connection: AppConnection, id: string, signal: AbortSignal): Promise<boolean> {
  const answer = await connection.request('attention/ack', { attentionId: id }, { timeoutMs: CHECK_MS, signal });
  return answerSchema.catch({ acknowledged: false }).parse(answer).acknowledged;
}
