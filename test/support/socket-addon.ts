/**
 * The service's addon with a Unix socket in the place of NSXPC: each frame is one message with a number of its own, answered by one
 * frame with that number. Who is at the other end is what the kernel says, as an audit token.
 */
import { connect, createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { loadPeerCredentials } from '../../src/native/peer/linux.js';
import type { NativeService, ServiceAddon, ServiceEvent, ServiceListenOptions } from '../../src/native/xpc/index.js';
import { socketFd } from '../../src/base/process-stat.js';
import { frameTransport } from '../../src/main/transport/frames.js';
import type { Transport } from '../../src/main/protocol/transport.js';

/** A message that is too large arrives, and is answered by the addon. */
const WIRE = { maxBody: 64 * 1024 * 1024 };

interface Wire {
  call: number;
  text: string;
}

/** Words five and one of the token are pid and effective user; the last tells runs of programs apart. */
export function auditToken(pid: number, uid: number, run = 1): Buffer {
  const token = Buffer.alloc(32);
  token.writeUInt32LE(uid, 4);
  token.writeUInt32LE(pid, 20);
  token.writeUInt32LE(run, 28);
  return token;
}

export interface SocketAddon extends ServiceAddon {
  /** What `listen` was given. */
  options: ServiceListenOptions | null;
  /** Replies after the first of a message, and replies to none. */
  refused: number;
  close(): Promise<void>;
}

export function createSocketAddon(path: string, { same = () => true }: { same?: () => boolean } = {}): SocketAddon {
  let stop = async (): Promise<void> => undefined;
  const addon: SocketAddon = {
    options: null,
    refused: 0,
    close: () => stop(),
    listen(options, onEvent) {
      addon.options = options;
      if (options.requirement === '!') throw Object.assign(new Error('no requirement'), { code: 'REQUIREMENT' });
      const opened = openService(path, options, onEvent, { same, refuse: () => (addon.refused += 1) });
      stop = opened.stop;
      return opened.service;
    },
    request(_service, text, timeoutMs, done) {
      void exchange(connect(path), text, timeoutMs).then(
        (answer) => done(null, answer),
        (error: Error) => done(error.message, null),
      );
    },
  };
  return addon;
}

function openService(
  path: string,
  options: ServiceListenOptions,
  onEvent: (event: ServiceEvent) => void,
  { same, refuse }: { same(): boolean; refuse(): void },
): { service: NativeService; stop(): Promise<void> } {
  const peers = new Map<number, { transport: Transport; calls: Set<number> }>();
  const replies = new Map<number, (text: string) => void>();
  const credentials = loadPeerCredentials();
  let last = 0;

  function reply(call: number, text: string): boolean {
    const send = replies.get(call);
    replies.delete(call);
    for (const { calls } of peers.values()) calls.delete(call);
    if (send === undefined) refuse();
    else send(text);
    return send !== undefined;
  }

  function drop(connection: number): void {
    const peer = peers.get(connection);
    if (peer === undefined) return;
    for (const call of [...peer.calls]) reply(call, failure(options.errors.closed));
    peers.delete(connection);
    peer.transport.close();
    onEvent({ kind: 'closed', connection });
  }

  function receive(connection: number, { call: own, text }: Wire): void {
    const peer = peers.get(connection);
    if (peer === undefined) return;
    const send = (answer: string) => void peer.transport.send({ call: own, text: answer }).catch(() => undefined);
    if (Buffer.byteLength(text) > options.maxBytes) return send(failure(options.errors.tooLarge));
    if (peer.calls.size >= options.maxCalls) return send(failure(options.errors.busy));
    const call = ++last;
    replies.set(call, send);
    peer.calls.add(call);
    onEvent({ kind: 'message', connection, call, text });
  }

  const server = createServer((socket: Socket) => {
    const { pid, uid, release } = credentials(socketFd(socket));
    release();
    const connection = ++last;
    const transport = frameTransport(socket, WIRE);
    peers.set(connection, { transport, calls: new Set() });
    onEvent({ kind: 'connected', connection, pid, uid, token: auditToken(pid, uid) });
    transport.onMessage((message) => receive(connection, message as Wire));
    transport.onClose(() => drop(connection));
  });
  server.listen(path);
  const service: NativeService = {
    reply,
    drop,
    isSame: (connection) => peers.has(connection) && same(),
    close() {
      for (const connection of [...peers.keys()]) drop(connection);
      server.close();
    },
  };
  return { service, stop: () => new Promise((resolve) => server.close(() => resolve())) };
}

const failure = (error: string) => `{"jsonrpc":"2.0","id":null,"error":${error}}`;

export interface Answer {
  jsonrpc: '2.0';
  id: unknown;
  result?: Record<string, unknown>;
  error?: { code: string; message: string; details: Record<string, unknown> };
}

/** A caller of the service on a stream that leads there. `closed` resolves when the service ends the connection. */
export function openCaller(stream: Duplex) {
  const transport = frameTransport(stream, WIRE);
  const waiting = new Map<number, (answer: Answer) => void>();
  const extra: Wire[] = [];
  let last = 0;
  transport.onMessage((message) => {
    const { call, text } = message as Wire;
    const done = waiting.get(call);
    waiting.delete(call);
    if (done === undefined) extra.push({ call, text });
    else done(JSON.parse(text) as Answer);
  });
  return {
    /** Replies that came twice. */
    extra,
    closed: new Promise<void>((resolve) => transport.onClose(() => resolve())),
    close: () => transport.close(),
    /** One message as its text is, and its one reply. */
    async message(text: string): Promise<Answer> {
      const call = ++last;
      const answer = new Promise<Answer>((resolve) => waiting.set(call, resolve));
      await transport.send({ call, text });
      return answer;
    },
  };
}

async function exchange(stream: Duplex, text: string, timeoutMs: number): Promise<string> {
  const caller = openCaller(stream);
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('timeout')), timeoutMs).unref());
  const gone = caller.closed.then(() => Promise.reject(new Error('invalid')));
  try {
    return JSON.stringify(await Promise.race([caller.message(text), late, gone]));
  } finally {
    caller.close();
  }
}
