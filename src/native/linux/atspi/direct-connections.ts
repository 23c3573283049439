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
  /**
   * For a call that may open a dialog. A connection stops answering for as long as a dialog stays open that a call over it has opened,
   * so acts have connections of their own, and an act gets one that answers. null as above.
   */
  forAct(name: string): Promise<Invoke | null>;
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
/** Dialogs that opened one another, each over another connection. */
const MAX_ACT_CONNECTIONS = 4;
/** One that has a dialog open does not answer; one of an application that is busy is left alone, too. */
const ACT_PING_MS = 50;
/** No other kind of address: some start a program. */
const SOCKET_ADDRESS = /^unix:path=(\/[^,;%]+)(?:,guid=[0-9a-f]+)?$/;

export function createDirectConnections(options: DirectOptions): DirectConnections {
  const known = new Map<string, Invoke | Promise<Invoke | null>>();
  const forActs = new Map<string, Set<Invoke>>();
  const without = new LRUCache<string, true>({ max: MAX_WITHOUT });
  const sockets = new Set<Socket>();
  let closed = false;

  const open = async (name: string, dropped: (invoke: Invoke) => void): Promise<Invoke | null> => {
    const socket = await openSocket(name, options).catch(() => null);
    if (socket === null || closed) {
      socket?.destroy();
      return null;
    }
    const bus = createClient({ stream: socket, direct: true, timeout: options.timeoutMs });
    const invoke = createInvoke(bus, true);
    const drop = (): void => {
      dropped(invoke);
      sockets.delete(socket);
    };
    sockets.add(socket);
    bus.connection.on('error', drop);
    bus.connection.on('close', drop);
    try {
      // One that refuses this connection is called over the shared bus.
      await ping(invoke, name, options.timeoutMs);
      return invoke;
    } catch {
      socket.destroy();
      return null;
    }
  };

  const openForAct = async (name: string, own: Set<Invoke>): Promise<Invoke | null> => {
    if (own.size >= MAX_ACT_CONNECTIONS) return null;
    const invoke = await open(name, (ended) => {
      own.delete(ended);
      if (own.size === 0) forActs.delete(name);
    });
    if (invoke === null) return null;
    own.add(invoke);
    forActs.set(name, own);
    return invoke;
  };

  return {
    forAct: async (name) => {
      if (closed || !known.has(name)) return null;
      const own = forActs.get(name) ?? new Set();
      for (const invoke of own) {
        const answers = await ping(invoke, name, ACT_PING_MS).then(
          () => true,
          () => false,
        );
        if (answers) return invoke;
      }
      return openForAct(name, own);
    },
    of: (name) => {
      const found = known.get(name);
      if (found !== undefined) return found;
      if (closed || !name.startsWith(':') || without.has(name) || known.size >= MAX_CONNECTIONS) return null;
      const opening = open(name, () => known.delete(name)).then((invoke) => {
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

const ping = (invoke: Invoke, name: string, timeout: number): Promise<unknown> =>
  invoke({ bus: name, path: '/' }, 'org.freedesktop.DBus.Peer.Ping', { timeout });

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
