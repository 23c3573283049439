/**
 * A question to the person, shown in the client as well as on the page, where the client offers that (elicitation). It is never an
 * approval. Whichever answer comes first settles it; a client that declines leaves it to the page. Called by the doors.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { isRecord } from '../../base/is-record.js';
import { createAbort } from '../../base/signal.js';
import { formatEnglish, message } from '../../messages/index.js';
import type { McpBackend, McpClientInfo, Wait } from './backend.js';
import type { Question, QuestionForms, SettledQuestion } from './question-forms.js';
import { isPending, resumedCall, type CallState, type HostToolResult } from './results.js';
import { QUESTION_TOOL, RESUME_TOOL } from '../protocol/resume-tool.js';

/** Resolves with what the client says; rejects where it shows no questions, or when the signal fires. */
type Ask = (params: ElicitRequestFormParams, signal: AbortSignal, callId: string) => Promise<unknown>;

/** In a question on stdio: the call that asks it. The door takes it out. */
export const QUESTION_META = 'dev.chaperone/question';
const MAX_MESSAGE_CHARS = 4_000;
/** The person may be away; the SDK's own limit is a minute. */
const TIMEOUT_MS = 24 * 60 * 60_000;
const REPLY = 'reply';
const answerSchema = z.object({
  action: z.literal('accept'),
  content: z.object({ reply: z.string().optional(), choice: z.string().optional() }),
});

const offersQuestions = (capabilities: unknown): boolean => {
  const elicitation = isRecord(capabilities) ? capabilities['elicitation'] : undefined;
  return isRecord(elicitation) && (elicitation['form'] !== undefined || elicitation['url'] === undefined);
};

/** Up to 2025-11-25: the client is asked while the call waits, and told when the question is settled. */
export async function askBeside<Result extends object>(
  ask: Ask | null,
  { wait, answer, forms, of }: { wait: Wait; answer: McpBackend['answer']; forms: QuestionForms; of: SettledQuestion },
  call: (wait: Wait) => Promise<Result>,
): Promise<Result> {
  if (ask === null) return call(wait);
  let asked: Question | null = null;
  const show = (question: Question): void => {
    forms.show(question, async (signal) => {
      const form = formOf(question, 'question.also_on_page');
      const text = textOf(await ask(form, signal, question.callId));
      if (text !== null) await answer(question.callId, text);
      return text !== null;
    });
  };
  const onProgress = (state: CallState): void => {
    wait.onProgress(state);
    if (state.question === undefined || asked !== null) return;
    asked = state.question;
    show(asked);
  };
  let pending = false;
  try {
    const result = await call({ ...wait, onProgress });
    pending = isPending(result);
    return result;
  } finally {
    if (!pending) forms.settled({ ...of, ...(asked ?? {}) });
    else if (asked !== null) forms.waited(asked, wait.signal.aborted ? 'given_up' : 'pending');
  }
}

/** The question that a call asks, or goes on waiting for. */
export function questionOf(name: string, args: unknown): SettledQuestion {
  const text = isRecord(args) ? args['text'] : null;
  if (name === QUESTION_TOOL && typeof text === 'string') return { text };
  const callId = name === RESUME_TOOL ? resumedCall(args) : null;
  return callId === null ? {} : { callId };
}

/** null where the client shows none. The request that the question belongs to: over HTTP it goes on the same stream. */
export function asker(server: Server, context: ServerContext): Ask | null {
  if (!offersQuestions(server.getClientCapabilities())) return null;
  const isHttp = context.http?.req !== undefined;
  const send = isHttp ? context.mcpReq.send : server.request.bind(server);
  return (form, signal, callId) => {
    const params = isHttp ? { ...form } : { ...form, _meta: { [QUESTION_META]: callId } };
    return send({ method: 'elicitation/create', params }, { signal, timeout: TIMEOUT_MS });
  };
}

/** From 2026-07-28 on: the call ends with the question, and the client makes it again with what came of it. */
export async function askBetween(
  { mcpReq }: ServerContext,
  {
    wait,
    backend,
    client,
    forms,
  }: { wait: Wait; backend: McpBackend; client: McpClientInfo | null; forms: QuestionForms },
  call: (wait: Wait) => Promise<HostToolResult>,
): Promise<HostToolResult | InputRequiredResult> {
  const earlier = z.uuid().safeParse(mcpReq.requestState());
  if (earlier.success) {
    const text = textOf(mcpReq.inputResponses?.[REPLY]);
    if (text === null) forms.leave(earlier.data);
    else await backend.answer(earlier.data, text);
    // Its own call: another's is unknown to the host.
    return backend.call(RESUME_TOOL, { call_id: earlier.data }, client, wait);
  }
  const envelope: Record<string, unknown> = mcpReq.envelope ?? {};
  if (!offersQuestions(envelope[CLIENT_CAPABILITIES_META_KEY])) return call(wait);
  const shown = createAbort();
  const leave = () => shown.abort(wait.signal.reason);
  wait.signal.addEventListener('abort', leave, { once: true });
  if (wait.signal.aborted) leave();
  let question: Question | null = null;
  const onProgress = (state: CallState): void => {
    wait.onProgress(state);
    if (state.question === undefined || forms.wasLeft(state.question.callId)) return;
    question = state.question;
    shown.abort(new Error('the question is shown in the client'));
  };
  try {
    const result = await call({ ...wait, onProgress, signal: shown.signal });
    return question === null || !isPending(result) ? result : asInput(question);
  } finally {
    wait.signal.removeEventListener('abort', leave);
  }
}

const asInput = (question: Question): InputRequiredResult =>
  inputRequired({
    inputRequests: { [REPLY]: inputRequired.elicit(formOf(question, 'question.decline_if_on_page')) },
    requestState: question.callId,
  });

function formOf({ text, quickReplies }: Question, hint: Hint): ElicitRequestFormParams {
  const shown = text.length > MAX_MESSAGE_CHARS ? `${text.slice(0, MAX_MESSAGE_CHARS)} …` : text;
  const choices = [...new Set(quickReplies)];
  const properties: ElicitRequestFormParams['requestedSchema']['properties'] = {
    ...(choices.length === 0 ? {} : { choice: { type: 'string', title: label('question.choice'), enum: choices } }),
    reply: { type: 'string', title: label('question.reply') },
  };
  const required = choices.length === 0 ? { required: [REPLY] } : {};
  return { message: `${shown}\n\n${label(hint)}`, requestedSchema: { type: 'object', properties, ...required } };
}

type Hint = 'question.also_on_page' | 'question.decline_if_on_page';
const label = (code: Hint | 'question.choice' | 'question.reply'): string => formatEnglish(message(code));

/** What the person wrote, else chose; null where the client gives no answer. */
export function textOf(answer: unknown): string | null {
  const accepted = answerSchema.safeParse(answer);
  if (!accepted.success) return null;
  const { reply = '', choice = '' } = accepted.data.content;
  return (reply.trim() === '' ? choice : reply).trim() || null;
}
