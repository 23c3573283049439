import type { XReply } from 'x11';
import type { XConnection } from './connection.js';
import { whenMissing } from './properties.js';

/** One question put to the cache: which values are new enough for it, and which have to be read before it can be answered. */
export interface Question {
  /** Sequence number of the last request that was sent before the question. */
  readonly since: number;
  /** Values that were read since then are taken even if they have changed again, and are not replaced by later ones. */
  acceptChanged: boolean;
  /** Reads without which the question cannot be answered. */
  readonly missing: Set<() => Promise<void>>;
}

/** A value that the X server holds. It is read when a question needs it, and again only after an event has reported a change. */
export interface CachedValue<T> {
  /** null where the window does not exist, and where the value has never been read. */
  get(question: Question): T | null;
  /** The last value that was read, whether or not it has changed since. */
  last(): T | null;
  /** For an event that reports a change. False where a change was reported before and the value was not read since. */
  expire(): boolean;
}

/** What the values of one window have in common. */
export interface CachedOwner {
  readonly xid: number;
  exists(): boolean;
  /** The server has answered that there is no such window. */
  onMissing(): void;
}

/**
 * Replies and events arrive in the order of the server, so an event after a reply reports a later change. Therefore both are
 * handled as they arrive and not in a promise.
 */
export function createCachedValue<A, T>(
  x: XConnection,
  owner: CachedOwner,
  request: (reply: XReply<A>) => void,
  decode: (answer: A) => T,
): CachedValue<T> {
  let value: T | null = null;
  let current = false;
  let readAt = 0;
  let reading: Promise<void> | null = null;
  let accepted: WeakMap<Question, T> | null = null;

  const start = async (): Promise<void> => {
    const sentAt = x.client.seq_num + 1;
    await x
      .query<A>((settle) =>
        request((error, answer) => {
          reading = null;
          if (error) owner.onMissing();
          else [value, current, readAt] = [decode(answer), true, sentAt];
          return settle(error, answer);
        }),
      )
      .catch(whenMissing);
  };
  const read = (): Promise<void> => (reading ??= start());

  return {
    get: (question) => {
      if (!owner.exists()) return null;
      const before = accepted?.get(question);
      if (before !== undefined) return before;
      const isNew = current || (question.acceptChanged && readAt > question.since);
      if (!isNew) question.missing.add(read);
      else if (question.acceptChanged && value !== null) (accepted ??= new WeakMap()).set(question, value);
      return value;
    },
    last: () => value,
    expire: () => {
      const changed = current;
      current = false;
      return changed;
    },
  };
}
