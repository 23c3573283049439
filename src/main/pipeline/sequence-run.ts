/** Runs the steps of a sequence in order. Each is compared with its approved plan, performed, verified and recorded; the first failure ends the run. */
import type { DesktopReader } from '../../native/desktop.js';
import { WireError, type Verified, isControlEffect } from '../protocol/index.js';
import type { BoundStep, ActionOutcome, Verification } from './action.js';
import { restorePlanWindow, resolveAndCompare, restore, scrollTargetIntoView } from './restore.js';
import { assertSameContent } from './consequence/index.js';
import { originAt, stepDrift, targetChanged } from './compare.js';
import { asWireError, isAmbiguous, isNotFound, nothingDone, Stopped } from './failures.js';
import { createRunContexts, planContextOf } from './run-context.js';
import type { LatePlace, Plan, StepPlan } from '../approvals/plan.js';
import { checkFiles, everyFileError } from './own-files.js';
import type { Decision } from '../approvals/request.js';
import type { CallState } from './dependencies.js';
import {
  lateWindows,
  withStepInError,
  summarizeState,
  truncateStepText,
  skippedResults,
  overallEffect,
  sequenceText,
  stepFailedError,
  type SequenceResult,
  type StepResult,
} from './sequence.js';
import { isSameApp } from './target/scope.js';
import { poll } from '../../base/poll.js';
import { message } from '../../messages/index.js';

const STEP_TARGET_TIMEOUT_MS = 3000;
const STEP_TARGET_POLL_MS = 100;
/** Characters of what a step that looks has seen. */
const MAX_SEEN = 4_000;

interface Step {
  index: number;
  bound: BoundStep;
  planned: StepPlan;
  /** No step before it acts, so it must be exactly as approved. */
  first: boolean;
  /** The card said that a file manager may show own files. */
  ownFiles: boolean;
}

/** Compares all steps that need no focus before anything is done. Returns the plan that the steps are compared with when they run. */
export async function compareSequence(state: CallState, plan: Plan): Promise<Plan> {
  const { deps, call, desktop } = state;
  const ctx = planContextOf(state);
  if (deps.holds.of(call.caller.agent.id).length > 0)
    throw new WireError('DESKTOP_INVALID_REQUEST', nothingDone(message('error.holds_already')), {
      reason: 'held',
      next: 'Let go of it first, then make the call again.',
    });
  const { stop } = state.clock;
  const steps: StepPlan[] = [];
  for (const { index, bound, planned, first } of stepsOf(state, plan)) {
    steps.push(planned);
    if (planned.late?.app != null) await withStepInError(index, bound, assertSameWindows(desktop, planned.late, stop));
    if (planned.plan === null || (planned.plan.needsFocus && !first)) continue;
    const ready = first ? (await restorePlanWindow(desktop, deps.desktop, planned.plan, stop)).plan : planned.plan;
    await withStepInError(index, bound, resolveAndCompare(bound.bound, ctx, ready, stop, { content: first }));
    steps[index] = { ...planned, plan: ready };
  }
  return { ...plan, steps };
}

export async function runSequence(state: CallState, decision: Decision, plan: Plan): Promise<ActionOutcome> {
  const steps = stepsOf(state, plan);
  const results = skippedResults(steps.map(({ bound }) => bound.tool));
  const effects: Verified[] = [];
  let acted = false;
  for (const step of steps) {
    const result = results[step.index];
    if (result === undefined) throw new Error('unreachable');
    try {
      await runStep(state, decision, step, result, () => {
        acted ||= isControlEffect(step.planned.effect);
      });
    } catch (thrown) {
      const error = asWireError(thrown);
      Object.assign(result, { status: 'failed', said: truncateStepText(`${error.code}: ${error.message}`) });
      throw stepFailedError(result, error, results, acted);
    } finally {
      traceStep(state, result);
    }
    if (result.effect !== null) effects.push(result.effect);
  }
  const value: SequenceResult = { done: results.length, steps: results };
  return { value, text: sequenceText(value), verified: { effect: overallEffect(effects), before: null, after: null } };
}

function stepsOf({ bound }: CallState, plan: Plan): Step[] {
  const planned = plan.steps ?? [];
  const firstActing = planned.findIndex(({ effect }) => isControlEffect(effect));
  return (bound.steps ?? []).map((step, index) => {
    const own = planned[index];
    if (own === undefined || own.tool !== step.tool) throw new Error('a plan of another sequence');
    return { index, bound: step, planned: own, first: index <= firstActing, ownFiles: plan.ownFiles === true };
  });
}

async function runStep(
  state: CallState,
  decision: Decision,
  step: Step,
  result: StepResult,
  acting: () => void,
): Promise<void> {
  const { deps, call, timing, record } = state;
  const { stop } = state.clock;
  stop.throwIfAborted();
  deps.approver.assertOpen(call.caller);
  if (deps.approver.revoked(decision, call.caller))
    throw new Stopped('person', message('stopped.permission_taken_back'));
  state.emit({ kind: 'acting', step: { number: step.index + 1, tool: step.bound.tool } });
  timing.stage('compare');
  const fresh = await scrollTargetIntoView(state, decision, step.bound.bound, await freshPlan(state, step));
  await assertFilesAsApproved(state, step, fresh);
  record.stepReached(step.index, fresh);
  const contexts = createRunContexts(state, fresh, decision, { baseline: null, mustKnow: step.bound.mustChange });
  try {
    stop.throwIfAborted();
    acting();
    timing.stage('act');
    const run = () => step.bound.bound.run(contexts, stop);
    const { text, verified } = await deps.edits.follow(deps.desktop, fresh, stop, run);
    Object.assign(result, {
      status: 'done',
      said: text === null ? null : truncateStepText(text, step.planned.effect === 'disclose' ? MAX_SEEN : undefined),
      ...verifiedFields(step, verified),
    });
    record.stepDone(step.index);
  } finally {
    await deps.holds.settle(call.caller.agent.id, stop);
  }
  if (step.bound.mustChange && result.effect === 'no_change')
    throw new WireError('DESKTOP_ABORTED', message('error.changed_nothing'), {
      reason: 'no_change',
      next: 'Look at the screen to see why nothing changed.',
    });
}

