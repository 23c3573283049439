import type * as z from 'zod';
import type { Agent, Effect, Subject, Verified } from '../protocol/index.js';
import type { App, Permission } from '../../native/desktop.js';
import type { Plan } from './plan.js';
import type { PlanContext, RunContext } from './context.js';

/** Files the contract promises for a call even though its effect class alone would only write an audit line. */
type EvidenceNeed = 'line' | 'folder';

/** How the effect of an act was checked: what was looked at, before and after. */
export interface Verification {
  effect: Verified;
  before: unknown;
  after: unknown;
}

/**
 * One thing an agent can ask for, said once. Lists, JSON Schemas, MCP and GABP tools, desktop.* methods, the command line
 * and the README derive from it. Handlers return values: they never see approval, evidence folders or formatting.
 */
export type Action<I = unknown, O = unknown> = ActionFacts<I, O> & Handler<I, O>;

export interface Acted<O> {
  value: O;
  effect: Verification;
}

/** `act` for what can say how its effect was checked; `run` for all else. */
type Handler<I, O> =
  | { run(ctx: RunContext, input: I, signal: AbortSignal): Promise<O>; act?: undefined }
  | { act(ctx: RunContext, input: I, signal: AbortSignal): Promise<Acted<O>>; run?: undefined };

interface ActionFacts<I, O> {
  /** `snake_case` for MCP tools (at most 40 characters), `desktop.*` for bridge methods. */
  name: string;
  title: string;
  description: string;
  effect: Effect | ((input: I) => Effect);
  needs: readonly Permission[];
  evidence: EvidenceNeed;
  /** Lets go of what is held: where it fails or is refused, that is let go all the same. */
  release?: true;
  /** Deletes something that belongs to Chaperone, whatever its effect class: it is not announced as read-only. */
  deletes?: true;
  /** Touches nothing on the desktop (a command in a shell): takes no lane and no pictures, and the person’s own input does not stop it. */
  offDesktop?: true;
  input: z.ZodType<I>;
  output: z.ZodType<O>;
  /** Words for card and activity when there is no plan. */
  subject(input: I): Subject;
  /** Resolves what would be touched. Control actions must have one. */
  plan?(ctx: PlanContext, input: I, signal: AbortSignal): Promise<Plan>;
  /** Text for a model; pure. */
  text?(output: O): string;
  /** What is kept as evidence where the result itself is not to lie there a second time; pure. */
  kept?(output: O): unknown;
}

/** An action whose types are known only to itself: what tables hold. */
export interface AnyAction {
  name: string;
  title: string;
  description: string;
  /** For lists; where the arguments decide, the strongest. */
  effect: Effect;
  needs: readonly Permission[];
  evidence: EvidenceNeed;
  release?: boolean;
  deletes?: boolean;
  offDesktop?: boolean;
  input: z.ZodType;
  output: z.ZodType;
  /** Parses the input once and closes over it. Throws DESKTOP_INVALID_REQUEST naming the field. `agent` is who asks, for what belongs to agents. */
  bind(input: unknown, agent?: Agent): BoundAction;
}

export interface BoundAction {
  effect: Effect;
  offDesktop?: boolean;
  subject: Subject;
  plan: ((ctx: PlanContext, signal: AbortSignal) => Promise<Plan>) | null;
  run(ctx: RunContext, signal: AbortSignal): Promise<Outcome>;
  /** For a sequence: what runs, one after another, in the slot and under the approval of the whole. */
  steps?: readonly BoundStep[];
}

export interface Outcome {
  value: unknown;
  text: string | null;
  kept?: unknown;
  /** null where it was not checked. */
  verified: Verification | null;
}

export interface BoundStep {
  tool: string;
  /** Exactly as the person is shown them. */
  arguments: unknown;
  bound: BoundAction;
  /** Where a target that is not there yet has to be once its turn comes; null: it must be there from the start. */
  within: { name: string; find(ctx: PlanContext, signal: AbortSignal): Promise<App> } | null;
  /** The application that this step opens, as it is named there. */
  opens: string | null;
  /** The sequence stops when this changes nothing. */
  mustChange: boolean;
}
