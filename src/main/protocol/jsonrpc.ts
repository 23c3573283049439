/** JSON-RPC 2.0 as the desktop bridge speaks it: one request or answer a message, string error codes. Pure. */
import * as z from 'zod';
import { Refused } from './json.js';
import { toWireError, WireError, type WireErrorShape } from './errors.js';
import { PROGRAM_NAME } from './local-command.js';
import { Unreadable } from './transport.js';
import { message as text, type Message } from '../../messages/index.js';

export type RpcId = string | number | null;

export interface RpcRequest {
  id: RpcId;
  method: string;
  params: Record<string, unknown>;
}

export type RpcResponse =
  { jsonrpc: '2.0'; id: RpcId; result: unknown } | { jsonrpc: '2.0'; id: RpcId; error: WireErrorShape };

/** `ignore`: notifications, and responses, because we send no requests. */
type RpcIncoming =
  { kind: 'request'; request: RpcRequest } | { kind: 'ignore' } | { kind: 'refuse'; id: RpcId; error: WireError };

/** A larger number would come back as another one. */
const idSchema = z.union([
  z.string().max(256),
  z.number().refine((id) => Math.abs(id) <= Number.MAX_SAFE_INTEGER),
  z.null(),
]);
const requestSchema = z.object({
  jsonrpc: z.literal('2.0'),
  method: z.string().min(1).max(128),
  params: z.record(z.string(), z.unknown()).nullish(),
});

export function readRpc(message: unknown): RpcIncoming {
  if (message instanceof Refused) return { kind: 'refuse', id: message.id, error: message.error };
  if (message instanceof Unreadable)
    return refuse(null, 'unreadable_json', text('error.rpc_unreadable', { why: message.reason }));
  if (Array.isArray(message)) return refuse(null, 'batch', text('error.rpc_batch'));
  if (typeof message !== 'object' || message === null)
    return refuse(null, 'not_an_object', text('error.rpc_no_object'));
  if (!('method' in message) && ('result' in message || 'error' in message)) return { kind: 'ignore' };
  const hasId = 'id' in message;
  const id = idSchema.safeParse(hasId ? message.id : null);
  if (!id.success) return refuse(null, 'invalid_id', text('error.rpc_bad_id'));
  const parsed = requestSchema.safeParse(message);
  if (!parsed.success) return refuse(id.data, 'invalid_envelope', envelopeFault(parsed.error));
  if (!hasId) return { kind: 'ignore' };
  return { kind: 'request', request: { id: id.data, method: parsed.data.method, params: parsed.data.params ?? {} } };
}

export function rpcSuccess(id: RpcId, result: unknown): RpcResponse {
  return { jsonrpc: '2.0', id, result: result ?? null };
}

export function rpcFailure(id: RpcId, thrown: unknown, program = PROGRAM_NAME): RpcResponse {
  return { jsonrpc: '2.0', id, error: toWireError(thrown).withLocalCommand(program).toJSON() };
}

function refuse(id: RpcId, reason: string, why: Message): RpcIncoming {
  return { kind: 'refuse', id, error: new WireError('DESKTOP_INVALID_REQUEST', why, { reason }) };
}

const FIELDS = ['jsonrpc', 'method', 'params'] as const;

function envelopeFault(error: z.ZodError): Message {
  const wrong = new Set(error.issues.map(({ path }) => FIELDS.find((one) => one === path[0]) ?? 'other'));
  return text('error.rpc_envelope', {
    faults: [...wrong].map((field) => text('error.rpc_field', { field, version: '"2.0"' })),
  });
}
