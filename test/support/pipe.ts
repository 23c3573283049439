/** Speaks MCP over the pipe, as the shim does, without being it: what any program of the same user can do that knows the token. */
import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { readHostLine, type PipeHello } from '../../src/main/protocol/pipe.js';
import { frameTransport } from '../../src/main/transport/frames.js';
import { connected, tokenOf, type GabpPlace, type ToolAnswer } from './gabp.js';

export interface TestPipe {
  /** Rejects with the words of a protocol error. */
  request(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>;
  tool(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  /** A message that has no answer. */
  tell(method: string, params: Record<string, unknown>): Promise<void>;
  close(): void;
}

const HELLO: Omit<PipeHello, 'token' | 'session'> = {
  ...{ version: '1', cwd: '/', desktop: 'current', profile: 'full', callLimitMs: 600_000 },
  ...{ machine: null, claim: null, counts: false, lines: [], next: 1 },
};

export const pipeHello = (given: Partial<PipeHello>): { mcp: PipeHello } => ({
  mcp: { token: '', session: randomBytes(32).toString('hex'), ...HELLO, ...given },
});

/** `stream` stands in for a connection of this process. Each request is a line: the first has number and id 1. */
export async function openPipe(place: GabpPlace, given: Partial<PipeHello> & { stream?: Duplex } = {}) {
  const { stream, ...hello } = given;
  const transport = frameTransport(stream ?? (await connected(place.host.socketPath)));
  const waiting = new Map<unknown, (answer: Record<string, unknown>) => void>();
  let requests = 0;
  await new Promise<void>((resolve, reject) => {
    transport.onClose((reason) => reject(new Error(reason ?? 'the connection ended')));
    transport.onMessage((message) => {
      if (typeof message === 'string') return received(message);
      if (!Object.hasOwn((message as { mcp: object }).mcp, 'url')) return reject(new Error(JSON.stringify(message)));
      transport.speakLines?.();
      resolve();
    });
    void transport.send(pipeHello({ token: tokenOf(place.home), ...hello }));
  });

  function received(line: string): void {
    const { message } = readHostLine(line);
    const answer = message === null ? {} : (JSON.parse(message) as Record<string, unknown>);
    waiting.get(answer['id'])?.(answer);
  }

  async function request(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const id = ++requests;
    const answered = new Promise<Record<string, unknown>>((resolve) => waiting.set(id, resolve));
    await transport.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const { result, error } = (await answered) as { result?: Record<string, unknown>; error?: { message: string } };
    if (result === undefined) throw new Error(error?.message);
    return result;
  }

  const pipe: TestPipe = {
    request,
    tool: async (name, args = {}) => (await request('tools/call', { name, arguments: args })) as unknown as ToolAnswer,
    tell: (method, params) => transport.send(JSON.stringify({ jsonrpc: '2.0', method, params })),
    close: () => transport.close(),
  };
  return pipe;
}
