/** A transport is send, receive, close. Messages are parsed JSON values; a message that is whole but no JSON arrives as {@link Unreadable}. */
export interface Transport {
  /** Resolves when the message was handed to the medium and there is room for more (back-pressure); rejects once closed. */
  send(message: unknown): Promise<void>;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once. `reason` is null for a clean end. */
  onClose(listener: (reason: string | null) => void): void;
  close(reason?: string): void;
  /** Called once the peer has proved itself: from then on full-size messages are read and the time limit for proving is lifted. */
  accept?(): void;
}

export class Unreadable {
  constructor(readonly reason: string) {}
}
