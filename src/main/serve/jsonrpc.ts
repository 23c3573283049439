/** JSON-RPC 2.0 on one connection: desktop.* requests in, answers out in whatever order they end. Called by connection. */
import { randomUUID } from 'node:crypto';
import { closestName } from '../pipeline/closest-name.js';
import type { Caller } from '../pipeline/ports.js';
import { WireError } from '../protocol/index.js';
import { readRpc, rpcFailure, rpcSuccess, type RpcId, type RpcRequest, type RpcResponse } from '../protocol/jsonrpc.js';
import type { Reply } from '../protocol/transport.js';
import type { Calls } from '../calls/index.js';
import type { ConnectionCalls } from './connection-calls.js';
import { message } from '../../messages/index.js';

interface JsonRpcOptions {
  calls: Calls;
  /** Asked for each request. */
  caller(): Caller;
  connectionCalls: ConnectionCalls;
  /** How this machine calls the command line; errors say it. */
  command?: string | undefined;
  send: Send;
}

type Send = (message: RpcResponse) => Promise<void>;

/** Takes each message of the connection. Never throws. A message with a `reply` of its own is always answered. */
export function createJsonRpc(options: JsonRpcOptions): (message: unknown, reply?: Reply) => void {
  const methods = new Set(options.calls.methods);

  async function perform({ id, method, params }: RpcRequest): Promise<unknown> {
    if (!methods.has(method)) throw unknownMethod(method, [...methods]);
    const call = { id: keyOf(id), always: method === 'desktop.abort' };
    return options.connectionCalls.run(call, (signal) =>
      options.calls.callMethod(options.caller(), { id: String(id), method, params }, signal),
    );
  }

  async function answer(request: RpcRequest, send: Send): Promise<void> {
    const { id } = request;
    const response = await perform(request).then(
      (result) => rpcSuccess(id, result),
      (error: unknown) => rpcFailure(id, error, options.command),
    );
    await deliver(response, send);
  }

  /** A result that cannot be sent (too large, not JSON) becomes an error; a closed connection gets no answer. */
  async function deliver(response: RpcResponse, send: Send): Promise<void> {
    try {
      await send(response);
    } catch (error) {
      if ('result' in response) await send(rpcFailure(response.id, error, options.command)).catch(() => undefined);
    }
  }

  return (message, reply) => {
    const send = reply ?? options.send;
    const incoming = readRpc(message);
    if (incoming.kind === 'refuse') void deliver(rpcFailure(incoming.id, incoming.error), send);
    if (incoming.kind === 'request') void answer(incoming.request, send);
    if (incoming.kind === 'ignore' && reply !== undefined) void deliver(rpcFailure(null, needsId()), reply);
  };
}

/** `1` and `"1"` are two ids; several requests with the id null may run at once. */
function keyOf(id: RpcId): string {
  return id === null ? `null:${randomUUID()}` : `${typeof id}:${id}`;
}

function needsId(): WireError {
  return new WireError('DESKTOP_INVALID_REQUEST', message('error.rpc_no_id'), { reason: 'no_id' });
}

function unknownMethod(method: string, known: string[]): WireError {
  const near = closestName(method, known);
  const problem = message('error.no_such_method', { method: JSON.stringify(method) });
  const text = near === null ? problem : message('error.did_you_mean', { problem, name: near });
  return new WireError('DESKTOP_INVALID_REQUEST', text, {
    reason: 'unknown_method',
    methods: known,
    next: `Use one of: ${known.join(', ')}.`,
  });
}
