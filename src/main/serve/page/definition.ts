/** What a row of the table of page messages is. */
import type { Message } from '../../../messages/index.js';
import type { AnswerTo, FromPage, QuestionType } from '../../protocol/index.js';
import type { Page, Person } from './page.js';

export type MessageType = FromPage['type'];
export type MessageOf = { [M in FromPage as M['type']]: M };

/** `code` and `message` go to the page. `strike`: a correct page never sends such a message; too many of them close the connection. */
export interface PageRefusal {
  ok: false;
  code: string;
  message: Message;
  strike?: true;
}
type HandlerOutcome = { ok: true } | PageRefusal;
export type Reply<T extends QuestionType> = Omit<AnswerTo<T>, 'type' | 'request'>;
/** A message with a `request` gets an answer; any other gets one only if it is refused. */
type ResultOf = {
  [T in MessageType]: T extends QuestionType ? Reply<T> | PageRefusal : HandlerOutcome | undefined;
};

/** Which pages may send a message. */
export type RequiredRole =
  /** Any connected page. */
  | 'any'
  /** A page that may read the conversation, and answer in it. */
  | 'chat'
  /** A paired page, or the popover. */
  | 'paired';

interface Sender {
  page: Page;
  /** Who the page was when the message came. */
  person: Person;
  /** Throws once the page has lost the role. To be called after each wait, before anything is done. */
  assertRole(): void;
}

/** The schema is the member of `fromPageSchema` with the same `type`. */
export interface Definition<T extends MessageType, Dependencies> {
  role: RequiredRole | ((message: MessageOf[T]) => RequiredRole);
  /** A dependency that waits by itself before it acts has to be given `signal`, which aborts when the page disconnects or is paired with another key. */
  handler(
    context: Dependencies & Sender,
    message: MessageOf[T],
    signal: AbortSignal,
  ): ResultOf[T] | Promise<ResultOf[T]>;
}

export type Definitions<T extends MessageType, Dependencies> = { [K in T]: Definition<K, Dependencies> };
