/** Method calls over one connection. Called by bus.ts. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type MessageBus, createClient } from 'dbus-native';
import { LRUCache } from 'lru-cache';
import { errno } from '../../../base/type-guards.js';
import { DesktopError } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import { socketFd } from '../../../base/process-stat.js';
import { withTimeout } from '../../../base/poll.js';

/** One listener for each signal, however many calls wait with it: a signal searches all its listeners whenever one is added. */
interface AbortListeners {
  /** Calls `onAbort` when the signal is aborted, until the returned function is called. */
  add(signal: AbortSignal, onAbort: () => void): () => void;
}

interface Waiting {
  listeners: Set<() => void>;
  callAll(): void;
}

export function createAbortListeners(): AbortListeners {
  const bySignal = new WeakMap<AbortSignal, Waiting>();

  function waitingWith(signal: AbortSignal): Waiting {
    const known = bySignal.get(signal);
    if (known !== undefined) return known;
    const listeners = new Set<() => void>();
    const waiting = { listeners, callAll: () => [...listeners].forEach((listener) => listener()) };
    bySignal.set(signal, waiting);
    signal.addEventListener('abort', waiting.callAll, { once: true });
    return waiting;
  }

  return {
    add(signal, onAbort) {
      const { listeners, callAll } = waitingWith(signal);
      listeners.add(onAbort);
      return () => {
        listeners.delete(onAbort);
        if (listeners.size > 0) return;
        // Node keeps a signal that was made of others for as long as somebody listens to it.
        signal.removeEventListener('abort', callAll);
        bySignal.delete(signal);
      };
    },
  };
}

/** An accessible object: the bus name of its application and its path there. */
export interface Ref {
  bus: string;
  path: string;
}

export interface CallOptions {
  signature?: string;
  body?: unknown[];
  /** Milliseconds; {@link CALL_TIMEOUT_MS} when left out. */
  timeout?: number;
  signal?: AbortSignal;
}

export type Invoke = (ref: Ref, member: string, options?: CallOptions) => Promise<unknown[]>;

export const CALL_TIMEOUT_MS = 2000;

/** `isDirect`: the connection is to the application itself, so where it ends the application has gone. */
export function createInvoke(bus: MessageBus, isDirect = false): Invoke {
  const aborts = createAbortListeners();
  return async (ref, member, { signature, body = [], timeout = CALL_TIMEOUT_MS, signal } = {}) => {
    signal?.throwIfAborted();
    const dot = member.lastIndexOf('.');
    const call = {
      ...(isDirect ? {} : { destination: ref.bus }),
      path: ref.path,
      interface: member.slice(0, dot),
      member: member.slice(dot + 1),
      ...(signature === undefined ? {} : { signature, body }),
    };
    return new Promise((resolve, reject) => {
      const stop = signal === undefined ? null : aborts.add(signal, () => reject(signal.reason));
      bus.invoke(call, { timeout }, (error: unknown, ...values: unknown[]) => {
        stop?.();
        if (error === null || error === undefined) return resolve(values);
        reject(isDirect && errno(error) === 'ECONNCLOSED' ? gone(ref, member) : translate(error, ref, member));
      });
    });
  };
}

const GONE_ERRORS = new Set(['ServiceUnknown', 'NameHasNoOwner', 'UnknownObject', 'Disconnected']);

const gone = ({ bus, path }: Ref, member: string): DesktopError =>
  new DesktopError('stale', message('native.element_or_app_gone'), { bus, path, member });

function translate(error: unknown, ref: Ref, member: string): DesktopError {
  const text = error instanceof Error ? error.message : String(error);
  const named = error instanceof Error && 'dbusName' in error ? String(error.dbusName) : '';
  const short = named.slice(named.lastIndexOf('.') + 1);
  const timedOut = errno(error) === 'ETIMEDOUT';
  const details = { bus: ref.bus, path: ref.path, member, error: named };
  if (timedOut) {
    return new DesktopError('not_responding', message('native.app_silent'), details);
  }
  if (short === 'NoReply' || GONE_ERRORS.has(short)) {
    return new DesktopError('stale', message('native.element_or_app_gone'), details);
  }
  if (short.startsWith('Unknown') || short === 'NotSupported' || short === 'InvalidArgs') {
    return new DesktopError('unsupported', message('native.element_cannot', { why: text }), details);
  }
  return new DesktopError('failed', message('native.app_refused', { why: text }), details);
}

// Connections to the buses of applications themselves, which GTK 3 and Chromium offer: over the shared bus each call and each reply
// goes through one more process. Events come over the shared bus only.

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

// Applications that owe an answer. An application goes on with a question after nobody waits for it any more, and further questions
// only make it work longer, so it is asked nothing before it has answered a small one that was sent after the last that it owes.
//

/** A question waits this long for an application that has just become late, as an office program is while it draws a chart; later ones are refused at once. */
const PATIENCE_MS = 3000;
const PROBE_TIMEOUT_MS = 600_000;
const PROBE = 'org.a11y.atspi.Accessible.GetRole';

interface Silence {
  since: number;
  ended: Promise<true>;
}

export class SilentApplications {
  private readonly silent = new Map<string, Silence>();

