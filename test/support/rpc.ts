import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Duplex } from 'node:stream';
import { frameTransport } from '../../src/main/transport/frames.js';

interface RpcError {
  code: string;
  message: string;
  retryable: boolean;
  details: Record<string, unknown>;
}

export interface Rpc {
  /** A desktop.* call; meta is added. Resolves with the whole response. */
  call(
    method: string,
    params?: Record<string, unknown>,
    meta?: Record<string, unknown>,
  ): Promise<{ result?: Record<string, unknown>; error?: RpcError }>;
  result(
    method: string,
    params?: Record<string, unknown>,
    meta?: Record<string, unknown>,
  ): Promise<Record<string, unknown>>;
  error(method: string, params?: Record<string, unknown>, meta?: Record<string, unknown>): Promise<RpcError>;
  send(message: unknown): Promise<void>;
  close(): void;
}

/** A raw JSON-RPC client on the host's socket, or on a stream that leads there. */
export async function openRpc(place: string | Duplex, workspace: string): Promise<Rpc> {
  const socket = typeof place === 'string' ? await connected(place) : place;
  const transport = frameTransport(socket);
  const waiting = new Map<string, (response: { result?: Record<string, unknown>; error?: RpcError }) => void>();
  transport.onMessage((message) => {
    const response = message as { id: string; result?: Record<string, unknown>; error?: RpcError };
    waiting.get(response.id)?.(response);
    waiting.delete(response.id);
  });

  const rpc: Rpc = {
    async call(method, params = {}, meta = {}) {
      const id = randomUUID();
      const answer = new Promise<{ result?: Record<string, unknown>; error?: RpcError }>((resolve) =>
        waiting.set(id, resolve),
      );
      const full = {
        meta: { schemaVersion: 1, requestId: randomUUID(), workspacePath: workspace, timeoutMs: 120_000, ...meta },
        ...params,
      };
      await transport.send({ jsonrpc: '2.0', id, method, params: full });
      return answer;
    },
    async result(method, params, meta) {
      const { result, error } = await rpc.call(method, params, meta);
      if (result === undefined)
        throw new Error(`${method}: ${error?.code ?? ''} ${error?.message ?? ''} ${JSON.stringify(error?.details)}`);
      return result;
    },
    async error(method, params, meta) {
      const { error, result } = await rpc.call(method, params, meta);
      if (error === undefined) throw new Error(`${method} succeeded: ${JSON.stringify(result)}`);
      return error;
    },
    send: transport.send,
    close: () => transport.close(),
  };
  return rpc;
}

/** Connects with the first message: whoever says nothing for a while after connecting is let go by the host. */
export function rpcWhenUsed(path: string, workspace: string): Rpc {
  let opened: Promise<Rpc> | null = null;
  const rpc = (): Promise<Rpc> => (opened ??= openRpc(path, workspace));
  return {
    call: async (...call) => (await rpc()).call(...call),
    result: async (...call) => (await rpc()).result(...call),
    error: async (...call) => (await rpc()).error(...call),
    send: async (message) => (await rpc()).send(message),
    close: () => void opened?.then((one) => one.close()),
  };
}

async function connected(path: string): Promise<Duplex> {
  const socket = connect(path);
  await once(socket, 'connect');
  // A host in this process has taken the connection after one turn: nothing that is sent from now on is early.
  await setImmediate();
  return socket;
}
