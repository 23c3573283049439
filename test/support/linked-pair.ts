/** Two transports joined in memory: what one sends the other receives, as it would after a trip through JSON. */
import type { Transport } from '../../src/main/protocol/transport.js';

interface End extends Transport {
  deliver(text: string): void;
  closed(reason: string | null): void;
}

export function linkedPair(): [Transport, Transport] {
  const a: End = createEnd(() => b);
  const b: End = createEnd(() => a);
  return [a, b];
}

function createEnd(other: () => End): End {
  const messages: ((message: unknown) => void)[] = [];
  const closes: ((reason: string | null) => void)[] = [];
  const early: unknown[] = [];
  let open = true;

  const end: End = {
    async send(message, onWritten) {
      if (!open) throw new Error('the transport is closed');
      const text = JSON.stringify(message);
      if (text === undefined) throw new Error('the message is no JSON value');
      await Promise.resolve();
      other().deliver(text);
      onWritten?.();
    },
    onMessage(listener) {
      messages.push(listener);
      for (const message of early.splice(0)) listener(message);
    },
    onClose(listener) {
      closes.push(listener);
    },
    close(reason) {
      if (!open) return;
      end.closed(reason ?? null);
      void Promise.resolve().then(() => other().closed(reason ?? null));
    },
    deliver(text) {
      if (!open) return;
      const message: unknown = JSON.parse(text);
      if (messages.length === 0) early.push(message);
      for (const listener of messages) listener(message);
    },
    closed(reason) {
      if (!open) return;
      open = false;
      for (const listener of closes) listener(reason);
    },
  };
  return end;
}
