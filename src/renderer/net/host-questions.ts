/** Questions to the host. Each is answered once, refused, or rejected when the connection is lost; none is repeated. */
import { say, t } from '../strings.js';
import type { PageAnswer, AnswerTo, QuestionFields, QuestionType, ToPage } from '../../main/protocol/index.js';

/** Why there is no answer. `code` is the host's, or `lost` (no connection), or `mismatch` (an answer of another type). */
export class NoAnswer extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Question and answer have the same type. */
export type Ask = <T extends QuestionType>(type: T, question: QuestionFields<T>) => Promise<AnswerTo<T>>;

interface HostQuestions {
  ask: Ask;
  /** True when the message was an answer or a refusal, wanted or not. */
  take(message: ToPage): boolean;
  /** Rejects all open questions, because the connection is lost. */
  rejectAll(): void;
}

interface Waiting {
  type: QuestionType;
  resolve(answer: PageAnswer): void;
  reject(reason: NoAnswer): void;
}

/** `send` is false when there is no connection. */
export function createHostQuestions(send: (question: object) => boolean): HostQuestions {
  const waiting = new Map<string, Waiting>();

  function take(message: ToPage): boolean {
    const id = message.type === 'error' ? message.about : 'request' in message ? message.request : undefined;
    if (id === undefined) return false;
    const one = waiting.get(id);
    waiting.delete(id);
    if (message.type === 'error') {
      one?.reject(new NoAnswer(message.code, say(message.message)));
      return one !== undefined;
    }
    if (!('request' in message)) return false;
    if (one !== undefined && one.type !== message.type) one.reject(new NoAnswer('mismatch', t('page.notice.mismatch')));
    else one?.resolve(message);
    return true;
  }

  return {
    ask: <T extends QuestionType>(type: T, question: QuestionFields<T>) =>
      new Promise<AnswerTo<T>>((resolve, reject) => {
        const request = crypto.randomUUID();
        const isIt = (answer: PageAnswer): answer is PageAnswer & AnswerTo<T> => answer.type === type;
        waiting.set(request, { type, resolve: (answer) => isIt(answer) && resolve(answer), reject });
        if (send({ type, ...question, request })) return;
        waiting.delete(request);
        reject(new NoAnswer('lost', t('page.notice.not_sent')));
      }),
    take,
    rejectAll() {
      const gone = [...waiting.values()];
      waiting.clear();
      for (const { reject } of gone) reject(new NoAnswer('lost', t('page.notice.not_sent')));
    },
  };
}
