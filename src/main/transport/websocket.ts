/** The WebSocket of the pages. Comes in: upgrades that http has accepted. Goes out: one transport for each page. Called by host/, which decides roles and raises limits. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { message } from '../../messages/index.js';
import { readJson } from '../protocol/json.js';
import { Unreadable, type Transport } from '../protocol/transport.js';
import { createCloseState, createInbox } from './frames.js';
import { refuseUpgrade, type UpgradeInfo } from './http.js';

export interface PageTransport extends Transport {
  /** Sends an already serialised message, for the same message to many pages. */
  sendText(text: string): Promise<void>;
  /** Largest message read from now on, bytes; at most {@link WebSocketOptions.maxMessage}. */
  setLimit(bytes: number): void;
}

export interface WebSocketOptions {
  /** Default `/ws`; everything else is refused. */
  path?: string;
  /** Called before the page can send. False, or an error, refuses it. */
  admit?(info: UpgradeInfo): boolean | Promise<boolean>;
  onPage(page: PageTransport, info: UpgradeInfo): void;
  maxPages?: number;
  /** Bytes a page may send in one message before its limit is raised. */
  firstMessage?: number;
  /** Bytes no page may exceed. */
  maxMessage?: number;
  /** Bytes held for a page that does not read. */
  maxQueued?: number;
  /** Milliseconds between pings; a page that has not answered the last one is gone. */
  pingMs?: number;
  /** Runs this every so many milliseconds, until the result is called; tests decide when. */
  repeat?: Repeat;
}

type Repeat = (run: () => void, everyMs: number) => () => void;

const DEFAULTS = {
  path: '/ws',
  maxPages: 256,
  firstMessage: 64 * 1024,
  maxMessage: 20 * 1024 * 1024,
  maxQueued: 32 * 1024 * 1024,
  pingMs: 20_000,
  repeat,
};

/** WebSocket close codes. */
const GOING_AWAY = 1001;
const TOO_BIG = 1009;
const TRY_LATER = 1013;

export function attachWebSocket(given: WebSocketOptions) {
  const options = { ...DEFAULTS, ...given };
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: options.maxMessage,
    perMessageDeflate: false,
    clientTracking: false,
  });
  const pages = new Set<PageTransport>();
  /** Upgrades that are not admitted yet, oldest first. */
  const waiting = new Set<Duplex>();
  let closed = false;

  function fullOrClosed(): Refusal | null {
    if (closed) return { status: 503, text: 'The host is closing.' };
    return pages.size < options.maxPages ? null : { status: 503, text: `There are already ${options.maxPages} pages.` };
  }

  async function admission(request: IncomingMessage, info: UpgradeInfo): Promise<Refusal | null> {
    if (request.url?.split('?')[0] !== options.path) return { status: 404, text: 'No WebSocket here.' };
    const fault = fullOrClosed();
    if (fault !== null || options.admit === undefined) return fault;
    const admitted = await Promise.resolve(options.admit(info));
    return admitted ? fullOrClosed() : { status: 403, text: 'Forbidden.' };
  }

  function dropOldestUpgrade(): void {
    const [oldest] = waiting;
    if (oldest === undefined || waiting.size < options.maxPages) return;
    waiting.delete(oldest);
    oldest.destroy();
  }

  function open(request: IncomingMessage, socket: Duplex, head: Buffer, info: UpgradeInfo): void {
    server.handleUpgrade(request, socket, head, (web) => {
      const page = createPage(web, socket, options);
      pages.add(page);
      page.onClose(() => pages.delete(page));
      options.onPage(page, info);
    });
  }

  return {
    onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, info: UpgradeInfo): void {
      const abandoned = (): void => void waiting.delete(socket);
      socket.on('error', abandoned).once('close', abandoned);
      dropOldestUpgrade();
      waiting.add(socket);
      void admission(request, info)
        .catch((): Refusal => ({ status: 403, text: 'Forbidden.' }))
        .then((fault) => {
          if (!waiting.delete(socket)) return;
          socket.off('error', abandoned);
          if (fault === null) open(request, socket, head, info);
          else refuseUpgrade(socket, fault);
        });
    },
    close(): void {
      closed = true;
      for (const page of [...pages]) page.close('the host is closing');
    },
  };
}

