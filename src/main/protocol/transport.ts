import type { Message } from '../../messages/index.js';

/** Answers one message, once. */
export type Reply = (message: unknown) => Promise<void>;

/** Messages are parsed JSON values; a complete message that is not valid JSON arrives as {@link Unreadable}. */
export interface Transport {
  /**
   * Resolves when there is room for more (back-pressure); rejects once closed. `onWritten` is called when the system has taken the
   * whole message, which a connection that ends first never does.
   */
  send(message: unknown, onWritten?: () => void): Promise<void>;
  /** `reply`: where each message has an answer of its own, which must then be given. `early`: see {@link drawLine}. */
  onMessage(listener: (message: unknown, reply?: Reply, early?: boolean) => void): void;
  /**
   * Called once it is known which program is at the other end, with the bytes that wait unread; null: nobody knows how many. Each message
   * that begins before is `early`: another program may have sent it. So is every message of a transport that has a line, until it is
   * drawn. Left out where each message names its sender.
   */
  drawLine?(waiting: number | null): void;
  /** Called once. `reason` is null for a clean end. */
  onClose(listener: (reason: string | null) => void): void;
  close(reason?: string): void;
  /** Called when the peer is authenticated: allows full-size messages and ends the time limit for authentication. */
  accept?(): void;
  /** To be called while a message is told: all that follows are lines of text, both ways. */
  speakLines?(): void;
  /** Bytes that wait for the peer to read. */
  queued?(): number;
  /** While `true`, nothing more is read than what has come. */
  hold?(held: boolean): void;
}

export class Unreadable {
  constructor(readonly reason: Message) {}
}
