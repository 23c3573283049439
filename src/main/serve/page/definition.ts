/** What a row of the table of page messages is. */
import type { Message } from '../../../messages/index.js';
import type { AnswerTo, FromPage, QuestionType } from '../../protocol/index.js';
import type { Page, Person } from './page.js';

export type Type = FromPage['type'];
export type MessageOf = { [M in FromPage as M['type']]: M };

/** `code` and `message` go to the page. `strike`: a correct page never sends such a message; too many of them close the connection. */
export interface Refusal {
  ok: false;
  code: string;
  message: Message;
  strike?: true;
}
export type Outcome = { ok: true } | Refusal;
export type Reply<T extends QuestionType> = Omit<AnswerTo<T>, 'type' | 'request'>;
/** A message with a `request` gets an answer; any other gets one only if it is refused. */
export type ResultOf = { [T in Type]: T extends QuestionType ? Reply<T> | Refusal : Outcome | undefined };

/** Which pages may send a message. */
export type Role =
  /** Any connected page. */
  | 'any'
  /** A page that may read the conversation. */
  | 'chat'
  /** A page that may answer in the conversation. */
  | 'reply'
  /** A paired page, or the popover. */
  | 'paired';

export interface Sender {
  page: Page;
  /** Who the page was when the message came. */
  person: Person;
}

/** The schema is the member of `fromPageSchema` with the same `type`. */
export interface Definition<T extends Type, Dependencies> {
  role: Role | ((message: MessageOf[T]) => Role);
  /**
   * Every function of the dependencies throws once the page has lost the role, e.g. during a wait. A dependency that waits by itself
   * before it acts has to be given `signal`, which aborts when the page disconnects or is paired with another key.
   */
  handler(
    context: Dependencies & Sender,
    message: MessageOf[T],
    signal: AbortSignal,
  ): ResultOf[T] | Promise<ResultOf[T]>;
}

export type Definitions<T extends Type, Dependencies> = { [K in T]: Definition<K, Dependencies> };
