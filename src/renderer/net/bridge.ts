/** The popover's way to the host: what the app's preload puts on the window. There is no address, no key and no pairing here. */
import type { Socket, SocketEvents } from './socket.js';

export interface Bridge {
  send(text: string): void;
  /** Opens the connection, or opens it anew; null tells that it has ended. */
  onMessage(listener: (text: string | null) => void): void;
}

declare global {
  interface Window {
    chaperone?: Bridge;
  }
}

const PAUSE_MS = 1_000;

export function bridgeOf(window: Window): Bridge | null {
  return window.chaperone ?? null;
}

export function openBridge(bridge: Bridge, events: SocketEvents): Socket {
  let open = false;
  let closed = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  function receive(text: string | null): void {
    if (closed) return;
    open = text !== null;
    if (text !== null) return events.onMessage(text);
    clearTimeout(retry);
    retry = setTimeout(connect, PAUSE_MS);
    events.onLost(Date.now() + PAUSE_MS);
  }

  function connect(): void {
    clearTimeout(retry);
    bridge.onMessage(receive);
  }

  connect();
  return {
    send: (text) => {
      if (open) bridge.send(text);
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
