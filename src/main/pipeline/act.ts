import { asDecided, restorePlanWindow, compared } from './restore.js';
import { effectOf } from './consequence/index.js';
import { scrolledTo } from './in-view.js';
import { contextOf } from './run-context.js';
import { captureOf } from './capture.js';
import type { Outcome } from './action.js';
import type { Plan } from './plan.js';
import type { Decision } from './ports.js';
import { isControl } from './dependencies.js';
import type { PipelineDependencies, RunCall, RunResult, Stage } from './dependencies.js';
import { compareSequence, runSequence } from './sequence-run.js';

/** The second half: restore, compare with what was approved, act, verify, keep evidence. */
export async function act(
  deps: PipelineDependencies,
  call: RunCall,
  stage: Stage,
  plan: Plan | null,
  decision: Decision,
): Promise<RunResult> {
  const { bound, record, clock } = stage;
  const control = isControl(bound.effect);
  const onDesktop = control && bound.offDesktop !== true;
  if (control) deps.approver.assertOpen(call.caller);
  // It may have waited long since it was let in.
  if (control || bound.effect === 'disclose') deps.assertClear(bound.offDesktop === true);
  const ready =
    control && plan !== null
      ? await restorePlanWindow(stage.desktop, deps.desktop, asDecided(plan, decision), clock.stop)
      : plan;
  const { fresh: unscrolled, approved } = await freshPlan(deps, call, stage, ready);
  if (onDesktop) await keepPicture(deps, stage, unscrolled, 'before.png');
  if (control) await record.evidence.started();
  stage.emit({ kind: 'acting', step: null });
  const fresh = await scrolledTo({ deps, call, stage, decision }, bound, unscrolled);
  const outcome = await perform(deps, call, stage, decision, { fresh, approved, onDesktop });
  return keepResult(stage, outcome, { plan, decision, control });
}

/** Runs the handler; whatever comes of it, what is held is settled and a picture is kept. */
async function perform(
  deps: PipelineDependencies,
  call: RunCall,
  stage: Stage,
  decision: Decision,
  { fresh, approved, onDesktop }: { fresh: Plan | null; approved: Plan | null; onDesktop: boolean },
): Promise<Outcome> {
  const { bound, record, clock } = stage;
  const context = contextOf(deps, call, stage, fresh, decision);
  try {
    clock.stop.throwIfAborted();
    return approved !== null && bound.steps !== undefined
      ? await runSequence({ deps, call, stage, decision }, approved)
      : await bound.run(context, clock.stop);
  } finally {
    if (onDesktop) await deps.holds.settle(call.caller.agent.id, clock.stop);
    if (onDesktop)
      await keepPicture(deps, stage, fresh, 'after.png').catch((thrown: unknown) =>
        record.evidence.lost('after.png', thrown),
      );
  }
}

async function keepResult(
  { bound, record, executionId }: Stage,
  outcome: Outcome,
  { plan, decision, control }: { plan: Plan | null; decision: Decision; control: boolean },
): Promise<RunResult> {
  const verified: RunResult['verified'] =
    outcome.verified ?? (control ? { effect: 'unverified', before: null, after: null } : null);
  const { incomplete } = await record.end({
    outcome: verified?.effect ?? 'confirmed',
    verified: verified?.effect ?? null,
    before: verified?.before ?? null,
    after: verified?.after ?? null,
    result: 'kept' in outcome ? outcome.kept : outcome.value,
  });
  const evidenceDir = record.evidence.dir;
  return {
    executionId,
    value: outcome.value,
    text: outcome.text,
    effect: effectOf(bound.effect, plan),
    verified,
    decision,
    evidenceDir,
    incomplete,
  };
}

/** As it is now, and as it was approved; of a sequence the latter is what its steps are compared with. */
async function freshPlan(
  deps: PipelineDependencies,
  call: RunCall,
  stage: Stage,
  plan: Plan | null,
): Promise<{ fresh: Plan | null; approved: Plan | null }> {
  const { bound, clock, desktop } = stage;
  if (plan === null || bound.plan === null) return { fresh: plan, approved: plan };
  if (bound.steps === undefined)
    return { fresh: await compared(bound, { desktop, caller: call.caller }, plan, clock.stop), approved: plan };
  const approved = await compareSequence({ deps, call, stage }, plan);
  return { fresh: approved, approved };
}

async function keepPicture(
  deps: PipelineDependencies,
  stage: Stage,
  plan: Plan | null,
  name: 'before.png' | 'after.png',
): Promise<void> {
  const { evidence } = stage.record;
  if (evidence.dir === null || plan === null) return;
  const patience = AbortSignal.timeout(5000);
  const capture = await captureOf(stage.desktop, plan, patience).catch(() =>
    stage.desktop.capture({ kind: 'display' }, patience),
  );
  await evidence.write(name, await deps.imaging.png(capture));
}
