/** What a row of the table of page messages is. */
import type { AnswerTo, FromPage, QuestionType } from '../../protocol/index.js';
import type { Page, Person } from './page.js';

export type Type = FromPage['type'];
export type MessageOf = { [M in FromPage as M['type']]: M };

/** `code` and `message` go to the page. `strike`: a well-behaved page never sends what is refused so; too many close it. */
export interface Refusal {
  ok: false;
  code: string;
  message: string;
  strike?: true;
}
export type Outcome = { ok: true } | Refusal;
export type Reply<T extends QuestionType> = Omit<AnswerTo<T>, 'type' | 'request'>;
/** A message with a `request` is answered; any other is only refused, or not. */
export type ResultOf = { [T in Type]: T extends QuestionType ? Reply<T> | Refusal : Outcome | undefined };

/** Who may send a message: any connected page; one that may read the conversation; one that may answer in it; one that is paired, or the popover. */
export type Role = 'any' | 'chat' | 'reply' | 'paired';

export interface Sender {
  page: Page;
  /** Who the page was when the message came. */
  person: Person;
}

/** The schema is the member of `fromPageSchema` with the same `type`. */
export interface Definition<T extends Type, Dependencies> {
  role: Role | ((message: MessageOf[T]) => Role);
  /**
   * Dependencies come guarded: once the page has lost the role, during a wait, each of their functions throws. What a dependency
   * itself begins only after a wait needs `signal`, which aborts when the page goes or becomes another one's.
   */
  handler(
    context: Dependencies & Sender,
    message: MessageOf[T],
    signal: AbortSignal,
  ): ResultOf[T] | Promise<ResultOf[T]>;
}

export type Definitions<T extends Type, Dependencies> = { [K in T]: Definition<K, Dependencies> };
