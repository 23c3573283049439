import { WaitEnded } from '../pipeline/ports.js';
import { WireError } from '../protocol/index.js';
import type { CallEvents } from '../pipeline/events.js';
import { createEmitter, type Emitter } from '../../base/emitter.js';
import { createAbort, type Abort, type Signal } from '../../base/signal.js';
import { progressOf } from './progress.js';
import type { CallOptions, MeasuredResult, Progress, ToolCall, CallToolResult } from './types.js';
import { message } from '../../messages/index.js';

interface KeptCall {
  call: ToolCall;
  /** Name and arguments as text, to notice another call under the same id. */
  content: string;
  /** Characters held: the arguments, then the result as well. */
  size: number;
  state: 'running' | 'parked' | 'done';
  outcome: Promise<AttemptOutcome>;
  control: Abort;
  /** One listener for each waiting caller. */
  progress: Emitter<Progress>;
}

/** `parked`: the last caller stopped waiting while the person was being asked; the call can be resumed. */
export type AttemptOutcome = MeasuredResult | { parked: WireError };

type Attempt = (wait: Signal) => Promise<AttemptOutcome>;

const MAX_KEPT_CALLS = 500;
const MAX_KEPT_CHARACTERS = 16 * 1024 * 1024;

/** Calls by agent and callId. Several callers may wait for one call, results are kept, and a parked call can be resumed. */
export function createKeptCalls(events: Pick<CallEvents, 'on'>, log: (thrown: unknown) => void) {
  const calls = new Map<string, KeptCall>();
  let total = 0;
  const keyOf = (agentId: string, callId: string) => `${agentId}\n${callId}`;

  // Never removed: it lives as long as the pipeline.
  events.on((event) => {
    const progress = progressOf(event);
    if (progress !== null) calls.get(keyOf(event.caller.agent.id, event.callId))?.progress.emit(progress);
  });

  function start(key: string, call: ToolCall, attempt: Attempt): KeptCall {
    const control = createAbort();
    const content = callContent(call);
    const kept: KeptCall = {
      call,
      content,
      size: 2 * content.length,
      state: 'running',
      control,
      progress: createEmitter<Progress>(log),
      outcome: Promise.resolve({ result: { content: [] }, valueSize: 0 }),
    };
    kept.outcome = attempt(control.signal).then((outcome) => {
      kept.state = 'parked' in outcome ? 'parked' : 'done';
      const isKept = calls.get(key) === kept;
      if (isKept) remove(key, kept);
      if ('result' in outcome) kept.size += sizeOf(outcome);
      if (isKept) put(key, kept);
      return outcome;
    });
    put(key, kept);
    return kept;
  }

  /** Stored as the newest, so that the result of a long call is not dropped early. */
  function put(key: string, kept: KeptCall): void {
    remove(key, calls.get(key));
    calls.set(key, kept);
    total += kept.size;
    trim(kept);
  }

  function remove(key: string, kept: KeptCall | undefined): void {
    if (calls.delete(key)) total -= kept?.size ?? 0;
  }

  function trim(newest: KeptCall): void {
    for (const [key, kept] of calls) {
      if (calls.size <= MAX_KEPT_CALLS && total <= MAX_KEPT_CHARACTERS) return;
      if (kept.state !== 'running' && kept !== newest) remove(key, kept);
    }
  }

  async function waitFor(kept: KeptCall, options: CallOptions): Promise<CallToolResult> {
    const outcome = await outcomeFor(kept, options);
    if ('parked' in outcome) throw outcome.parked;
    return outcome.result;
  }

  /** That of the call, or that its caller has left it to others that wait for it. */
  function outcomeFor(kept: KeptCall, { signal, onProgress }: CallOptions): Promise<AttemptOutcome> {
    const stopWaiting = kept.progress.on(onProgress);
    return new Promise((resolve, reject) => {
      const leave = () => {
        stopWaiting();
        const reason: unknown = signal.reason;
        const withdraw = !(reason instanceof WaitEnded) || reason.mode === 'withdraw';
        if (withdraw || kept.progress.size === 0) kept.control.abort(withdraw ? new WaitEnded('withdraw') : reason);
        else resolve({ parked: stillRunningError() });
      };
      const end = () => {
        signal.removeEventListener('abort', leave);
        stopWaiting();
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
      kept.outcome.then(
        (outcome) => {
          end();
          resolve(outcome);
        },
        (error: unknown) => {
          end();
          reject(error);
        },
      );
    });
  }

  return {
    /** Rejects with a WireError (reason `awaiting_human`) where the wait ended before the call. */
    async join(agentId: string, call: ToolCall, options: CallOptions, attempt: Attempt): Promise<CallToolResult> {
      const key = keyOf(agentId, call.callId);
      const before = calls.get(key);
      if (before !== undefined && before.content !== callContent(call))
        throw new WireError('DESKTOP_INVALID_REQUEST', message('error.call_id_reused'), {
          reason: 'call_id_reused',
        });
      // Its last waiter has left: it is either acting and will end by itself, or about to be parked.
      if (before?.state === 'running' && before.control.signal.aborted) await before.outcome;
      // Looked up again, because one of several waiters may have restarted it.
      const known = calls.get(key);
      const again = known === undefined || known.state === 'parked';
      return waitFor(again ? start(key, call, attempt) : known, options);
    },
    find: (agentId: string, callId: string): ToolCall | null => calls.get(keyOf(agentId, callId))?.call ?? null,
    end(agentId: string, callId: string, reason: WaitEnded): boolean {
      const kept = calls.get(keyOf(agentId, callId));
      if (kept === undefined || kept.state === 'done') return false;
      // A detached caller leaves by its own signal, because another may still wait.
      if (reason.mode === 'withdraw' || kept.progress.size === 0) kept.control.abort(reason);
      return true;
    },
  };
}

const stillRunningError = (): WireError =>
  new WireError('DESKTOP_TIMEOUT', message('error.call_continues'), {
    reason: 'awaiting_human',
  });

function sizeOf({ result, valueSize }: MeasuredResult): number {
  const blocks = result.content.map((block) => (block.type === 'text' ? block.text.length : block.data.length));
  return blocks.reduce((sum, size) => sum + size, valueSize);
}

function callContent(call: ToolCall): string {
  return JSON.stringify([call.name, call.arguments ?? {}]);
}
