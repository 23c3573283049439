/** The agent's calls while they wait. A call is repeated under the same id after the host was lost, and answered with a handle when the client's time limit is near. */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { WireError } from '../protocol/index.js';
import type { Link } from './link.js';
import { failureResult, pendingResult, toolResultSchema } from './results.js';
import type { CallState, ToolResult } from './results.js';
import { ConnectionLost } from './session.js';
import type { Session } from './session.js';

interface Wait {
  /** Milliseconds until a handle is given instead of the result. */
  limitMs: number;
  /** Aborted when the client gives up waiting; the call itself lives on. */
  signal: AbortSignal;
  onProgress(state: CallState): void;
}

export interface ShimCalls {
  /** Rejects only where there is no such tool: WireError `unknown_tool`. Every other failure is a result. */
  call(name: string, args: unknown, wait: Wait): Promise<ToolResult>;
  resume(callId: string, wait: Wait): Promise<ToolResult>;
  /** Feed with the host's `call/progress` events. */
  progress(payload: unknown): void;
  /** Leaves every waiting call to the host. Never rejects. */
  detachAll(): Promise<void>;
}

export interface ShimCallsOptions {
  link: Link;
  /** Where the person answers, once known. */
  url(): string | null;
  /** How long to wait after detaching a call; an answer that arrives in that time is the result. */
  detachTimeoutMs: number;
}

const progressSchema = z.looseObject({
  callId: z.string(),
  state: z.enum(['queued', 'awaiting_human', 'running']),
  approvalId: z.string().optional(),
  message: z.string(),
});

interface Call {
  id: string;
  /** Null for a call this shim did not make itself. */
  made: { name: string; arguments: unknown } | null;
  known: CallState;
  onProgress(state: CallState): void;
}

/** A call that crashes the host must not be repeated forever. */
const MAX_ATTEMPTS = 4;
/** Calls left as handles that can still be repeated after a host restart. */
const MAX_DETACHED_CALLS = 256;

export function createShimCalls({ link, url, detachTimeoutMs: letGo }: ShimCallsOptions): ShimCalls {
  /** By id: a client may resume a call that another of its requests still waits for. */
  const waiting = new Map<string, Set<Call>>();
  const left = new LRUCache<string, Call>({ max: MAX_DETACHED_CALLS });

  const detach = async (callId: string): Promise<void> => {
    await link.current()?.request('agent/cancel', { callId, mode: 'detach' });
  };

  const join = (call: Call): void => void waiting.set(call.id, (waiting.get(call.id) ?? new Set()).add(call));

  /** True when no other request waits for this call. */
  const leave = (call: Call): boolean => {
    const others = waiting.get(call.id);
    others?.delete(call);
    if (others?.size === 0) waiting.delete(call.id);
    return others?.size === 0;
  };

  const handleOf = (call: Call): ToolResult => {
    left.set(call.id, call);
    return pendingResult(call.id, call.made?.name ?? 'The call', call.known, url());
  };

  const settle = async (call: Call, resumed: boolean, wait: Wait): Promise<ToolResult> => {
    join(call);
    const stop = new AbortController();
    const outcome = perform(link, call, resumed, stop.signal);
    try {
      const first = await withTimeout(outcome, wait.signal, wait.limitMs);
      if (first !== null) return first;
      stop.abort();
      if (!leave(call)) return handleOf(call);
      detach(call.id).catch(() => undefined);
      const late = withTimeout(
        outcome.catch(() => null),
        null,
        letGo,
      );
      return (await late) ?? handleOf(call);
    } catch (error) {
      if (isUnknownTool(error)) throw error;
      return isWaiting(error) ? handleOf(call) : failureResult(error);
    } finally {
      leave(call);
    }
  };

  return {
    call: (name, args, wait) => {
      const known: CallState = { state: 'queued', message: 'sent to the host' };
      return settle(
        { id: randomUUID(), made: { name, arguments: args }, known, onProgress: wait.onProgress },
        false,
        wait,
      );
    },
    resume: (callId, wait) => {
      const earlier = left.get(callId);
      const known: CallState = earlier?.known ?? { state: 'queued', message: 'asked again' };
      return settle({ id: callId, made: earlier?.made ?? null, known, onProgress: wait.onProgress }, true, wait);
    },
    progress: (payload) => {
      const parsed = progressSchema.safeParse(payload);
      if (!parsed.success) return;
      const { callId, state, approvalId, message } = parsed.data;
      for (const call of waiting.get(callId) ?? []) {
        call.known = { state, approvalId, message };
        call.onProgress(call.known);
      }
    },
    detachAll: async () => {
      await Promise.allSettled([...waiting.keys()].map(detach));
    },
  };
}

/**
 * The host's result for this call. After a lost connection it is asked for again, and made again only when the host knows
 * nothing of it. A host that closes may park the call before its connection ends: the same, unless this side let go first.
 */
async function perform(link: Link, call: Call, resumed: boolean, stopped: AbortSignal): Promise<ToolResult> {
  let ask = resumed;
  for (let round = 1; ; round += 1) {
    const session = await link.session();
    stopped.throwIfAborted();
    try {
      return toolResultSchema.parse(await request(session, call, ask));
    } catch (error) {
      const interrupted = error instanceof ConnectionLost || isWaiting(error);
      const again = interrupted || (ask && isUnknown(error) && call.made !== null);
      if (!again || round >= MAX_ATTEMPTS || stopped.aborted) throw error;
      ask = interrupted;
    }
  }
}

function request(session: Session, call: Call, ask: boolean): Promise<unknown> {
  if (ask || call.made === null) return session.request('agent/resume', { callId: call.id });
  return session.request('agent/call', { callId: call.id, ...call.made });
}

/** There is no such tool: a protocol error, not a tool result. */
export function isUnknownTool(error: unknown): error is WireError {
  return error instanceof WireError && error.details['reason'] === 'unknown_tool';
}

/** The host's answer to a call whose wait has ended: the call itself has not. */
function isWaiting(error: unknown): boolean {
  return error instanceof WireError && error.details['reason'] === 'awaiting_human';
}

function isUnknown(error: unknown): boolean {
  return error instanceof WireError && error.details['reason'] === 'unknown_call';
}

/** The value, or null when `limit` milliseconds pass or the signal aborts first. */
async function withTimeout<T>(value: Promise<T>, signal: AbortSignal | null, limit: number): Promise<T | null> {
  const timer = new AbortController();
  const over = new Promise<null>((resolve) => {
    const timeout = setTimeout(resolve, limit, null);
    timer.signal.addEventListener('abort', () => clearTimeout(timeout));
    signal?.addEventListener('abort', () => resolve(null), { signal: timer.signal });
    if (signal?.aborted === true) resolve(null);
  });
  try {
    return await Promise.race([value, over]);
  } finally {
    timer.abort();
  }
}
