/** The Mach service of the desktop bridge. Comes in: the addon. Goes out: one transport for each connection, each message with its own reply. Called by serve/. */
import type { NativeService, ServiceAddon, ServiceEvent } from '../../native/xpc/index.js';
import type { ProcessIdentity } from '../../native/peer/types.js';
import { message, type Message } from '../../messages/index.js';
import { WireError, type ErrorCode } from '../protocol/index.js';
import { MAX_BODY_BYTES } from '../protocol/framing.js';
import { readJson } from '../protocol/json.js';
import { rpcFailure } from '../protocol/jsonrpc.js';
import type { Reply, Transport } from '../protocol/transport.js';
import { UnsendableError, createCloseState, createInbox } from './frames.js';
import type { Listener } from './unix.js';

export interface XpcOptions {
  addon: ServiceAddon;
  service: string;
  /** What the code signature of callers must fulfil; null: nothing. */
  requirement: string | null;
  /** The process that an audit token names; `still` says whether it is that one yet. Throwing refuses the connection. */
  peerOf(token: Uint8Array, still: () => boolean): ProcessIdentity;
  onConnection(transport: Transport, peer: ProcessIdentity): void;
  onRefused?(reason: string): void;
  limits?: Partial<typeof LIMITS>;
}

/** `answerMs` is longer than any `meta.timeoutMs`. */
const LIMITS = {
  maxBytes: MAX_BODY_BYTES,
  maxConnections: 256,
  maxPerProcess: 64,
  maxCalls: 64,
  takeMs: 60_000,
  answerMs: 86_460_000,
};

/** Throws an error with the code `REQUIREMENT` where the requirement cannot be read. */
export function listenXpc(options: XpcOptions): Listener {
  const limits = { ...LIMITS, ...options.limits };
  const { addon, service, requirement } = options;
  const open = new Map<number, Connection>();
  const native = addon.listen({ service, requirement, ...limits, errors: errorTexts(limits) }, (event) =>
    handlers[event.kind](event),
  );

  function connected({ connection, pid, token }: Of<'connected'>): void {
    try {
      const peer = options.peerOf(token, () => native.isSame(connection));
      const why = refusal(peer, pid, [...open.values()], limits);
      if (why !== null) throw new Error(why);
      const made = createConnection(native, connection, peer.pid, limits.maxBytes);
      open.set(connection, made);
      made.transport.onClose(() => open.delete(connection));
      options.onConnection(made.transport, peer);
    } catch (error) {
      native.drop(connection);
      options.onRefused?.(error instanceof Error ? error.message : String(error));
    }
  }

  const handlers = {
    connected: (event: ServiceEvent) => event.kind === 'connected' && connected(event),
    message: (event: ServiceEvent) => event.kind === 'message' && open.get(event.connection)?.take(event),
    closed: ({ connection }: ServiceEvent) => open.get(connection)?.ended(),
  };

  return {
    async close() {
      for (const { transport } of [...open.values()]) transport.close('the host is closing');
      native.close();
    },
  };
}

type Of<K extends ServiceEvent['kind']> = Extract<ServiceEvent, { kind: K }>;

interface Connection {
  pid: number;
  transport: Transport;
  take(event: Of<'message'>): void;
  ended(): void;
}

function createConnection(native: NativeService, connection: number, pid: number, maxBytes: number): Connection {
  const inbox = createInbox();
  const closeState = createCloseState();

  function replyTo(call: number): Reply {
    return async (response) => {
      const text = JSON.stringify(response);
      if (text === undefined) throw new UnsendableError(message('framing.no_json'));
      const length = Buffer.byteLength(text);
      if (length > maxBytes) throw new UnsendableError(message('framing.message_too_large', { length, max: maxBytes }));
      if (!native.reply(call, text)) throw closeState.error();
    };
  }

  return {
    pid,
    take: ({ call, text }) => inbox.put(readJson(text), replyTo(call)),
    ended: () => void closeState.begin(null),
    transport: {
      // A service only answers.
      send: () => Promise.reject(new UnsendableError(message('framing.unasked'))),
      onMessage: inbox.listen,
      onClose: closeState.listen,
      close(reason) {
        if (closeState.begin(reason ?? null)) native.drop(connection);
      },
    },
  };
}

function refusal(
  peer: ProcessIdentity,
  pid: number,
  open: readonly Connection[],
  { maxConnections, maxPerProcess }: typeof LIMITS,
): string | null {
  const uid = process.getuid?.();
  if (peer.pid !== pid) return `process ${pid} is not the one its token names, ${peer.pid}`;
  if (uid !== undefined && peer.uid !== uid) return `process ${pid} belongs to another user (uid ${peer.uid})`;
  if (open.length >= maxConnections) return `there are already ${maxConnections} connections`;
  const own = open.filter((one) => one.pid === pid).length;
  return own >= maxPerProcess ? `process ${pid} already holds ${maxPerProcess} connections` : null;
}

/** What the addon answers without JavaScript. */
function errorTexts({ maxBytes, maxCalls }: typeof LIMITS) {
  const text = (code: ErrorCode, why: Message, reason: string): string => {
    const failure = rpcFailure(null, new WireError(code, why, { reason }));
    return JSON.stringify('error' in failure ? failure.error : null);
  };
  return {
    tooLarge: text('DESKTOP_INVALID_REQUEST', message('error.message_too_large', { max: maxBytes }), 'too_large'),
    unreadable: text('DESKTOP_INVALID_REQUEST', message('error.message_not_utf8'), 'unreadable_json'),
    busy: text('DESKTOP_HOST_NOT_READY', message('error.too_many_calls', { max: maxCalls }), 'too_many_calls'),
    unanswered: text('DESKTOP_HOST_NOT_READY', message('error.message_not_answered'), 'not_answered'),
    closed: text('DESKTOP_HOST_NOT_READY', message('error.connection_closed'), 'connection_closed'),
  };
}
