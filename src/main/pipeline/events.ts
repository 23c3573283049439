/**
 * What happens to a call in the pipeline, in order. Goes out: facts, to whoever shows, counts or passes them on (`calls/`, `agents/`,
 * `sessions/`). Nothing comes back: a listener that throws is logged, and none can change or delay a decision.
 */
import { createEmitter, type Emitter } from '../../base/emitter.js';
import type { Effect, Subject } from '../protocol/index.js';
import type { Caller, Decision, EndedCall } from './ports.js';

export type CallStep =
  /** It waits for an earlier call of its agent. */
  | { kind: 'queued' }
  /** What it would do is known, and is being decided by policy, grant or person. */
  | { kind: 'deciding'; effect: Effect; subject: Subject; windowId: string | null }
  /** A person is asked: by this card, or for an answer in the chat where it is null. */
  | { kind: 'waiting'; approvalId: string | null }
  | { kind: 'decided'; decision: Decision }
  /** It acts; of a sequence also each step, counted from 1. */
  | { kind: 'acting'; step: { number: number; tool: string } | null }
  /** The last event of a call, after its evidence. */
  | { kind: 'ended'; call: EndedCall };

/** `callId` is the caller's own name for it: unique among the calls that its agent has running. */
export type CallEvent = { executionId: string; callId: string; caller: Caller } & CallStep;

export type CallEvents = Pick<Emitter<CallEvent>, 'on' | 'emit'>;

export const createCallEvents = (onError: (thrown: unknown) => void): CallEvents => createEmitter<CallEvent>(onError);
