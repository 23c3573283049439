/** How one agent is served over HTTP: with a session up to 2025-11-25, without from 2026-07-28 on. Called by sessions. */
import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  WebStandardStreamableHTTPServerTransport,
  type JSONRPCMessage,
  type EventStore,
} from '@modelcontextprotocol/server';
import type { McpBackend } from '../../mcp/backend.js';
import { createObservationBuffer, observationUri } from '../../mcp/observation-buffer.js';
import { createQuestionForms } from '../../mcp/questions.js';
import { createMcpServer } from '../../mcp/server.js';
import { cancellationsInAnyCase, onCancelled } from '../../mcp/transport.js';
import { problem } from './client-body.js';

export interface SessionOptions {
  version: string;
  backend: McpBackend;
  onError(error: Error): void;
  /** The client said that it gave up the request of this id, running or answered. */
  onLeft(id: string | number): void;
  /** Tests shorten it. */
  progressIntervalMs?: number;
}

export interface Session {
  /** Mcp-Session-Id; null where there is none. */
  id: string | null;
  /** `body` is the request's, read and parsed. */
  handle(request: Request, body: unknown): Promise<Response>;
  toolsChanged(): void;
  resourceUpdated(uri: string): void;
  sendObservation(id: string, event: unknown): void;
  close(): Promise<void>;
}

const CONFLICT = 409;
const NOT_KEPT = {
  dropped:
    'Last-Event-ID: that event is no longer kept, so what came after it cannot be sent again. Open the stream without the header, and look what was done before you make a call again.',
  unknown: 'Last-Event-ID: this session never sent that event. Open the stream without the header.',
};
const PROGRESS_INTERVAL_MS = 10_000;
const MAX_SUBSCRIPTIONS = 16;

/** Must be given the `initialize` request first. `onClose`: the client ended it. */
export function openSession(options: SessionOptions, onClose: () => void): Session {
  const { onLeft, progressIntervalMs = PROGRESS_INTERVAL_MS } = options;
  const id = randomUUID();
  const observations = createObservationBuffer({
    send: (...event) => opened.sendObservation(...event),
    canSend: () => true,
  });
  const forms = createQuestionForms(options.onError);
  const hooks = [onCancelled(onLeft), cancellationsInAnyCase];
  const opened = createMcpServer({ ...options, observations, progressIntervalMs, forms, hooks }, 'legacy');
  const { server } = opened;
  const events = createEventStore();
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    eventStore: events,
    onsessionclosed: onClose,
  });
  const connected = server.connect(transport);
  return {
    id,
    async handle(request, parsedBody) {
      await connected;
      const last = request.method === 'GET' ? request.headers.get('last-event-id') : null;
      const found = last === null ? 'kept' : events.find(last);
      if (found !== 'kept') return problem(400, NOT_KEPT[found]);
      const response = await transport.handleRequest(request, { parsedBody });
      if (response.status !== CONFLICT || last !== null) return response;
      // The session's own stream is open: its client may have lost it, and has one at most.
      transport.closeStandaloneSSEStream();
      return transport.handleRequest(request);
    },
    toolsChanged: opened.listsChanged,
    resourceUpdated: opened.resourceUpdated,
    sendObservation: observations.add,
    close: () => server.close(),
  };
}

/** Every request stands alone; only what was observed is kept between them. */
export function createStateless(options: SessionOptions): Session {
  const { progressIntervalMs = PROGRESS_INTERVAL_MS, onError } = options;
  const observations = createObservationBuffer({
    send: (id) => handler.notify.resourceUpdated(observationUri(id)),
    canSend: () => true,
  });
  const forms = createQuestionForms(onError);
  const handler = createMcpHandler(
    () => createMcpServer({ ...options, observations, progressIntervalMs, forms }, 'modern').server,
    { legacy: 'reject', maxSubscriptions: MAX_SUBSCRIPTIONS, onerror: onError },
  );
  return {
    id: null,
    handle: (request, parsedBody) => handler.fetch(request, { parsedBody }),
    toolsChanged() {
      handler.notify.toolsChanged();
      handler.notify.resourcesChanged();
    },
    resourceUpdated: (uri) => handler.notify.resourceUpdated(uri),
    sendObservation: observations.add,
    close: handler.close,
  };
}

// What was sent to one session, so that a client whose stream broke can go on after the last event it got. Called by the session.

const MAX_EVENTS = 512;
const MAX_CHARACTERS = 8 * 1024 * 1024;

interface KeptEvent {
  id: string;
  stream: string;
  message: JSONRPCMessage;
  characters: number;
}

interface KeepingStore extends Required<EventStore> {
  /** `dropped`: the id of an event that is no longer kept. */
  find(id: string): 'kept' | 'dropped' | 'unknown';
}

/** The newest event is kept whatever its length; after one that is no longer kept nothing is sent again. */
export function createEventStore(): KeepingStore {
  const kept: KeptEvent[] = [];
  let count = 0;
  let characters = 0;

  function trim(): void {
    while (kept.length > 1 && (kept.length > MAX_EVENTS || characters > MAX_CHARACTERS))
      characters -= kept.shift()?.characters ?? 0;
  }

  return {
    find(id) {
      if (kept.some((event) => event.id === id)) return 'kept';
      return /^[1-9]\d{0,15}$/.test(id) && Number(id) <= count ? 'dropped' : 'unknown';
    },
    async storeEvent(stream, message) {
      const event = { id: String(++count), stream, message, characters: JSON.stringify(message).length };
      kept.push(event);
      characters += event.characters;
      trim();
      return event.id;
    },
    getStreamIdForEventId: async (id) => kept.find((event) => event.id === id)?.stream,
    async replayEventsAfter(lastId, { send }) {
      const last = kept.findIndex(({ id }) => id === lastId);
      const stream = kept[last]?.stream;
      if (stream === undefined) throw new Error('that event is no longer kept');
      // The SDK stores an empty message where a stream begins.
      for (const { id, message } of kept.slice(last + 1).filter((event) => event.stream === stream))
        if ('jsonrpc' in message) await send(id, message);
      return stream;
    },
  };
}
