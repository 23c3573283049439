/** One WebSocket to the host, kept alive: a dropped one comes back with growing pauses. Nothing is queued while it is away. */
import ReconnectingWebSocket from 'partysocket/ws';

const PAUSE = { min: 1000, max: 10_000, grow: 1.7 };

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
      minReconnectionDelay: PAUSE.min,
      maxReconnectionDelay: PAUSE.max,
      reconnectionDelayGrowFactor: PAUSE.grow,
      maxEnqueuedMessages: 0,
    });
    socket.addEventListener('message', (event: MessageEvent<unknown>) => {
      if (socket === current) events.onMessage(event.data);
    });
    socket.addEventListener('close', () => {
      if (socket === current && socket.shouldReconnect) events.onLost(Date.now() + pauseAfter(socket.retryCount));
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

function pauseAfter(attempt: number): number {
  return Math.min(PAUSE.max, PAUSE.min * PAUSE.grow ** Math.max(0, attempt - 1));
}
