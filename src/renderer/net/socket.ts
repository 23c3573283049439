/** A WebSocket to the host that reconnects with growing delays. Nothing is queued while it is disconnected. */
import ReconnectingWebSocket from 'partysocket/ws';

const RETRY_DELAY_MS = { min: 1000, max: 10_000, grow: 1.7 };

export interface SocketEvents {
  onMessage(data: unknown): void;
  /** The connection is gone; `retryAt` in ms since 1970. */
  onLost(retryAt: number): void;
  /** A new attempt was asked for and starts now. */
  onTrying(): void;
}

export interface Socket {
  /** False when the message could not be handed over; it is dropped then. */
  send(text: string): boolean;
  retryNow(): void;
  close(): void;
}

export function openSocket(url: string, events: SocketEvents): Socket {
  let current = connect();

  function connect(): ReconnectingWebSocket {
    const socket = new ReconnectingWebSocket(url, [], {
      minReconnectionDelay: RETRY_DELAY_MS.min,
      maxReconnectionDelay: RETRY_DELAY_MS.max,
      reconnectionDelayGrowFactor: RETRY_DELAY_MS.grow,
      maxEnqueuedMessages: 0,
    });
    socket.addEventListener('message', (event: MessageEvent<unknown>) => {
      if (socket === current) events.onMessage(event.data);
    });
    socket.addEventListener('close', () => {
      if (socket === current && socket.shouldReconnect) events.onLost(Date.now() + retryDelay(socket.retryCount));
    });
    return socket;
  }

  return {
    send: (text) => current.readyState === WebSocket.OPEN && current.send(text),
    retryNow: () => {
      current.close();
      events.onTrying();
      current = connect();
    },
    close: () => current.close(),
  };
}

function retryDelay(attempt: number): number {
  return Math.min(RETRY_DELAY_MS.max, RETRY_DELAY_MS.min * RETRY_DELAY_MS.grow ** Math.max(0, attempt - 1));
}
