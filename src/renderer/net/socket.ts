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

interface PreloadApi {
  send(text: string): void;
  /** Opens the connection, or opens it again. The listener gets null when it has ended. */
  onMessage(listener: (text: string | null) => void): void;
}

declare global {
  interface Window {
    chaperone?: PreloadApi;
  }
}

const POPOVER_RETRY_MS = 1_000;

/** The popover's connection to the host, over the API that the app's preload script puts on the window. It needs no address, key or pairing. */
export function findPreloadApi(window: Window): PreloadApi | null {
  return window.chaperone ?? null;
}

export function openPopoverSocket(api: PreloadApi, events: SocketEvents): Socket {
  let open = false;
  let closed = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  function receive(text: string | null): void {
    if (closed) return;
    open = text !== null;
    if (text !== null) return events.onMessage(text);
    clearTimeout(retry);
    retry = setTimeout(connect, POPOVER_RETRY_MS);
    events.onLost(Date.now() + POPOVER_RETRY_MS);
  }

  function connect(): void {
    clearTimeout(retry);
    api.onMessage(receive);
  }

  connect();
  return {
    send: (text) => {
      if (open) api.send(text);
      return open;
    },
    retryNow: () => {
      events.onTrying();
      connect();
    },
    close: () => {
      closed = true;
      clearTimeout(retry);
    },
  };
}
