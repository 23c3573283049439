import type * as z from 'zod';
import type { Agent, Does, Effect, Subject, Verified } from '../protocol/index.js';
import type { App, Permission } from '../../native/desktop.js';
import type { Plan } from '../approvals/plan.js';
import type { PlanContext, ReadContext, RunContext, RunContexts } from './context.js';

/** What a call writes: only an audit line, or the contract's evidence folder as well. */
type EvidenceNeed = 'line' | 'folder';

/** The verified effect of an act, with the compared state before and after. */
export interface Verification {
  effect: Verified;
  before: unknown;
  after: unknown;
}

/**
 * The single definition of something an agent can call. Lists, JSON Schemas, MCP and GABP tools, desktop.* methods, the command
 * line and the reference pages derive from it. Handlers return values: they never see approval, evidence folders or formatting.
 */
export type Action<I = unknown, O = unknown> = ActionFacts<I, O> & Handler<I, O>;

export interface Acted<O> {
  value: O;
  effect: Verification;
}

type ReadingEffect = Extract<Effect, 'read' | 'bookkeeping' | 'disclose'>;
type ActingEffect<I> = Exclude<Effect, ReadingEffect> | ((input: I) => Effect);

/** Actions that only read cannot reach the acts of the desktop. `act` returns how its effect was verified. */
type Handler<I, O> =
  | Reading<I, O>
  | { effect: ActingEffect<I>; run(ctx: RunContext, input: I, signal: AbortSignal): Promise<O>; act?: undefined }
  | {
      effect: ActingEffect<I>;
      act(ctx: RunContext, input: I, signal: AbortSignal): Promise<Acted<O>>;
      run?: undefined;
    };

interface Reading<I, O> {
  effect: ReadingEffect;
  run(ctx: ReadContext, input: I, signal: AbortSignal): Promise<O>;
  act?: undefined;
}
export type ReadingAction<I, O> = ActionFacts<I, O> & Reading<I, O>;

interface ActionFacts<I, O> {
  /** `snake_case` for MCP tools (at most 40 characters), `desktop.*` for bridge methods. */
  name: string;
  title: string;
  description: string;
  needs: readonly Permission[];
  /** Default: `folder` for acts, `line` for everything else. */
  evidence?: EvidenceNeed;
  /** Releases held input, even where the call fails or is refused. */
  release?: true;
  /** Deletes data of Chaperone, so it is not announced as read-only, whatever its effect class. */
  deletes?: true;
  /** Does not use the desktop (a shell command): no lane, no pictures, not stopped by input of the person. */
  offDesktop?: true;
  /** What lists call it before more is known of a call. Left out: “something else”. */
  does?: Does;
  /** A step of plans and macros, or only of plans, because what it is given is true only now. Left out: of neither. */
  step?: 'lasting' | 'now';
  /** What has the focus takes it, so a step of it must name its application. */
  intoFocus?: true;
  /** Seconds that a step of it may wait. */
  waits?(input: I): number;
  /** Name of the application that a step of it opens. */
  opens?(input: I): string;
  /** Acts once, under `verifyEffect`: what that compares with is then read while the start is made durable. */
  verifiesEffect?: true;
  input: z.ZodType<I>;
  output: z.ZodType<O>;
  /** JSON Schema to publish in place of that of `input`, which takes more. */
  publishedInput?: Record<string, unknown>;
  /** Texts for card and activity when there is no plan. */
  subject(input: I): Subject;
  /** Resolves the target. Control actions must have a plan. */
  plan?(ctx: PlanContext, input: I, signal: AbortSignal): Promise<Plan>;
  /** Text for a model; pure. */
  text?(output: O): string;
  /** The part of a result that evidence stores; leaves out what another file already holds. Pure. */
  kept?(output: O): unknown;
}

/** An action with its types hidden, so that tables can hold it. */
export interface AnyAction {
  name: string;
  title: string;
  description: string;
  /** For lists: the strongest effect where it depends on the arguments. */
  effect: Effect;
  needs: readonly Permission[];
  evidence: EvidenceNeed;
  release?: boolean;
  deletes?: boolean;
  offDesktop?: boolean;
  does?: Does | undefined;
  step?: 'lasting' | 'now' | undefined;
  intoFocus?: true | undefined;
  input: z.ZodType;
  output: z.ZodType;
  publishedInput?: Record<string, unknown>;
  /** Parses the input once and closes over it. Throws DESKTOP_INVALID_REQUEST naming the field. `agent` is the calling agent. */
  bind(input: unknown, agent?: Agent): BoundAction;
}

export interface BoundAction {
  effect: Effect;
  offDesktop?: boolean;
  verifiesEffect?: boolean;
  waits?: number;
  opens?: string | null;
  subject: Subject;
  plan: ((ctx: PlanContext, signal: AbortSignal) => Promise<Plan>) | null;
  run(contexts: RunContexts, signal: AbortSignal): Promise<ActionOutcome>;
  /** The steps of a sequence, which run one after another under one approval. */
  steps?: readonly BoundStep[];
}

export interface ActionOutcome {
  value: unknown;
  text: string | null;
  kept?: unknown;
  /** null where it was not checked. */
  verified: Verification | null;
}

export interface BoundStep {
  tool: string;
  /** Exactly as they are shown to the person. */
  arguments: unknown;
  bound: BoundAction;
  /** The application of a target that may appear only later; null: the target must exist from the start. */
  within: { name: string; find(ctx: PlanContext, signal: AbortSignal): Promise<App> } | null;
  /** Name of the application that this step opens. */
  opens: string | null;
  /** The sequence stops when this changes nothing. */
  mustChange: boolean;
}
