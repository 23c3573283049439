/** One connection to an application: hello with the token first, then requests with a deadline each, and its events. */
import { randomUUID } from 'node:crypto';
import { createEmitter } from '../../base/emitter.js';
import { message, MessageError, type Message } from '../../messages/index.js';
import { readFromApp, readWelcome, requestToApp, type AppOutcome, type Welcome } from '../protocol/gabp.js';
import { Refused } from '../protocol/json.js';
import { UnsendableError, type FramedTransport } from '../transport/frames.js';

/** Messages a second, over some time; a burst may have as many at once. */
const PER_SECOND = 500;
const BURST = 2_000;

/** False once more is received than can be read without holding everything else up. */
export function createRateLimit(nowMs: () => number): () => boolean {
  let left = BURST;
  let at = nowMs();
  return () => {
    const now = nowMs();
    left = Math.min(BURST, left + ((now - at) / 1000) * PER_SECOND) - 1;
    at = now;
    return left >= 0;
  };
}

/** Known applications number the same refusals in two ways. */
const MEANINGS = new Map<number, 'no_session' | 'no_tool' | 'no_method'>([
  ...[-32100, -32101, -32102, -31000, -31001].map((code) => [code, 'no_session'] as const),
  ...[-32400, -31002].map((code) => [code, 'no_tool'] as const),
  [-32601, 'no_method'],
]);

/** Why a request has no result. */
export class RequestFailed extends MessageError {
  constructor(
    /**
     * `refused`: the application answered with an error. `unknown`: it may or may not have been done. `not_sent`: it was not done.
     * `too_large`: not sent either, because the application takes no such request. `contradiction`: it answered with a result and an error.
     */
    readonly reason: 'refused' | 'unknown' | 'not_sent' | 'too_large' | 'contradiction',
    text: Message,
    /** The application's own, of an error. */
    readonly code: number | null = null,
  ) {
    super(text);
    this.name = 'RequestFailed';
  }

  /** What its code says, where it says why nothing was done. */
  get meaning() {
    return this.code === null ? undefined : MEANINGS.get(this.code);
  }
}

export interface AppEvent {
  channel: string;
  seq: number | null;
  payload: unknown;
}

export interface AppConnection {
  readonly welcome: Welcome;
  /** Rejects with {@link RequestFailed}, or with the signal's reason; the application is not told of an abort. */
  request(method: string, params: Record<string, unknown>, limit: RequestLimit): Promise<unknown>;
  onEvent(listener: (event: AppEvent) => void): () => void;
  /** Resolves with the reason; null for a clean end. */
  readonly closed: Promise<string | null>;
  close(reason?: string): void;
}

interface RequestLimit {
  timeoutMs: number;
  /** How far the application's own time limit may lengthen it; absent: not at all. It shortens it in any case. */
  longestMs?: number;
  signal: AbortSignal;
}

type AppLimits = Welcome['capabilities']['limits'];

interface ConnectionOptions {
  token: string;
  launchId: string;
  version: string;
  signal: AbortSignal;
}

const HELLO_MS = 10_000;
const MAX_PENDING = 32;
/** An application that ends a call by its own limit still says so. */
const ANSWER_MARGIN_MS = 2_000;
/** Messages of no use, after which the connection is closed. */
const MAX_INVALID = 100;
const PLATFORMS = new Map<string, string>([
  ['win32', 'windows'],
  ['darwin', 'macos'],
]);

/** Closes the transport where the application does not answer the hello as it should. */
export async function openAppConnection(transport: FramedTransport, options: ConnectionOptions) {
  const requests = createRequests(transport);
  try {
    const params = {
      token: options.token,
      bridgeVersion: options.version,
      platform: PLATFORMS.get(process.platform) ?? 'linux',
      launchId: options.launchId,
      clientInfo: { name: 'chaperone', version: options.version },
    };
    const limit = { timeoutMs: HELLO_MS, signal: options.signal };
    const welcome = readWelcome(await requests.request('session/hello', params, limit));
    if (welcome === null) throw new MessageError(message('apps.no_welcome'));
    transport.accept();
    requests.honour(welcome.capabilities.limits);
    const connection: AppConnection = { ...requests, welcome };
    return connection;
  } catch (thrown) {
    transport.close('no session');
    throw thrown;
  }
}

