/** A transport of the SDK with what Chaperone does to the messages that pass. Comes in: the SDK's transport. Goes out: the one that a server is connected to. Called by the server. */
import type { JSONRPCMessage, MessageExtraInfo, Transport, TransportSendOptions } from '@modelcontextprotocol/server';

export interface Hooks {
  /** Each message, before the server gets it. */
  received?(message: JSONRPCMessage): void;
  /** Each message of the server's, and what is sent in its place. */
  sending?(message: JSONRPCMessage): JSONRPCMessage | Promise<JSONRPCMessage>;
  /** How one is sent; default: by the transport. */
  send?(message: JSONRPCMessage, send: (onItsStream: boolean) => Promise<void>): Promise<void>;
}

export class HookedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;

  constructor(
    private readonly inner: Transport,
    private readonly hooks: readonly Hooks[],
  ) {}

  get sessionId(): string | undefined {
    return this.inner.sessionId;
  }

  get hasPerRequestStream(): boolean {
    return this.inner.hasPerRequestStream === true;
  }

  setProtocolVersion = (version: string): void => this.inner.setProtocolVersion?.(version);

  setSupportedProtocolVersions = (versions: string[]): void => this.inner.setSupportedProtocolVersions?.(versions);

  start(): Promise<void> {
    const { inner, hooks } = this;
    const [closed, failed] = [inner.onclose, inner.onerror];
    inner.onclose = () => {
      closed?.();
      this.onclose?.();
    };
    inner.onerror = (error) => {
      failed?.(error);
      this.onerror?.(error);
    };
    inner.onmessage = (message, extra) => {
      for (const { received } of hooks) received?.(message);
      this.onmessage?.(message, extra);
    };
    return inner.start();
  }

  async send(given: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    let message = given;
    for (const { sending } of this.hooks) {
      const replaced = sending?.(message) ?? message;
      // Not awaited where there is nothing to wait for: messages keep their order.
      message = replaced instanceof Promise ? await replaced : replaced;
    }
    const by = this.hooks.find(({ send }) => send !== undefined)?.send;
    const send = (onItsStream: boolean) => this.inner.send(message, onItsStream ? options : undefined);
    return by === undefined ? send(true) : by(message, send);
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}

const OPENINGS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** Adds the screens to the answer to the opening request, under both names that clients read. Without them where they are not available in time. */
export function screensInOpening(screens: () => Promise<unknown[] | null>): Hooks {
  const openings = new Set<string | number>();
  return {
    received(message) {
      if ('method' in message && 'id' in message && OPENINGS.has(message.method)) openings.add(message.id);
    },
    sending(message) {
      if (!('result' in message) || message.id === undefined || !openings.delete(message.id)) return message;
      const { result } = message;
      return screens().then((known) =>
        known === null
          ? message
          : { ...message, result: { ...result, screens: known, displayInfo: { screens: known } } },
      );
    },
  };
}

const CANCELLED = 'notifications/cancelled';

/** The client said that it gave up the request of this id, running or answered. */
export const onCancelled = (left: (id: string | number) => void): Hooks => ({
  received(message) {
    if (!('method' in message) || message.method !== CANCELLED) return;
    const id = message.params?.['requestId'];
    if (typeof id === 'string' || typeof id === 'number') left(id);
  },
});

/** The stream of the call that asked is over by then, where that was answered with a handle: on the session's own. */
export const cancellationsInAnyCase: Hooks = {
  send: (message, send) =>
    'method' in message && message.method === CANCELLED ? send(true).catch(() => send(false)) : send(true),
};
