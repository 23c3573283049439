/** The steps of a sequence, one after another: each compared with what was approved, acted, verified and told. Stops at the first that fails. */
import { WireError } from '../protocol/index.js';
import type { Verified } from '../protocol/index.js';
import type { BoundStep, Outcome, Verification } from './action.js';
import { restorePlanWindow, compared, isAmbiguous, isGone, restore } from './restore.js';
import { assertSameContent } from './consequence/index.js';
import { originAt, stepDrift, targetChanged } from './compare.js';
import { asWireError, Stopped } from './failures.js';
import { scrolledTo } from './in-view.js';
import { contextOf } from './run-context.js';
import type { LatePlace, Plan, StepPlan } from './plan.js';
import type { Decision } from './ports.js';
import { isControl } from './dependencies.js';
import type { PipelineDependencies, RunCall, Stage } from './dependencies.js';
import { named } from './sequence.js';
import { brief, cut, notRun, overall, sequenceText, stepFailed } from './sequence-result.js';
import type { SequenceResult, StepResult } from './sequence-result.js';
import { sameApp } from './target/scope.js';
import { poll } from '../../base/poll.js';

const LATE_MS = 3000;
const LATE_STEP_MS = 100;

export interface Run {
  deps: PipelineDependencies;
  call: RunCall;
  stage: Stage;
  decision: Decision;
}

interface Step {
  index: number;
  bound: BoundStep;
  planned: StepPlan;
  /** Nothing acts before it: it must be exactly as approved. */
  first: boolean;
}

/** Before anything is done: whatever can be looked at without bringing it to the front must be exactly as approved. Gives what the steps are compared with. */
export async function compareSequence(run: Omit<Run, 'decision'>, plan: Plan): Promise<Plan> {
  const { stage, call } = run;
  const ctx = { desktop: stage.desktop, caller: call.caller };
  if (run.deps.holds.of(call.caller.agent.id).length > 0)
    throw new WireError('DESKTOP_INVALID_REQUEST', 'Nothing was done: an earlier call holds a key or button down.', {
      reason: 'held',
      next: 'Let go of it first, then make the call again.',
    });
  const { stop } = stage.clock;
  const steps: StepPlan[] = [];
  for (const { index, bound, planned, first } of stepsOf(stage, plan)) {
    steps.push(planned);
    if (planned.plan === null || (planned.plan.needsFocus && !first)) continue;
    const ready = first ? await restorePlanWindow(stage.desktop, run.deps.desktop, planned.plan, stop) : planned.plan;
    await named(index, bound, compared(bound.bound, ctx, ready, stop, { content: first }));
    steps[index] = { ...planned, plan: ready };
  }
  return { ...plan, steps };
}

export async function runSequence(run: Run, plan: Plan): Promise<Outcome> {
  const steps = stepsOf(run.stage, plan);
  const results = notRun(steps.map(({ bound }) => bound.tool));
  const effects: Verified[] = [];
  let acted = false;
  for (const step of steps) {
    const result = results[step.index];
    if (result === undefined) throw new Error('unreachable');
    try {
      await runStep(run, step, result, () => {
        acted ||= isControl(step.planned.effect);
      });
    } catch (thrown) {
      const error = asWireError(thrown);
      Object.assign(result, { status: 'failed', said: cut(`${error.code}: ${error.message}`) });
      throw stepFailed(result, error, results, acted);
    } finally {
      tell(run, result);
    }
    if (result.effect !== null) effects.push(result.effect);
  }
  const value: SequenceResult = { done: results.length, steps: results };
  return { value, text: sequenceText(value), verified: { effect: overall(effects), before: null, after: null } };
}

function stepsOf({ bound }: Stage, plan: Plan): Step[] {
  const planned = plan.steps ?? [];
  const firstActing = planned.findIndex(({ effect }) => isControl(effect));
  return (bound.steps ?? []).map((step, index) => {
    const own = planned[index];
    if (own === undefined || own.tool !== step.tool) throw new Error('a plan of another sequence');
    return { index, bound: step, planned: own, first: index <= firstActing };
  });
}

