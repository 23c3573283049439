/**
 * Tool calls that both sides wrote plainly, answered without the SDK, whose schemas take longer than the call. Everything else is left
 * to the SDK or handed over to it, so that every answer is the one that it gives. Called by mcp.
 */
import { LRUCache } from 'lru-cache';
import { isRecord } from '../../base/is-record.js';
import { createAbort, type Abort } from '../../base/signal.js';
import type { Wait } from '../mcp/backend.js';
import type { Id } from './batches.js';
import { reportProgress } from '../mcp/progress.js';
import { isPlainResult, type HostToolResult } from '../mcp/results.js';

interface PlainCallsOptions {
  call(name: string, args: unknown, wait: Wait): Promise<HostToolResult>;
  /** One line to the client, without its end. */
  write(line: string): void;
  /** Whether the SDK reads it as a request at all; it does not answer what it cannot read. */
  isRequest(message: unknown): boolean;
  /** Has the SDK answer a request, with the outcome that `begun` then gives. */
  handOver(request: object): void;
  progressIntervalMs: number;
}

interface PlainCall {
  id: Id;
  name: string;
  args: Record<string, unknown>;
  token: Id | undefined;
}

export function createPlainCalls({ call, write, isRequest, handOver, progressIntervalMs }: PlainCallsOptions) {
  const running = new Map<Id, Abort>();
  const written = new LRUCache<Id, Abort>({ max: MAX_ANSWERED });
  const handedOver = new Map<Id, Promise<HostToolResult>>();
  /** Calls that the SDK was given and has not begun: none may overtake them, for acts are done in the order of their requests. */
  const notBegun = new Set<unknown>();
  let opening: unknown = null;
  let open = false;
  let closed = false;

  async function answer({ id, name, args, token }: PlainCall): Promise<void> {
    const abort = createAbort();
    running.set(id, abort);
    const progress = reportProgress(token, progressIntervalMs, (params) => {
      if (!closed) write(JSON.stringify({ method: 'notifications/progress', params, jsonrpc: '2.0' }));
    });
    const outcome = call(name, args, { signal: abort.signal, onProgress: progress.update });
    const result = await outcome.catch(() => null);
    progress.end();
    if (running.get(id) === abort) running.delete(id);
    if (abort.signal.aborted) return;
    written.set(id, abort);
    if (isPlainResult(result)) return write(JSON.stringify({ result, jsonrpc: '2.0', id }));
    handedOver.set(id, outcome);
    handOver({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
  }

  return {
    /** Must be given each message of the client before the SDK gets it. True: it is answered here, and the SDK must not get it. */
    take(message: unknown): boolean {
      if (!isRecord(message)) return false;
      const { id, method } = message;
      if (method === 'initialize') [opening, open] = [id, false];
      if (method === 'notifications/cancelled') cancel(message['params']);
      if (method !== 'tools/call') return false;
      const plain = open && notBegun.size === 0 ? readPlainCall(message) : null;
      if (plain !== null) void answer(plain);
      else if (isRequest(message)) notBegun.add(id);
      return plain !== null;
    },
    /** The SDK serves this call now. Its outcome, where there is one already. */
    begun(id: Id): Promise<HostToolResult> | null {
      const outcome = handedOver.get(id) ?? null;
      handedOver.delete(id);
      notBegun.delete(id);
      return outcome;
    },
    /** Must be called with each answer of the SDK. `opens`: to `initialize`, with a version that has no batches. */
    answered(id: Id, opens: boolean): void {
      notBegun.delete(id);
      if (id !== opening) return;
      opening = null;
      open = opens;
    },
    /** Cancels what runs; nothing is written any more. */
    close(): void {
      closed = true;
      for (const call of running.values()) call.abort(null);
    },
  };

  function cancel(params: unknown): void {
    if (!isRecord(params) || !hasOnly(params, CANCELLED)) return;
    const { requestId, reason } = params;
    if (!isId(requestId) || (reason !== undefined && typeof reason !== 'string')) return;
    (running.get(requestId) ?? written.get(requestId))?.abort(reason);
    // The SDK answers it no more, whether it has begun or not.
    setImmediate(() => notBegun.delete(requestId));
  }
}

/** A client's word that it gave up a call, and the answer, may pass each other. */
const MAX_ANSWERED = 64;

const CANCELLED: ReadonlySet<string> = new Set(['requestId', 'reason']);
const REQUEST: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);
const PARAMS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);
const META: ReadonlySet<string> = new Set(['progressToken']);

/** null where anything but what every client sends is in it. */
function readPlainCall(request: Record<string, unknown>): PlainCall | null {
  const { id, params } = request;
  if (!isId(id) || !isRecord(params) || !hasOnly(request, REQUEST) || !hasOnly(params, PARAMS)) return null;
  const { name, arguments: given, _meta: meta = {} } = params;
  const args = given ?? {};
  if (typeof name !== 'string' || !isRecord(args) || Object.hasOwn(args, '__proto__')) return null;
  if (!isRecord(meta) || !hasOnly(meta, META)) return null;
  const { progressToken: token } = meta;
  return token === undefined || isId(token) ? { id, name, args, token } : null;
}

function hasOnly(value: Record<string, unknown>, names: ReadonlySet<string>): boolean {
  for (const name of Object.keys(value)) if (!names.has(name)) return false;
  return true;
}

const isId = (value: unknown): value is Id => typeof value === 'string' || Number.isSafeInteger(value);
