/**
 * Connections to the buses of applications themselves, which GTK 3 and Chromium offer: over the shared bus each call and each reply
 * goes through one more process. Events come over the shared bus only. Called by bus.ts.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createClient } from 'dbus-native';
import { LRUCache } from 'lru-cache';
import { createInvoke, type Invoke } from './bus-calls.js';
import { socketFd } from '../../../base/socket-fd.js';

export interface DirectConnections {
  /** By the application's name on the shared bus; null where it is to be called over that one. */
  of(name: string): Invoke | null | Promise<Invoke | null>;
  close(): Promise<void>;
}

interface DirectOptions {
  /** What the application gives as the address of its own bus. */
  addressOf(name: string): Promise<unknown>;
  pidOf(name: string): Promise<number>;
  /** The process that listens at the other end of a socket. */
  peerOf(socketFd: number): { pid: number };
  timeoutMs: number;
}

const MAX_CONNECTIONS = 64;
const MAX_WITHOUT = 500;
/** No other kind of address: some start a program. */
const SOCKET_ADDRESS = /^unix:path=(\/[^,;%]+)(?:,guid=[0-9a-f]+)?$/;

export function createDirectConnections(options: DirectOptions): DirectConnections {
  const known = new Map<string, Invoke | Promise<Invoke | null>>();
  const without = new LRUCache<string, true>({ max: MAX_WITHOUT });
  const sockets = new Set<Socket>();
  let closed = false;

  const open = async (name: string): Promise<Invoke | null> => {
    const socket = await openSocket(name, options).catch(() => null);
    if (socket === null || closed) {
      socket?.destroy();
      return null;
    }
    const bus = createClient({ stream: socket, direct: true, timeout: options.timeoutMs });
    const drop = (): void => {
      known.delete(name);
      sockets.delete(socket);
    };
    sockets.add(socket);
    bus.connection.on('error', drop);
    bus.connection.on('close', drop);
    const invoke = createInvoke(bus, true);
    try {
      // One that refuses this connection is called over the shared bus.
      await invoke({ bus: name, path: '/' }, 'org.freedesktop.DBus.Peer.Ping', { timeout: options.timeoutMs });
      return invoke;
    } catch {
      socket.destroy();
      return null;
    }
  };

  return {
    of: (name) => {
      const found = known.get(name);
      if (found !== undefined) return found;
      if (closed || !name.startsWith(':') || without.has(name) || known.size >= MAX_CONNECTIONS) return null;
      const opening = open(name).then((invoke) => {
        if (invoke === null) {
          known.delete(name);
          without.set(name, true);
        } else if (known.has(name)) known.set(name, invoke);
        return invoke;
      });
      known.set(name, opening);
      return opening;
    },
    close: async () => {
      closed = true;
      await Promise.all(known.values());
      known.clear();
      // An application that hangs would not answer a farewell.
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Connected to the application itself: by another one's bus it could pass that one's elements off as its own. */
async function openSocket(
  name: string,
  { addressOf, pidOf, peerOf, timeoutMs }: DirectOptions,
): Promise<Socket | null> {
  const [, path] = SOCKET_ADDRESS.exec(String(await addressOf(name))) ?? [];
  if (path === undefined) return null;
  const socket = connect({ path });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
    if (peerOf(socketFd(socket)).pid === (await pidOf(name))) return socket;
  } catch {
    // It is called over the shared bus.
  }
  socket.destroy();
  return null;
}
