/** What pages ask of open cards, conversation and record. Each question is answered under its own request, or refused about it; only the conversation is for unpaired ones. */
import type { Answer, Question, QuestionType } from '../../protocol/index.js';
import { earlierThan, withoutImages } from './history.js';
import { TOO_MANY } from './outcomes.js';
import type { Page } from './page.js';
import type { ApprovalsPort, ChatSide, Outcome, RecordPort, Reply } from './ports.js';

export interface QuestionPorts {
  chat: ChatSide;
  record: RecordPort;
  approvals: ApprovalsPort;
}

type Put<T extends QuestionType> = Extract<Question, { type: T }>;
type Refusal = Extract<Outcome, { ok: false }>;
type Ours = 'earlier' | 'cardPicture' | 'activityPage' | 'thumbnails' | 'evidence' | 'evidenceFile' | 'verifyEvidence';
export type Asking = { [T in Ours]: (page: Page, question: Put<T>) => void | Promise<void> };

const NEEDS_PAIRING: Refusal = {
  ok: false,
  code: 'pairing_needed',
  message: 'Pair this page to see that here: open a link from the menu bar or from `chaperone pair`.',
};
const UNKNOWN: Refusal = { ok: false, code: 'unknown_execution', message: 'The record knows no such action.' };
const DAMAGED: Refusal = {
  ok: false,
  code: 'record_damaged',
  message: 'Its line in the record was changed after it was written, so that nothing can be shown of it.',
};

export function createAsking({ chat, record, approvals }: QuestionPorts): Asking {
  /** Only a paired page is answered. */
  function paired<T extends QuestionType>(
    find: (question: Put<T>) => Promise<Reply<T> | Refusal | null>,
  ): (page: Page, question: Put<T>) => Promise<void> {
    return async (page, question) => {
      if (page.role() !== 'paired') return refuse(page, question, NEEDS_PAIRING);
      if (!page.budgets.questions.take()) return refuse(page, question, TOO_MANY);
      const found = await find(question);
      // It may have been unpaired meanwhile.
      if (page.role() !== 'paired') return refuse(page, question, NEEDS_PAIRING);
      if (found === null) return refuse(page, question, UNKNOWN);
      if (isRefusal(found)) return refuse(page, question, found);
      answer(page, question, found);
    };
  }

  return {
    earlier(page, question) {
      if (page.audience() === 'nobody') return refuse(page, question, NEEDS_PAIRING);
      if (!page.budgets.questions.take()) return refuse(page, question, TOO_MANY);
      const { events, since } = earlierThan(chat.events(0), question.before);
      answer(page, question, { events: page.role() === 'paired' ? events : events.map(withoutImages), since });
    },
    cardPicture: paired<'cardPicture'>(({ id }) => approvals.picture(id)),
    activityPage: paired<'activityPage'>(({ before, filter }) => record.page(before, filter)),
    thumbnails: paired<'thumbnails'>(async ({ executionIds }) => ({ pictures: await record.thumbnails(executionIds) })),
    evidence: paired<'evidence'>(async ({ executionId }) => {
      const evidence = await record.evidence(executionId);
      return evidence === 'damaged' ? DAMAGED : evidence && { evidence };
    }),
    evidenceFile: paired<'evidenceFile'>(({ executionId, name, offset }) => record.file(executionId, name, offset)),
    verifyEvidence: paired<'verifyEvidence'>(async ({ executionId }) => {
      const verdict = await record.verify(executionId);
      return verdict && { verdict };
    }),
  };
}

function answer<T extends QuestionType>(page: Page, { type, request }: Put<T>, reply: Reply<T>): void {
  page.sendText(JSON.stringify({ type, request, ...reply } satisfies Pick<Answer, 'type' | 'request'>));
}

function refuse(page: Page, { request }: { request: string }, { code, message }: Refusal): void {
  page.refuse(code, message, request);
}

function isRefusal(found: object): found is Refusal {
  return 'ok' in found && found.ok === false;
}
