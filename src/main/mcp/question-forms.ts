/**
 * The forms in which a client of a version up to 2025-11-25 shows questions. A form stays until its question is settled, over every
 * handle that the agent is given meanwhile; what the person has begun to write is not taken away. Called by questions.
 */
import { LRUCache } from 'lru-cache';
import type { CallState } from './results.js';

export type Question = NonNullable<CallState['question']>;

export type QuestionForms = ReturnType<typeof createQuestionForms>;

/** As far as it is known. */
export type SettledQuestion = Partial<Pick<Question, 'callId' | 'text'>>;

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
