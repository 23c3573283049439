/** A host that exists only in memory: speaks GABP to the shim, records what it is asked, and can go away and come back. */
import { randomUUID } from 'node:crypto';
import type { Transport } from '../../src/main/protocol/transport.js';
import type { ConnectOptions } from '../../src/main/shim/connect.js';
import { linkedPair } from './linked-pair.js';

interface Asked {
  method: string;
  params: Record<string, unknown>;
}

type Answer = (params: Record<string, unknown>) => unknown;

/** Thrown by an answer: crosses as a GABP error with our wire shape in `data`. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

export interface FakeHost {
  /** What `createShim` takes as `host`. */
  connection: ConnectOptions;
  asked: Asked[];
  /** Methods by name; `on` replaces one. */
  on(method: string, answer: Answer): void;
  emit(channel: string, payload: unknown): void;
  /** Connections end and nobody listens. */
  leave(): void;
  arrive(): void;
  starts(): number;
  connections(): number;
  /** How the next start ends; null lets the host come up. */
  failStart(end: { code: number; output: string } | null): void;
}

const TOKEN = 'a'.repeat(64);

export const SCREENS = [{ id: 'main', width: 1280, height: 800, pixel_density: 1, origin_x: 0, origin_y: 0 }];

export function createFakeHost({ running = true } = {}): FakeHost {
  const asked: Asked[] = [];
  const open = new Set<Transport>();
  let listening = running;
  let starts = 0;
  let startEnd: { code: number; output: string } | null = null;

  const answers = new Map<string, Answer>([
    [
      'session/hello',
      () => ({ agentId: 'fake', app: { name: 'fake', version: '1' }, capabilities: {}, schemaVersion: '1.0' }),
    ],
    ['events/subscribe', (params) => ({ subscribed: params['channels'] })],
    ['agent/describe', () => ({ url: 'http://localhost:4321' })],
    ['agent/tools', () => ({ tools: [] })],
    ['agent/resources', () => ({ resources: [], templates: [] })],
    ['agent/resource', () => ({ target: null })],
    ['agent/screens', () => ({ screens: SCREENS })],
    ['agent/cancel', () => ({ cancelled: true })],
  ]);

  const serve = (transport: Transport): void => {
    let greeted = false;
    open.add(transport);
    transport.onClose(() => open.delete(transport));
    transport.onMessage((message) => {
      const request = message as { id: string; method: string; params: Record<string, unknown> };
      asked.push({ method: request.method, params: request.params });
      const reply = (body: object): void => {
        transport.send({ v: 'gabp/1', id: request.id, type: 'response', ...body }).catch(() => undefined);
      };
      if (request.method === 'session/hello') greeted = request.params['token'] === TOKEN;
      if (!greeted) return reply({ error: { code: -32100, message: 'say hello first' } });
      void Promise.resolve()
        .then(() => answers.get(request.method)?.(request.params))
        .then(
          (result) => reply({ result: result ?? null }),
          (error: unknown) => reply({ error: asError(error) }),
        );
    });
  };

  return {
    connection: {
      name: 'test',
      version: '0.0.0',
      startTimeoutMs: 10_000,
      find: () =>
        Promise.resolve(
          listening
            ? {
                token: TOKEN,
                open: () => {
                  const [ours, theirs] = linkedPair();
                  serve(theirs);
                  return Promise.resolve(ours);
                },
              }
            : null,
        ),
      start: () => {
        starts += 1;
        if (startEnd !== null) return { ended: Promise.resolve(startEnd) };
        listening = true;
        return { ended: new Promise(() => undefined) };
      },
    },
    asked,
    on: (method, answer) => void answers.set(method, answer),
    emit: (channel, payload) => {
      for (const transport of open) {
        const event = { v: 'gabp/1', id: randomUUID(), type: 'event', channel, seq: 1, payload };
        transport.send(event).catch(() => undefined);
      }
    },
    leave: () => {
      listening = false;
      for (const transport of open) transport.close('the host ended');
    },
    arrive: () => {
      listening = true;
    },
    starts: () => starts,
    connections: () => open.size,
    failStart: (end) => {
      startEnd = end;
    },
  };
}

function asError(error: unknown): object {
  if (!(error instanceof Refusal)) return { code: -32603, message: String(error) };
  return {
    code: -32602,
    message: error.message,
    data: { code: error.code, message: error.message, retryable: false, details: error.details },
  };
}
