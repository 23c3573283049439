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
import { isRecord } from '../../base/type-guards.js';
import { formatEnglish, message } from '../../messages/index.js';
import type { McpBackend, McpClientInfo, Wait } from './backend.js';
import { isPending, resumedCall, type CallState, type HostToolResult } from './results.js';
import { QUESTION_TOOL, RESUME_TOOL } from '../protocol/local-command.js';
import { LRUCache } from 'lru-cache';

/**
 * The forms in which a client of a version up to 2025-11-25 shows questions. A form stays until its question is settled, over every
 * handle that the agent is given meanwhile; what the person has begun to write is not taken away. Called by questions.
 */
type Question = NonNullable<CallState['question']>;

export type QuestionForms = ReturnType<typeof createQuestionForms>;

/** As far as it is known. */
type SettledQuestion = Partial<Pick<Question, 'callId' | 'text'>>;

interface Form {
  /** Of those that wait for it, or did. */
  callIds: Set<string>;
  ended: AbortController;
  waits: number;
  unwaited: NodeJS.Timeout | null;
}

/** An agent that does not go on waiting may have been told the answer in another way. */
const UNWAITED_MS = 10 * 60_000;
const MAX_LEFT = 256;

export function createQuestionForms(onError: (error: Error) => void, unwaitedMs = UNWAITED_MS) {
  /** By their text, as the host knows the same question of an agent again. */
  const forms = new Map<string, Form>();
  const left = new LRUCache<string, true>({ max: MAX_LEFT });

  async function run(form: Form, { text, callId }: Question, ask: (signal: AbortSignal) => Promise<boolean>) {
    const { signal } = form.ended;
    try {
      if (!(await ask(signal))) left.set(callId, true);
    } catch (thrown) {
      if (!signal.aborted) onError(thrown instanceof Error ? thrown : new Error(String(thrown)));
    } finally {
      if (forms.get(text) === form) remove(text, form);
    }
  }

  function remove(text: string, form: Form): void {
    forms.delete(text);
    stopTimer(form);
  }

  function end(text: string, form: Form): void {
    remove(text, form);
    form.ended.abort();
  }

  return {
    /** Shows it, unless it is shown by now or the client has closed it before. `ask` resolves with false where the client gave no answer. */
    show(question: Question, ask: (signal: AbortSignal) => Promise<boolean>): void {
      const known = forms.get(question.text);
      if (known !== undefined) {
        known.waits += 1;
        known.callIds.add(question.callId);
        return stopTimer(known);
      }
      if (left.has(question.callId)) return;
      const form: Form = {
        callIds: new Set([question.callId]),
        ended: new AbortController(),
        waits: 1,
        unwaited: null,
      };
      forms.set(question.text, form);
      void run(form, question, ask);
    },
    /** Must be called for each `show`, when that wait has ended. `pending`: the agent was given a handle. */
    waited({ text }: Question, how: 'given_up' | 'pending'): void {
      const form = forms.get(text);
      if (form === undefined) return;
      form.waits -= 1;
      if (form.waits > 0) return;
      if (how === 'given_up') return end(text, form);
      form.unwaited = setTimeout(() => end(text, form), unwaitedMs).unref();
    },
    /** This question has its answer, or will have none. */
    settled({ callId = '', text }: SettledQuestion): void {
      for (const [one, form] of [...forms]) if (one === text || form.callIds.has(callId)) end(one, form);
    },
    /** The client gave no answer to the question of this call. */
    leave: (callId: string): void => void left.set(callId, true),
    wasLeft: (callId: string): boolean => left.has(callId),
  };
}

function stopTimer(form: Form): void {
  if (form.unwaited !== null) clearTimeout(form.unwaited);
  form.unwaited = null;
}

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
  const shown = new AbortController();
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