  constructor(
    private readonly rootOf: (bus: string) => Ref,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** Sends the question, or rejects with `not_responding` without sending it. */
  async ask(invoke: Invoke, ...[ref, member, options = {}]: Parameters<Invoke>): Promise<unknown[]> {
    await this.waitFor(ref, options);
    try {
      return await invoke(ref, member, options);
    } catch (error) {
      const late = error instanceof DesktopError && error.code === 'not_responding';
      if (late || options.signal?.aborted === true) this.note(invoke, ref.bus);
      throw error;
    }
  }

  /** The same for what is to be done. It can take as long as a dialog is open, so its time says nothing. */
  async act(invoke: Invoke, ...[ref, member, options = {}]: Parameters<Invoke>): Promise<unknown[]> {
    await this.waitFor(ref, options);
    return invoke(ref, member, options);
  }

  isSilent(bus: string): boolean {
    return this.silent.has(bus);
  }

  /** The bus has ended: another one gives the same names to other applications. */
  forgetAll(): void {
    this.silent.clear();
  }

  private async waitFor({ bus }: Ref, { timeout = CALL_TIMEOUT_MS, signal }: CallOptions): Promise<void> {
    const silence = this.silent.get(bus);
    if (silence === undefined) return;
    const left = Math.min(timeout, silence.since + PATIENCE_MS - this.clock());
    const answered = left > 0 && (await withTimeout(silence.ended, left, signal)) !== null;
    signal?.throwIfAborted();
    if (!answered) throw new DesktopError('not_responding', message('native.app_silent'), { reason: 'owes_an_answer' });
  }

  private note(invoke: Invoke, bus: string): void {
    // Others are no applications.
    if (this.silent.has(bus) || !bus.startsWith(':')) return;
    const probe = invoke(this.rootOf(bus), PROBE, { timeout: PROBE_TIMEOUT_MS });
    const silence: Silence = {
      since: this.clock(),
      ended: probe.then(
        (): true => true,
        (): true => true,
      ),
    };
    this.silent.set(bus, silence);
    void silence.ended.then(() => {
      if (this.silent.get(bus) === silence) this.silent.delete(bus);
    });
  }
}

// Most of what a reading asks for was asked for by the last reading of the same kind, in the same order, each after the answer to the
// one before. So that list is sent at once when a reading begins, and each of its requests takes the answer to that. Nothing is kept
// from one reading to the next but what was asked.

export interface ReadAhead {
  /** Sends what was not sent ahead. */
  invoke: Invoke;
  /**
   * `names`: of what is read, from the exact one to the most general; the first that is known counts. Calls belong to the reading by
   * `signal`, which no other reading has. One within another, once it is known what is read: what is new in its list is sent, too.
   */
  reading<T>(names: readonly string[], signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

type Send = (signal: AbortSignal) => Promise<unknown[]>;

interface Reading {
  /** By request; only the first of its kind in this reading, since a later one may be there to see a change. */
  asked: Map<string, Send>;
  ahead: Map<string, Promise<unknown[]>>;
}

const MAX_READINGS = 64;
/** A longer list is of a large tree, most of which is asked for in parallel anyway. */
const MAX_REQUESTS = 400;
/** After a longer reading its requests were given little time, too little for the next one. */
const MAX_READING_MS = 500;
/** No request that changes anything, in an application or in the answer to the next request, is ever sent ahead. */
const READS = /^org\.(?:a11y\.atspi\.\w+|freedesktop\.DBus\.Properties)\.Get\w*$/;

export function createReadAhead(send: Invoke): ReadAhead {
  const open = new WeakMap<AbortSignal, Reading>();
  const lists = new LRUCache<string, ReadonlyMap<string, Send>>({ max: MAX_READINGS });

  const sendAhead = (names: readonly string[], signal: AbortSignal, { asked, ahead }: Reading): void => {
    const known = names.map((name) => lists.get(name)).find((list) => list !== undefined) ?? new Map<string, Send>();
    for (const [request, ask] of known) {
      if (asked.has(request) || ahead.has(request)) continue;
      const answer = ask(signal);
      answer.catch(() => {});
      ahead.set(request, answer);
    }
  };

  return {
    invoke: (ref, member, options = {}) => {
      const reading = options.signal === undefined ? undefined : open.get(options.signal);
      if (reading === undefined || !READS.test(member)) return send(ref, member, options);
      const request = requestOf(ref, member, options);
      if (!reading.asked.has(request))
        reading.asked.set(request, (signal) => send(ref, member, { ...options, signal }));
      const answer = reading.ahead.get(request);
      reading.ahead.delete(request);
      return answer ?? send(ref, member, options);
    },
    reading: async (names, signal, work) => {
      const outer = open.get(signal);
      const own: Reading = outer ?? { asked: new Map(), ahead: new Map() };
      sendAhead(names, signal, own);
      const began = performance.now();
      open.set(signal, own);
      let list: Reading['asked'] | undefined;
      try {
        const found = await work();
        if (own.asked.size <= MAX_REQUESTS && performance.now() - began <= MAX_READING_MS) list = own.asked;
        return found;
      } finally {
        if (outer === undefined) open.delete(signal);
        for (const name of names) lists.set(name, list);
      }
    },
  };
}

const requestOf = ({ bus, path }: Ref, member: string, { body = [] }: CallOptions): string =>
  `${bus}${path} ${member} ${JSON.stringify(body)}`;
