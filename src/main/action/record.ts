import { asWireError } from './failures.js';
import type { WireError } from '../protocol/index.js';
import type { AnyAction, BoundAction } from './action.js';
import type { Plan } from './plan.js';
import type { Decision, Evidence, ExecutionEnd } from './ports.js';
import type { Rooms, RunCall } from './rooms.js';

/** The evidence of one call as it goes on; whatever way the call ends, exactly one end is written. */
export interface Record {
  evidence: Evidence;
  planned(plan: Plan | null): void;
  decided(decision: Decision): void;
  end(end: Partial<ExecutionEnd>): Promise<{ incomplete: boolean }>;
  fail(error: WireError): Promise<void>;
}

export async function begin(
  rooms: Rooms,
  action: AnyAction,
  bound: BoundAction,
  call: RunCall,
  executionId: string,
): Promise<Record> {
  const { callId, requestId, caller, workspace } = call;
  const evidence = await rooms.recorder.begin({
    executionId,
    requestId,
    callId,
    caller,
    tool: action.name,
    effect: bound.effect,
    subject: bound.subject,
    workspace,
    requestDigest: rooms.digest([action.name, call.arguments]),
    need: bound.effect === 'read' || bound.effect === 'bookkeeping' ? action.evidence : 'folder',
    at: rooms.now().toISOString(),
  });
  let plan: Plan | null = null;
  let decision: Decision | null = null;
  let ended = false;

  async function end(given: Partial<ExecutionEnd>): Promise<{ incomplete: boolean }> {
    if (ended) return { incomplete: false };
    ended = true;
    const blank = {
      outcome: 'unverified' as const,
      verified: null,
      before: null,
      after: null,
      result: null,
      error: null,
    };
    return evidence.finish({ ...blank, plan, decision, at: rooms.now().toISOString(), ...given });
  }

  return {
    evidence,
    planned: (value) => {
      plan = value;
    },
    decided: (value) => {
      decision = value;
    },
    end,
    async fail(error) {
      await end({ outcome: outcomeOf(error, decision), error: asWireError(error).toJSON() });
    },
  };
}

function outcomeOf(error: WireError, decision: Decision | null): ExecutionEnd['outcome'] {
  if (error.details['reason'] === 'awaiting_human') return 'waiting';
  if (decision?.kind === 'denied') return decision.reason === 'timeout' ? 'no_answer' : 'denied';
  const { reason } = error.details;
  return reason === 'stop' || reason === 'person' || reason === 'paused' ? 'denied' : 'failed';
}
