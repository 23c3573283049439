/** The agent's calls. A call is repeated under the same id after the connection to the host was lost, and answered with a handle when the client's time limit is near. */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { withTimeout } from '../../base/poll.js';
import { WireError } from '../protocol/index.js';
import type { Link } from './link.js';
import type { Wait } from '../mcp/backend.js';
import {
  callStateSchema,
  failureResult,
  isPlainResult,
  isUnknownTool,
  isWaiting,
  pendingResult,
  toolResultSchema,
  type CallState,
  type HostToolResult,
} from '../mcp/results.js';
import { ConnectionLost, type HostSession } from './session.js';

interface LimitedWait extends Wait {
  /** Milliseconds until a handle is given instead of the result. */
  limitMs: number;
}

interface ShimCallsOptions {
  link: Link;
  /** Where the person answers, once known. */
  url(): string | null;
  /** How long to wait after detaching a call; an answer that arrives in that time is the result. */
  detachTimeoutMs: number;
}

const progressSchema = callStateSchema.extend({ callId: z.string() });

interface Call {
  id: string;
  /** Null for a call that this shim did not make itself. */
  request: { name: string; arguments: unknown } | null;
  state: CallState;
  onProgress(state: CallState): void;
}

/** A call that crashes the host must not be repeated forever. */
const MAX_ATTEMPTS = 4;
/** Calls left as handles that can still be repeated after a host restart. */
const MAX_DETACHED_CALLS = 256;

export function createShimCalls({ link, url, detachTimeoutMs }: ShimCallsOptions) {
  /** By id: a client may resume a call that another of its requests still waits for. */
  const waiting = new Map<string, Set<Call>>();
  const detached = new LRUCache<string, Call>({ max: MAX_DETACHED_CALLS });

  const detach = async (callId: string, left = false): Promise<void> => {
    await link.current()?.request('agent/cancel', { callId, mode: 'detach', ...(left ? { left } : {}) });
  };

  /** The client gave up; its word may come after the result was written, which it does not read then. */
  const onceLeft = ({ id }: Call, signal: Wait['signal']): void =>
    signal.addEventListener('abort', () => void detach(id, true).catch(() => undefined), { once: true });

  const addWaiting = (call: Call): void => void waiting.set(call.id, (waiting.get(call.id) ?? new Set()).add(call));

  /** True when no other request waits for this call. */
  const removeWaiting = (call: Call): boolean => {
    const others = waiting.get(call.id);
    others?.delete(call);
    if (others?.size === 0) waiting.delete(call.id);
    return others?.size === 0;
  };

  const handleOf = (call: Call): HostToolResult => {
    detached.set(call.id, call);
    return pendingResult(call.id, call.request?.name ?? 'The call', call.state, url());
  };

  const settle = async (call: Call, resumed: boolean, wait: LimitedWait): Promise<HostToolResult> => {
    addWaiting(call);
    const given = { up: false };
    const outcome = perform(link, call, resumed, given);
    try {
      const first = await withTimeout(outcome, wait.limitMs, wait.signal);
      if (first !== null) {
        onceLeft(call, wait.signal);
        return first;
      }
      given.up = true;
      if (!removeWaiting(call)) return handleOf(call);
      detach(call.id, wait.signal.aborted).catch(() => undefined);
      const late = outcome.catch(() => null);
      return (await withTimeout(late, detachTimeoutMs)) ?? handleOf(call);
    } catch (error) {
      if (isUnknownTool(error)) throw error;
      return isWaiting(error) ? handleOf(call) : failureResult(error);
    } finally {
      removeWaiting(call);
    }
  };

  return {
    /** Rejects only where there is no such tool: WireError `unknown_tool`. Every other failure is a result. */
    call: (name: string, args: unknown, wait: LimitedWait): Promise<HostToolResult> => {
      const state: CallState = { state: 'queued', message: 'sent to the host' };
      const request = { name, arguments: args };
      return settle({ id: randomUUID(), request, state, onProgress: wait.onProgress }, false, wait);
    },
    resume: (callId: string, wait: LimitedWait): Promise<HostToolResult> => {
      const earlier = detached.get(callId);
      const state: CallState = earlier?.state ?? { state: 'queued', message: 'asked again' };
      return settle({ id: callId, request: earlier?.request ?? null, state, onProgress: wait.onProgress }, true, wait);
    },
    /** Must be called with the host's `call/progress` events. */
    progress: (payload: unknown): void => {
      const parsed = progressSchema.safeParse(payload);
      if (!parsed.success) return;
      const { callId, ...state } = parsed.data;
      for (const call of waiting.get(callId) ?? []) {
        call.state = state;
        call.onProgress(state);
      }
    },
    /** Tells the host that nobody waits for these calls now. Never rejects. */
    detachAll: async (): Promise<void> => {
      await Promise.allSettled([...waiting.keys()].map((callId) => detach(callId)));
    },
  };
}

/**
 * The host's result for this call. After a lost connection the call is resumed, and made again only when the host does not know
 * it. The same where a host that closes detaches the call before its connection ends, unless it was `given.up` by then.
 */
async function perform(link: Link, call: Call, resumed: boolean, given: { up: boolean }): Promise<HostToolResult> {
  let resume = resumed;
  for (let round = 1; ; round += 1) {
    const session = await link.session();
    if (given.up) throw new Error('nobody waits for this call');
    try {
      const result = await sendRequest(session, call, resume);
      return isPlainResult(result) ? result : toolResultSchema.parse(result);
    } catch (error) {
      const interrupted = error instanceof ConnectionLost || isWaiting(error);
      const again = interrupted || (resume && isUnknown(error) && call.request !== null);
      if (!again || round >= MAX_ATTEMPTS || given.up) throw error;
      resume = interrupted;
    }
  }
}

function sendRequest(session: HostSession, call: Call, resume: boolean): Promise<unknown> {
  if (resume || call.request === null) return session.request('agent/resume', { callId: call.id });
  return session.request('agent/call', { callId: call.id, ...call.request });
}

function isUnknown(error: unknown): boolean {
  return error instanceof WireError && error.details['reason'] === 'unknown_call';
}
