/**
 * Events of a call in the pipeline, in order. Listeners in `calls/`, `agents/` and `sessions/` show, count or pass them on. A listener
 * that throws is logged; none can change or delay a decision.
 */
import { createEmitter, type Emitter } from '../../base/emitter.js';
import type { Effect, Subject } from '../protocol/index.js';
import type { Caller, Decision } from '../approvals/request.js';
import type { ChatQuestion } from '../chat/questions.js';
import type { EndedCall } from './call-record.js';

export type CallStep =
  /** The call waits for an earlier one of its agent. */
  | { kind: 'queued' }
  /** The plan is made; policy, grants or a person decide. */
  | { kind: 'deciding'; effect: Effect; subject: Subject; windowId: string | null }
  /** A person is asked, by this card; null: by a question in the chat. */
  | { kind: 'waiting'; approvalId: string | null; question?: Pick<ChatQuestion, 'text' | 'quickReplies'> }
  | { kind: 'decided'; decision: Decision }
  /** The handler runs. Sequences also report each step, counted from 1. */
  | { kind: 'acting'; step: { number: number; tool: string } | null }
  /** The last event; the evidence is written by then. */
  | { kind: 'ended'; call: EndedCall };

/** `callId` is chosen by the caller: unique among the running calls of its agent. */
export type CallEvent = { executionId: string; callId: string; caller: Caller } & CallStep;

export type CallEvents = Pick<Emitter<CallEvent>, 'on' | 'emit'>;

export const createCallEvents = (onError: (thrown: unknown) => void): CallEvents => createEmitter<CallEvent>(onError);