/** Steps before it may have opened a file dialog, entered a path in it, or shown another folder. */
async function assertFilesAsApproved(
  { deps, desktop, clock: { stop } }: CallState,
  { bound, planned, ownFiles }: Step,
  plan: Plan | null,
): Promise<void> {
  if (plan === null || !isControlEffect(planned.effect) || bound.bound.offDesktop === true) return;
  const found = await checkFiles(deps.ownFiles, desktop, { plan, given: bound.arguments }, stop);
  if (found.ownFiles && !ownFiles) throw everyFileError(plan.window?.title ?? '');
}

function verifiedFields(
  { planned }: Step,
  known: Verification | null,
): Pick<StepResult, 'effect' | 'before' | 'after'> {
  if (!isControlEffect(planned.effect)) return { effect: null, before: null, after: null };
  const { effect, before, after } = known ?? { effect: 'unverified' as const, before: null, after: null };
  return { effect, before: summarizeState(before), after: summarizeState(after) };
}

/** Resolves the step's plan again; for a late target, waits for the one match in the approved application. */
async function freshPlan(state: CallState, { bound, planned, first }: Step): Promise<Plan | null> {
  const { deps, desktop, clock } = state;
  const { stop } = clock;
  const ctx = planContextOf(state);
  const { plan, late } = planned;
  if (plan !== null) {
    await restore(desktop, deps.desktop, plan, stop);
    return first
      ? resolveAndCompare(bound.bound, ctx, plan, stop)
      : resolveAndCompare(bound.bound, ctx, { ...plan, pixels: null }, stop, { differences: stepDrift });
  }
  if (late === null) return null;
  const found = await waitForStepTarget(bound, ctx, stop);
  assertInApprovedPlace(late, found);
  await assertNotReplaced(desktop, late, found, stop);
  // The person was shown neither a consequence of this step nor what it presses.
  assertSameContent({ ...found, consequence: null, unclear: undefined }, found);
  await restore(desktop, deps.desktop, found, stop);
  return found.needsFocus
    ? resolveAndCompare(bound.bound, ctx, { ...found, pixels: null }, stop, { differences: stepDrift })
    : found;
}

/** Waits until exactly one element fits; throws at once where several do. */
async function waitForStepTarget(
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
      if (stop.aborted || !isNotFound(thrown) || isAmbiguous(thrown)) throw thrown;
      missing = thrown;
      return null;
    }
  };
  const found = await poll(look, STEP_TARGET_TIMEOUT_MS, stop, STEP_TARGET_POLL_MS);
  if (found === null) throw missing;
  return found;
}

function assertInApprovedPlace({ name, app, origin }: LatePlace, plan: Plan): void {
  const now = plan.window?.app ?? null;
  const same =
    app === null ? now !== null && isSameApp(now, name) : now?.pid === app.pid && now.startTime === app.startTime;
  if (!same) throw targetChanged([{ part: 'application', approved: app?.name ?? name, now: now?.name ?? null }]);
  const shows = originAt(plan);
  if (app !== null && origin !== shows) throw targetChanged([{ part: 'origin', approved: origin, now: shows }]);
}

const titlesOf = (windows: LatePlace['windows']): string[] => windows.map(({ title }) => title);

/** Throws where windows of the application came or went before anything was done: a late target could be in one that nobody saw. */
async function assertSameWindows(
  desktop: DesktopReader,
  { app, windows }: LatePlace,
  stop: AbortSignal,
): Promise<void> {
  const now = lateWindows(await desktop.windows(stop), app?.pid ?? 0);
  if (now.length === windows.length && windows.every(({ id }) => now.some((one) => one.id === id))) return;
  throw targetChanged([{ part: 'window', approved: titlesOf(windows), now: titlesOf(now) }]);
}

/** A late target is in a window that was there when the person was asked, or in one besides them, never in one that took the place of one. */
async function assertNotReplaced(
  desktop: DesktopReader,
  { app, windows }: LatePlace,
  { window }: Plan,
  stop: AbortSignal,
): Promise<void> {
  if (app === null || windows.some(({ id }) => id === window?.id)) return;
  const all = await desktop.windows(stop);
  const gone = windows.filter(({ id }) => !all.some((one) => one.id === id));
  if (gone.length > 0) throw targetChanged([{ part: 'window', approved: titlesOf(gone), now: window?.title ?? null }]);
}

function traceStep({ record }: CallState, { index, tool, status, effect, before, after, said }: StepResult): void {
  const proof = effect === null ? {} : { effect, before, after };
  record.evidence.trace({ step: index, tool, status, ...proof, said });
}
