/** A host made for page tests: serves the built page under the real headers, checks real signatures, and says what a test tells it to. */
import { createPublicKey, randomUUID, verify, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { createAssets } from '../../src/main/serve/page/index.js';
import {
  fromPageSchema,
  signedText,
  type AnswerTo,
  type FromPage,
  type QuestionType,
  type ToPage,
} from '../../src/main/protocol/index.js';
import { verbatim } from '../../src/messages/index.js';

type Connected = Extract<ToPage, { type: 'connected' }>;
export type Shown = Omit<Connected, 'type' | 'role' | 'nonce'>;
type Sent<T extends FromPage['type']> = Extract<FromPage, { type: T }>;

export interface PageHost {
  url: string;
  port: number;
  /** What a paired page is greeted with; a test may change it between connections. */
  shown: Shown;
  received: FromPage[];
  /** What questions are answered with; a text refuses; one that is not here is never answered. */
  answers: { [T in QuestionType]?: (question: Sent<T>) => Omit<AnswerTo<T>, 'type' | 'request'> | string };
  /** A single-use pairing link. */
  pairingLink(): string;
  say(message: ToPage): void;
  /** The next message of that type that no earlier call has returned. */
  next<T extends FromPage['type']>(type: T): Promise<Sent<T>>;
  /** Drops every page and takes no new one. */
  goAway(): void;
  comeBack(): void;
  forgetPairings(): void;
  connections(): number;
  close(): Promise<void>;
}

interface Peer {
  socket: WebSocket;
  nonce: string;
  paired: boolean;
}

export const NOTHING: Shown = {
  history: [],
  pendingAckId: null,
  pendingAckIds: [],
  approvals: [],
  activity: [],
  grants: [],
  policy: null,
  health: null,
  status: { state: 'watching', paused: null, agents: [], recordVerified: true },
  cursor: 0,
};

export async function startPageHost(dir: string, shown: Partial<Shown> = {}): Promise<PageHost> {
  const peers = new Set<Peer>();
  const codes = new Set<string>();
  const keys = new Map<string, KeyObject>();
  const waiting: { type: string; give(message: FromPage): void }[] = [];
  const unread: FromPage[] = [];
  let away = false;

  const server = createServer(createAssets(dir));
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const allowed = !away && request.headers.origin === `http://${request.headers.host}`;
    if (allowed) sockets.handleUpgrade(request, socket, head, (one) => accept(one, request.headers.host ?? ''));
    else socket.destroy();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;

  const host: PageHost = {
    url: `http://localhost:${port}/`,
    port,
    shown: { ...NOTHING, ...shown },
    received: [],
    answers: {},
    pairingLink: () => {
      const code = randomUUID();
      codes.add(code);
      return `http://localhost:${port}/#pair=${code}`;
    },
    say: (message) => {
      for (const peer of peers) if (peer.paired || isChat(message)) send(peer, message);
    },
    next: (type) => nextOf(type),
    goAway: () => {
      away = true;
      for (const peer of peers) peer.socket.terminate();
    },
    comeBack: () => {
      away = false;
    },
    forgetPairings: () => keys.clear(),
    connections: () => peers.size,
    close: async () => {
      host.goAway();
      sockets.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return host;

  function accept(socket: WebSocket, address: string): void {
    const peer: Peer = { socket, nonce: randomUUID(), paired: false };
    peers.add(peer);
    socket.on('close', () => peers.delete(peer));
    socket.on('message', (data) => receive(peer, address, fromPageSchema.parse(JSON.parse(String(data)))));
    greet(peer);
  }

  function greet(peer: Peer): void {
    const { history, pendingAckId, pendingAckIds, cursor, status, command } = host.shown;
    const chat = { history, pendingAckId, pendingAckIds, cursor, ...(command === undefined ? {} : { command }) };
    const chatOnly = { ...NOTHING, ...chat, status: { ...status, agents: [] } };
    const role = peer.paired ? 'paired' : 'unpaired';
    send(peer, { type: 'connected', ...(peer.paired ? host.shown : chatOnly), role, nonce: peer.nonce });
  }

  function receive(peer: Peer, address: string, message: FromPage): void {
    host.received.push(message);
    const index = waiting.findIndex((one) => one.type === message.type);
    if (index === -1) unread.push(message);
    else waiting.splice(index, 1)[0]?.give(message);
    if (message.type === 'pair') pair(peer, message);
    if (message.type === 'authenticate') authenticate(peer, address, message);
    if (message.type === 'resume') greet(peer);
    if ('request' in message) reply(peer, message);
  }

  function reply(peer: Peer, question: Extract<FromPage, { request: string }>): void {
    const { type, request } = question;
    // Each answers its own type of question; together their parameter is none.
    const answer: ((question: never) => object | string) | undefined = host.answers[type];
    const found = answer?.(question as never);
    if (typeof found === 'string')
      send(peer, { type: 'error', code: 'refused', message: verbatim(found), about: request });
    else if (found !== undefined) peer.socket.send(JSON.stringify({ type, request, ...found }));
  }

  function pair(peer: Peer, { code, publicKey }: Sent<'pair'>): void {
    if (!codes.delete(code))
      return send(peer, { type: 'error', code: 'bad_code', message: verbatim('This link was used already.') });
    const keyId = randomUUID();
    keys.set(keyId, createPublicKey({ key: publicKey, format: 'jwk' }));
    peer.paired = true;
    peer.nonce = randomUUID();
    send(peer, { type: 'paired', keyId });
    greet(peer);
  }

  function authenticate(peer: Peer, address: string, { keyId, signature }: Sent<'authenticate'>): void {
    const text = Buffer.from(signedText(`http://${address}`, address, peer.nonce));
    const key = keys.get(keyId);
    peer.nonce = randomUUID();
    const good =
      key !== undefined &&
      verify('sha256', text, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
    if (!good)
      return send(peer, { type: 'error', code: 'not_paired', message: verbatim('This page is not paired any more.') });
    peer.paired = true;
    greet(peer);
  }

  function nextOf<T extends FromPage['type']>(type: T): Promise<Sent<T>> {
    const is = (message: FromPage): message is Sent<T> => message.type === type;
    const index = unread.findIndex(is);
    const found = index === -1 ? undefined : unread.splice(index, 1)[0];
    if (found !== undefined && is(found)) return Promise.resolve(found);
    return new Promise((resolve) => waiting.push({ type, give: (message) => is(message) && resolve(message) }));
  }
}

function isChat(message: ToPage): boolean {
  return ['agentMessage', 'userMessage', 'given', 'delivered', 'withdrawn', 'error'].includes(message.type);
}

function send(peer: Peer, message: ToPage): void {
  peer.socket.send(JSON.stringify(message));
}
