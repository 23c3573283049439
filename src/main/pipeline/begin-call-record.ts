import { asWireError } from './failures.js';
import { type WireError, isControlEffect } from '../protocol/index.js';
import { effectOf } from './consequence/index.js';
import type { BoundAction } from './action.js';
import type { Plan, StepPlan } from '../approvals/plan.js';
import type { Decision, Caller } from '../approvals/request.js';
import type { EndedCall, CallRecord, CallState } from './dependencies.js';
import type { ExecutionEnd, ExecutionStart, Shown, RecordedEnd } from '../evidence/execution.js';
import type { Approver } from '../approvals/index.js';
import { SCREEN, shownBy, sightOf, toldOnRequest } from './sight.js';

type NewCall = Pick<CallState, 'deps' | 'action' | 'call' | 'bound' | 'executionId' | 'timing'>;

/** `workspace`: the resolved path of the call's workspace. */
export async function beginCallRecord(given: NewCall, workspace: string): Promise<CallRecord> {
  const { deps, action, call, bound, executionId, timing } = given;
  let plan: Plan | null = null;
  let decision: Decision | null = null;
  const reached = new Map<number, Plan | null>();
  const done: number[] = [];
  let ended: EndedCall | null = null;
  const isSeen = (what: Shown) =>
    isShownTo(
      { approver: deps.approver, caller: call.caller, bound, plan, decision, reached: [...reached.values()] },
      what,
    );
  const start = startOf(given, workspace, isSeen);
  const evidence = await deps.recorder.begin(start);

  async function end(known: Partial<ExecutionEnd>): Promise<RecordedEnd> {
    if (ended !== null) return { incomplete: false, unrecorded: null, kept: [] };
    const end: ExecutionEnd = {
      outcome: known.outcome ?? 'unverified',
      verified: known.verified ?? null,
      before: known.before ?? null,
      after: known.after ?? null,
      result: known.result ?? null,
      error: known.error ?? null,
      plan: known.plan ?? plan,
      decision: known.decision ?? decision,
      at: deps.now().toISOString(),
    };
    const ran = withReachedSteps(end.plan, reached);
    ended = endedCall({ ...end, plan: ran });
    if (evidence.dir !== null) evidence.trace({ step: 'timing', ...timing.times() });
    return evidence.finish({ ...end, plan: withoutUnreachedText(ran, reached) });
  }

  const endedCall = ({ plan: ran, decision: by, outcome, at }: ExecutionEnd): EndedCall => ({
    executionId,
    caller: call.caller,
    tool: action.name,
    effect: effectOf(bound.effect, ran),
    arguments: call.arguments,
    plan: ran,
    decision: by,
    outcome,
    done,
    evidenceDir: evidence.dir,
    at,
  });

  return {
    evidence,
    requestDigest: start.requestDigest,
    setPlan: (value) => {
      plan = value;
    },
    setDecision: (value) => {
      decision = value;
    },
    stepReached: (index, value) => void reached.set(index, value),
    stepDone: (index) => void done.push(index),
    end,
    ended: () => ended,
    async fail(error) {
      await end({ outcome: outcomeOf(error, decision), error: asWireError(error).facts() });
    },
  };
}

function startOf(
  { deps, action, call, bound, executionId }: NewCall,
  workspace: string,
  isSeen: ExecutionStart['isSeen'],
): ExecutionStart {
  return {
    executionId,
    requestId: call.requestId,
    callId: call.callId,
    caller: call.caller,
    tool: action.name,
    effect: bound.effect,
    subject: bound.subject,
    workspace,
    ...(deps.place === undefined ? {} : { desktop: deps.place }),
    requestDigest: deps.digest([action.name, call.arguments, ...stepArguments(bound)]),
    need: bound.effect === 'read' || bound.effect === 'bookkeeping' ? action.evidence : 'folder',
    at: deps.now().toISOString(),
    isSeen,
  };
}

/** Tools and arguments of the steps of a sequence: the same name with other steps is another request. */
const stepArguments = ({ steps }: BoundAction): unknown[] => (steps ?? []).map((step) => [step.tool, step.arguments]);

function withReachedSteps(plan: Plan | null, reached: ReadonlyMap<number, Plan | null>): Plan | null {
  if (plan?.steps === undefined) return plan;
  return { ...plan, steps: plan.steps.map((step, index) => ({ ...step, plan: reached.get(index) ?? step.plan })) };
}

/** Leaves out the text of steps that did not run and have no known element: it could be for a password field. */
function withoutUnreachedText(plan: Plan | null, reached: ReadonlyMap<number, Plan | null>): Plan | null {
  if (plan?.steps === undefined) return plan;
  const known = (step: StepPlan, index: number) => reached.has(index) || step.plan?.target.kind === 'element';
  const steps = plan.steps.map((step, index) =>
    step.plan === null || known(step, index) ? step : { ...step, plan: { ...step.plan, text: null } },
  );
  return { ...plan, steps };
}

function outcomeOf(error: WireError, decision: Decision | null): ExecutionEnd['outcome'] {
  if (error.details['reason'] === 'awaiting_human') return 'waiting';
  if (decision?.kind === 'denied') return decision.reason === 'timeout' ? 'no_answer' : 'denied';
  const { reason } = error.details;
  return reason === 'stop' || reason === 'person' || reason === 'paused' ? 'denied' : 'failed';
}

// Whether an agent may see, at this moment, what a piece of evidence of its call shows. What is unclear it may not.

interface CallFacts {
  approver: Pick<Approver, 'sight' | 'revoked'>;
  caller: Caller;
  bound: Pick<BoundAction, 'effect' | 'offDesktop'>;
  plan: Plan | null;
  decision: Decision | null;
  /** Plans of steps, as they were reached. */
  reached: readonly (Plan | null)[];
}

function isShownTo({ approver, caller, bound, plan, decision, reached }: CallFacts, what: Shown): boolean {
  const allowed = decision?.kind === 'allowed' && !approver.revoked(decision, caller);
  // What a call reads, its answer has too.
  if (!isControlEffect(bound.effect)) return allowed;
  if (bound.offDesktop === true) return true;
  const asked = plan === null ? [] : shownBy(plan);
  const shown = [...asked, ...reached.flatMap((one) => (one === null ? [] : shownBy(one)))];
  const isKnown = what === 'call' && shown.length > 0;
  const told = new Set(allowed && toldOnRequest(plan, decision) ? asked.map(appOf) : []);
  return sightOf(approver, caller, isKnown ? shown.filter((one) => !told.has(appOf(one))) : [SCREEN]) === 'sees';
}

/** A step may reach a window of the same application that the request did not name; another application it did not speak of. */
const appOf = ({ target, application, window }: Plan): string =>
  JSON.stringify([target.kind, application?.id, application?.program, window?.app.pid]);