interface Pending {
  answer(outcome: AppOutcome): void;
  fail(error: Error): void;
}

function createRequests(transport: FramedTransport) {
  const pending = new Map<string, Pending>();
  const events = createEmitter<AppEvent>();
  const withinRate = createRateLimit(() => performance.now());
  let most = 1;
  let theirTimeoutMs: number | null = null;
  let invalid = 0;
  let ended: string | null | undefined;

  const closed = new Promise<string | null>((resolve) => {
    transport.onClose((reason) => {
      ended = reason;
      for (const one of [...pending.values()]) one.fail(new RequestFailed('unknown', message('apps.lost')));
      resolve(reason);
    });
  });

  transport.onMessage((given) => {
    if (!withinRate()) return transport.close('it sends more than can be read');
    if (given instanceof Refused) {
      const asked = pending.get(String(given.id));
      if (asked !== undefined) return asked.fail(new RequestFailed('unknown', given.error.text));
    }
    const read = readFromApp(given);
    if (read.kind === 'event') return events.emit({ channel: read.channel, seq: read.seq, payload: read.payload });
    const request = read.kind === 'response' ? pending.get(read.id) : undefined;
    if (read.kind === 'response' && request !== undefined) return request.answer(read.outcome);
    // An answer that came too late is no fault, but there cannot be many of them.
    if (++invalid > MAX_INVALID) transport.close('it sends messages that mean nothing');
  });

  async function request(method: string, params: Record<string, unknown>, limit: RequestLimit) {
    const { signal } = limit;
    const timeoutMs = timeoutOf(limit, theirTimeoutMs);
    signal.throwIfAborted();
    if (ended !== undefined) throw new RequestFailed('not_sent', message('apps.lost'));
    if (pending.size >= most) throw new RequestFailed('not_sent', message('apps.busy', { most }));
    const id = randomUUID();
    const outcome = new Promise<AppOutcome>((answer, fail) => pending.set(id, { answer, fail }));
    const fail = (error: Error): void => pending.get(id)?.fail(error);
    const abort = (): void => fail(asError(signal.reason));
    const timer = setTimeout(() => fail(new RequestFailed('unknown', noAnswer(timeoutMs))), timeoutMs);
    signal.addEventListener('abort', abort, { once: true });
    transport.send(requestToApp(id, method, params)).catch((thrown: unknown) => fail(notSent(thrown)));
    try {
      return resultOf(await outcome);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      pending.delete(id);
    }
  }

  return {
    request,
    onEvent: events.on,
    closed,
    close: (reason?: string) => transport.close(reason),
    honour({ maxConcurrentRequests = MAX_PENDING, maxMessageSize, requestTimeout }: AppLimits): void {
      most = Math.min(MAX_PENDING, maxConcurrentRequests);
      if (maxMessageSize !== undefined) transport.setMaxSent(maxMessageSize);
      if (requestTimeout !== undefined) theirTimeoutMs = requestTimeout * 1000 + ANSWER_MARGIN_MS;
    },
  };
}

function timeoutOf({ timeoutMs, longestMs = timeoutMs }: RequestLimit, theirs: number | null): number {
  return theirs === null ? timeoutMs : Math.min(theirs, longestMs);
}

const noAnswer = (timeoutMs: number): Message => message('apps.no_answer', { seconds: timeoutMs / 1000 });

function resultOf(outcome: AppOutcome): unknown {
  if (outcome.ok === true) return outcome.result;
  if (outcome.ok === 'both') throw new RequestFailed('contradiction', message('apps.contradiction'));
  const { code, text } = outcome;
  throw new RequestFailed('refused', message('apps.says', { text: text === '' ? String(code) : text }), code);
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));
/** A frame that could not be written whole is not executed. */
const notSent = (thrown: unknown): Error =>
  thrown instanceof UnsendableError
    ? new RequestFailed('too_large', thrown.text)
    : thrown instanceof MessageError
      ? new RequestFailed('not_sent', thrown.text)
      : new RequestFailed('unknown', message('apps.lost'));
