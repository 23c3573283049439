/** The popover's connection to the host, over the API that the app's preload script puts on the window. It needs no address, key or pairing. */
import type { Socket, SocketEvents } from './socket.js';

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

const RETRY_DELAY_MS = 1_000;

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
    retry = setTimeout(connect, RETRY_DELAY_MS);
    events.onLost(Date.now() + RETRY_DELAY_MS);
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