interface Refusal {
  status: number;
  text: string;
}

function createPage(web: WebSocket, socket: Duplex, limits: typeof DEFAULTS): PageTransport {
  const inbox = createInbox();
  const closeState = createCloseState();
  const meter = createMeter(socket, limits.firstMessage, () => end('a message is over the size limit', TOO_BIG));
  const stopPings = keepAlive(web, limits, () => end('the page does not answer', TRY_LATER));

  function end(reason: string | null, code: number = GOING_AWAY): void {
    if (!closeState.begin(reason)) return;
    stopPings();
    meter.stop();
    web.close(code, closeReason(reason ?? ''));
    const timer = setTimeout(() => web.terminate(), 1_000);
    web.once('close', () => clearTimeout(timer));
  }

  function sendText(text: string): Promise<void> {
    if (closeState.begun()) return Promise.reject(closeState.error());
    const queued = web.bufferedAmount;
    if (queued > 0 && queued + text.length > limits.maxQueued) {
      end('the page reads too slowly', TRY_LATER);
      return Promise.reject(closeState.error());
    }
    return new Promise((resolve, reject) =>
      web.send(text, (error) => (error ? reject(closeState.begun() ? closeState.error() : error) : resolve())),
    );
  }

  web.on('message', (data, isBinary) => {
    if (closeState.begun()) return;
    const bytes = asBuffer(data);
    if (!meter.fits(bytes.length)) return end('a message is over the size limit', TOO_BIG);
    inbox.put(isBinary ? new Unreadable(message('framing.binary')) : readJson(bytes.toString()));
  });
  web.on('error', (error) => end(error.message));
  web.on('close', (code) =>
    end(code === 1000 || code === GOING_AWAY || code === 1005 ? null : `the page's connection ended (${code})`),
  );

  return {
    async send(message, onWritten) {
      await sendText(serialise(message));
      onWritten?.();
    },
    sendText,
    onMessage: inbox.listen,
    onClose: closeState.listen,
    close: (reason) => end(reason ?? null),
    setLimit: (bytes) => meter.limit(Math.min(bytes, limits.maxMessage)),
  };
}

/** Counts received bytes since the last complete message, because `ws` has one size limit for all pages. */
function createMeter(socket: Duplex, first: number, exceeded: () => void) {
  const slack = 64 * 1024;
  let limit = first;
  let received = 0;
  const count = (chunk: Uint8Array): void => {
    received += chunk.length;
    if (received > limit + slack) exceeded();
  };
  socket.on('data', count);
  return {
    limit(bytes: number): void {
      limit = bytes;
    },
    /** Called with each whole message. */
    fits(bytes: number): boolean {
      received = 0;
      return bytes <= limit;
    },
    stop(): void {
      socket.off('data', count);
    },
  };
}

function repeat(run: () => void, everyMs: number): () => void {
  const timer = setInterval(run, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

function keepAlive(web: WebSocket, { pingMs, repeat: every }: typeof DEFAULTS, dead: () => void): () => void {
  let answered = true;
  web.on('pong', () => {
    answered = true;
  });
  return every(() => {
    if (!answered) return dead();
    answered = false;
    web.ping();
  }, pingMs);
}

/** Close reasons have at most 123 bytes. */
function closeReason(text: string): string {
  return Buffer.from(text)
    .subarray(0, 120)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
}

function serialise(message: unknown): string {
  const text = JSON.stringify(message);
  if (text === undefined) throw new Error('the message is no JSON value');
  return text;
}

function asBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
