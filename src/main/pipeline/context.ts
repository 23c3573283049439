import type { DesktopActor, DesktopReader } from '../../native/desktop.js';
import type { OwnChanges } from './verify/own-changes.js';
import type { Caller, ChatPort, Decision, Imaging } from './ports.js';
import type { Plan } from './plan.js';

/** What a plan may use: the desktop to look at, already masked. */
export interface PlanContext {
  desktop: DesktopReader;
  caller: Caller;
  /** The plan as it was approved, when it is resolved again right before the act. */
  approved?: Plan;
}

/** Whether what the person allowed may go on: `paused` comes to an end, `revoked` does not. */
export type Standing = 'open' | 'paused' | 'revoked';

/** What a handler may touch. Captures, trees and values are masked; every injected event is checked before it is sent. */
export interface RunContext extends PlanContext {
  desktop: DesktopActor;
  executionId: string;
  callId: string;
  /** What allowed this act. */
  decision: Decision;
  /** The approved plan, compared with the desktop just now; null for actions without one. */
  plan: Plan | null;
  workspace: string;
  chat: ChatPort;
  imaging: Pick<Imaging, 'png' | 'encode'>;
  ownChanges: OwnChanges;
  /** For what goes on after the call: asked each time, it counts as long as the host lives. */
  standing(): Standing;
  /** Ends with WaitEnded when the caller goes away while a person is being asked. */
  wait: AbortSignal;
  /** One line in trace.jsonl. */
  trace(entry: Record<string, unknown>): void;
  /** Keeps bytes as evidence under the contract's name; where the call has no folder, nothing is written. */
  keep(name: 'observe.png' | 'ax.json', bytes: Uint8Array | string): Promise<void>;
  /** The evidence folder, or null. */
  evidenceDir: string | null;
  /** A person is being asked (on), or has answered: meanwhile the call's time limit ends the waiting, not the call. */
  waiting(on: boolean): void;
}
