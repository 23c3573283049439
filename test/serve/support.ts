import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import type { ProcessTable } from '../../src/native/peer/types.js';
import { createCallers } from '../../src/main/agents/caller.js';
import { createIsSame, createWatchCaller } from '../../src/main/agents/same-program.js';
import { createEventHistory } from '../../src/main/serve/gabp/event-history.js';
import { serveConnection, type ServeOptions } from '../../src/main/serve/connection.js';
import { linkedPair } from '../support/linked-pair.js';
import { createFakeServices } from '../support/fake-services.js';
import { self } from '../transport/support.js';
import { waitFor } from '../support/eventually.js';

export const TOKEN = 'f'.repeat(64);

const processes: ProcessTable = {
  peerOf: () => self(),
  lookup: (pid) =>
    pid === 400 ? self({ pid: 400, executable: '/usr/bin/claude', cwd: '/project', parentPid: 1 }) : null,
  isSameProcess: () => true,
  watch: () => ({ isSame: () => true, close: () => undefined }),
  lineage: () => [],
  tcpClient: () => Promise.resolve(null),
};

type Message = Record<string, unknown>;

/** A served connection and a client that keeps what it gets. */
export function connection(over: Partial<ServeOptions> = {}) {
  const services = createFakeServices();
  const history = createEventHistory(services, 256);
  let listening = 0;
  const onEvent: typeof history.onEvent = (listener) => {
    const stop = history.onEvent(listener);
    listening += 1;
    return () => {
      listening -= 1;
      stop();
    };
  };
  const [near, far] = linkedPair();
  const accepted = vi.fn();
  const served = serveConnection({
    transport: Object.assign(far, { accept: accepted }),
    ...services,
    history: { ...history, onEvent },
    peer: self({ pid: 500, parentPid: 400, executable: '/usr/bin/node', script: '/opt/chaperone/cli.js', cwd: '/' }),
    makeCaller: createCallers({ processes, placeOf: () => 'system' }),
    isSame: createIsSame(processes),
    watchCaller: createWatchCaller(processes),
    token: TOKEN,
    protocols: ['jsonrpc', 'gabp'],
    app: { name: 'Chaperone', version: '0.1.0' },
    url: 'http://localhost:1234',
    ...over,
  });
  const messages: Message[] = [];
  const ends: (string | null)[] = [];
  near.onMessage((message) => messages.push(message as Message));
  near.onClose((reason) => ends.push(reason));

  const answerTo = (id: unknown): Promise<Message> =>
    waitFor(() => {
      const found = messages.find((message) => message['id'] === id);
      if (found === undefined) throw new Error(`no answer to ${String(id)} in ${JSON.stringify(messages)}`);
      return found;
    }, 2);

  const send = (method: string, params?: unknown, id: string = randomUUID()): Promise<void> =>
    near.send({ v: 'gabp/1', id, type: 'request', method, params });

  async function ask(method: string, params?: unknown, id: string = randomUUID()): Promise<Message> {
    await send(method, params, id);
    return answerTo(id);
  }

  return {
    services,
    listening: () => listening,
    near,
    served,
    accepted,
    messages,
    ends,
    answerTo,
    send,
    ask,
    hello: (over: Message = {}) =>
      ask('session/hello', { token: TOKEN, bridgeVersion: '1', platform: 'linux', launchId: randomUUID(), ...over }),
    events: (channel: string) =>
      messages.filter((message) => message['type'] === 'event' && message['channel'] === channel),
    nth: (at: number) =>
      waitFor(() => {
        const found = services.made[at];
        if (found === undefined) throw new Error(`no call ${at}`);
        return found;
      }, 2),
  };
}

export const error = (message: Message): { code: unknown; message: string; data?: Message } =>
  message['error'] as never;
export const result = (message: Message): Message => message['result'] as Message;