async function runStep(run: Run, step: Step, result: StepResult, acting: () => void): Promise<void> {
  const { deps, call, stage, decision } = run;
  const { stop } = stage.clock;
  stop.throwIfAborted();
  deps.approver.assertOpen(call.caller);
  if (deps.approver.revoked(decision, call.caller)) throw new Stopped('person', 'The person took the permission back.');
  stage.emit({ kind: 'acting', step: { number: step.index + 1, tool: step.bound.tool } });
  const fresh = await scrolledTo(run, step.bound.bound, await freshPlan(run, step));
  stage.record.reached(step.index, fresh);
  const context = contextOf(deps, call, stage, fresh, decision);
  try {
    stop.throwIfAborted();
    acting();
    const { text, verified } = await step.bound.bound.run(context, stop);
    Object.assign(result, { status: 'done', said: text === null ? null : cut(text), ...told(step, verified) });
    stage.record.did(step.index);
  } finally {
    await deps.holds.settle(call.caller.agent.id, stop);
  }
  if (step.bound.mustChange && result.effect === 'no_change')
    throw new WireError('DESKTOP_ABORTED', 'It changed nothing, and the plan was to stop then.', {
      reason: 'no_change',
      next: 'Look at the screen to see why nothing changed.',
    });
}

function told({ planned }: Step, known: Verification | null): Pick<StepResult, 'effect' | 'before' | 'after'> {
  if (!isControl(planned.effect)) return { effect: null, before: null, after: null };
  const { effect, before, after } = known ?? { effect: 'unverified' as const, before: null, after: null };
  return { effect, before: brief(before), after: brief(after) };
}

/** The step as it is now: what was approved, or, where that was not there yet, the one thing that fits in the approved application. */
async function freshPlan({ deps, stage, call }: Run, { bound, planned, first }: Step): Promise<Plan | null> {
  const { stop } = stage.clock;
  const ctx = { desktop: stage.desktop, caller: call.caller };
  const { plan, late } = planned;
  if (plan !== null) {
    await restore(stage.desktop, deps.desktop, plan, stop);
    return first
      ? compared(bound.bound, ctx, plan, stop)
      : compared(bound.bound, ctx, { ...plan, pixels: null }, stop, { differences: stepDrift });
  }
  if (late === null) return null;
  const found = await appeared(bound, ctx, stop);
  assertInside(late, found);
  // Nobody was shown what it would do.
  assertSameContent({ ...found, consequence: null }, found);
  await restore(stage.desktop, deps.desktop, found, stop);
  return found.needsFocus
    ? compared(bound.bound, ctx, { ...found, pixels: null }, stop, { differences: stepDrift })
    : found;
}

/** Several that fit end it at once; for one to appear there is a little patience. */
async function appeared(
  { bound }: BoundStep,
  ctx: Parameters<NonNullable<BoundStep['bound']['plan']>>[0],
  stop: AbortSignal,
): Promise<Plan> {
  const { plan } = bound;
  if (plan === null) throw new Error('a late step without a plan');
  let missing: unknown = null;
  const look = async () => {
    try {
      return await plan(ctx, stop);
    } catch (thrown) {
      if (stop.aborted || !isGone(thrown) || isAmbiguous(thrown)) throw thrown;
      missing = thrown;
      return null;
    }
  };
  const found = await poll(look, LATE_MS, stop, LATE_STEP_MS);
  if (found === null) throw missing;
  return found;
}

function assertInside({ name, app, origin }: LatePlace, plan: Plan): void {
  const now = plan.window?.app ?? null;
  const same =
    app === null ? now !== null && sameApp(now, name) : now?.pid === app.pid && now.startTime === app.startTime;
  if (!same) throw targetChanged([{ what: 'application', approved: app?.name ?? name, now: now?.name ?? null }]);
  const shows = originAt(plan);
  if (app !== null && origin !== shows) throw targetChanged([{ what: 'origin', approved: origin, now: shows }]);
}

function tell({ stage }: Run, { index, tool, status, effect, before, after, said }: StepResult): void {
  const proof = effect === null ? {} : { effect, before, after };
  stage.record.evidence.trace({ step: index, tool, status, ...proof, said });
}
