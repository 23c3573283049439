/**
 * One X connection. Comes in: a display name. Goes out: requests as promises, events, and notice when it is lost.
 * Called by every other file of this folder.
 */
import x11, {
  type XClient,
  type XDisplay,
  type XDone,
  type XEvent,
  type XExtensions,
  type XProtocolError,
  type XReply,
  type XScreen,
} from 'x11';
import { createEmitter } from '../../../base/emitter.js';
import { DesktopError } from '../../desktop.js';
import type { Cookie } from './auth.js';
import { message, verbatim, type Message } from '../../../messages/index.js';

export interface XConnection {
  readonly client: XClient;
  readonly display: XDisplay;
  readonly screen: XScreen;
  readonly root: number;
  /** Sends a request that has a reply. Rejects with the X error, or with `lost`. */
  query<T>(start: (reply: XReply<T>) => void): Promise<T>;
  /** Sends a request that has no reply; resolves once the server has carried it out. */
  send(start: (done: XDone) => void): Promise<void>;
  /** Resolves when the server has done everything sent before. */
  sync(): Promise<void>;
  atom(name: string): Promise<number>;
  atomName(atom: number): Promise<string>;
  /** null where the server lacks the extension. */
  extension<K extends keyof XExtensions>(name: K): Promise<XExtensions[K] | null>;
  onEvent(listener: (event: XEvent) => void): () => void;
  onLost(listener: (reason: Message) => void): () => void;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5000;
const DISCONNECT_TIMEOUT_MS = 1000;

/** Rejects with `lost` when the display does not answer, `permission` when it refuses us. */
export async function connectX(display: string, auth: Cookie, log: (message: string) => void): Promise<XConnection> {
  const { client, info } = await open(display, auth);
  const screen = screenOf(client, info, display);

  const pending = new Set<(error: Error) => void>();
  const lossEmitter = createEmitter<Message>();
  const events = createEmitter<XEvent>();
  const atoms = new Map<string, Promise<number>>();
  const names = new Map<number, Promise<string>>();
  const extensions = new Map<string, Promise<unknown>>();
  let lost: DesktopError | null = null;
  let closing = false;
  let resolveClosed: () => void = () => {};
  const closed = new Promise<void>((resolve) => (resolveClosed = resolve));

  const lose = (why: Message): void => {
    resolveClosed();
    if (lost !== null) return;
    lost = new DesktopError('lost', message('display.gone', { display, why }));
    for (const reject of pending) reject(lost);
    pending.clear();
    if (!closing) lossEmitter.emit(lost.text);
  };
  listenForLoss(client, lose, log);
  client.on('event', events.emit);

  const { sendSoon, confirmSoon } = sendTogether(client, () => lost === null && !closing);

  const request = <T>(start: (settle: (error: Error | null | undefined, value: T) => void) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      if (lost !== null) return reject(lost);
      pending.add(reject);
      try {
        start((error, value) => {
          pending.delete(reject);
          if (error) reject(error);
          else resolve(value);
        });
      } catch (error) {
        pending.delete(reject);
        reject(lost ?? error);
      }
    });
  const query = <T>(start: (reply: XReply<T>) => void): Promise<T> =>
    request<T>((settle) => {
      start((error, value) => {
        settle(error, value);
        return true;
      });
      sendSoon();
    });
  const send = (start: (done: XDone) => void): Promise<void> =>
    request<void>((settle) => {
      start((error) => {
        settle(error, undefined);
        return true;
      });
      confirmSoon();
    });
  return {
    client,
    display: info,
    screen,
    root: screen.root,
    query,
    send,
    sync: async () => void (await query<{ focus: number }>((reply) => client.GetInputFocus(reply))),
    atom: (name) => cached(atoms, name, () => query((reply) => client.InternAtom(false, name, reply))),
    atomName: (atom) => cached(names, atom, () => query((reply) => client.GetAtomName(atom, reply))),
    extension: <K extends keyof XExtensions>(name: K) =>
      cached(extensions, name, () =>
        request<XExtensions[K] | null>((settle) =>
          client.require(name, (error, ext) => settle(null, error ? null : ext)),
        ),
      ) as Promise<XExtensions[K] | null>,
    onEvent: events.on,
    onLost: lossEmitter.on,
    close: async () => {
      closing = true;
      if (lost !== null) return;
      client.terminate();
      // A server that is stopped never confirms the end.
      const force = setTimeout(() => client.stream.destroy(), DISCONNECT_TIMEOUT_MS);
      await closed;
      clearTimeout(force);
    },
  };
}

/**
 * Requests of the same moment leave in one write, before anything else is heard: each write wakes the server. `confirmSoon` is for a
 * request without a reply: it is known to be done once the reply to a later one is there.
 */
function sendTogether(client: XClient, isOpen: () => boolean): { sendSoon(): void; confirmSoon(): void } {
  let scheduled = false;
  let unconfirmed = false;
  const flush = (): void => {
    scheduled = false;
    if (!isOpen()) return;
    if (unconfirmed) client.GetInputFocus(() => true);
    unconfirmed = false;
    client.pack_stream.flush();
  };
  const schedule = (): void => {
    if (!scheduled) process.nextTick(flush);
    scheduled = true;
  };
  return {
    sendSoon() {
      unconfirmed = false;
      schedule();
    },
    confirmSoon() {
      unconfirmed = true;
      schedule();
    },
  };
}

function screenOf(client: XClient, info: XDisplay, display: string): XScreen {
  const screen = info.screen[Number(/\.(\d+)$/.exec(display)?.[1] ?? 0)];
  if (screen !== undefined) return screen;
  client.terminate();
  throw new DesktopError('unsupported', message('native.no_such_screen', { display }));
}

function listenForLoss(client: XClient, lose: (why: Message) => void, log: (message: string) => void): void {
  client.on('end', () => lose(message('display.server_closed')));
  client.stream.on('close', () => lose(message('display.connection_ended')));
  client.on('error', (error: XProtocolError) => {
    if (error.error === undefined) lose(verbatim(error.message));
    else log(`X error ${error.message} (request ${error.majorOpcode ?? '?'})`);
  });
}

function cached<K, V>(map: Map<K, Promise<V>>, key: K, make: () => Promise<V>): Promise<V> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  made.catch(() => map.delete(key));
  return made;
}

function open(display: string, auth: Cookie): Promise<{ client: XClient; info: XDisplay }> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      clearTimeout(timer);
      // A server that refuses closes the connection, often before its reason has been read.
      const refused = /authori[sz]ation|protocol specified|EPIPE|ECONNRESET|before setup/i.test(error.message);
      reject(
        new DesktopError(
          refused ? 'permission' : 'lost',
          message('display.cannot_open', { display, why: error.message.trim() }),
        ),
      );
    };
    const timer = setTimeout(() => {
      client.stream?.destroy();
      fail(new Error('it did not answer'));
    }, CONNECT_TIMEOUT_MS);
    const client = x11.createClient({ display, auth, bufferRequests: { flushOnReply: false } }, (error, info) => {
      if (error) return fail(error);
      clearTimeout(timer);
      // The library keeps one table of atoms for all connections, but atom numbers differ between servers.
      client.atoms = Object.create(null);
      client.atom_names = Object.create(null);
      client.removeListener('error', fail);
      resolve({ client, info });
    });
    client.on('error', fail);
  });
}
