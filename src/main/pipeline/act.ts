import { asDecided, restorePlanWindow, compared } from './restore.js';
import { effectOf } from './consequence/index.js';
import { scrolledTo } from './in-view.js';
import { contextOf } from './run-context.js';
import { captureOf } from './capture.js';
import type { Plan } from './plan.js';
import type { Decision } from './ports.js';
import { isControl } from './dependencies.js';
import type { Rooms, RunCall, RunResult, Stage } from './dependencies.js';
import { compareSequence, runSequence } from './sequence-run.js';

/** The second half: restore, compare with what was approved, act, verify, keep evidence. */
export async function act(
  rooms: Rooms,
  call: RunCall,
  stage: Stage,
  plan: Plan | null,
  decision: Decision,
): Promise<RunResult> {
  const { bound, record, clock, executionId } = stage;
  const control = isControl(bound.effect);
  const onDesktop = control && bound.offDesktop !== true;
  if (control) rooms.approver.assertOpen(call.caller);
  // It may have waited long since it was let in.
  if (control || bound.effect === 'disclose') rooms.assertClear(bound.offDesktop === true);
  const ready =
    control && plan !== null
      ? await restorePlanWindow(stage.desktop, rooms.desktop, asDecided(plan, decision), clock.stop)
      : plan;
  const { fresh: unscrolled, approved } = await freshPlan(rooms, call, stage, ready);
  if (onDesktop) await keepPicture(rooms, stage, unscrolled, 'before.png');
  if (control) await record.evidence.started();
  call.onProgress('running', 'Running.');
  const fresh = await scrolledTo({ rooms, call, stage, decision }, bound, unscrolled);

  const context = contextOf(rooms, call, stage, fresh, decision);
  let outcome;
  try {
    clock.stop.throwIfAborted();
    outcome =
      approved !== null && bound.steps !== undefined
        ? await runSequence({ rooms, call, stage, decision }, approved)
        : await bound.run(context, clock.stop);
  } finally {
    if (onDesktop) await rooms.holds.settle(call.caller.agent.id, clock.stop);
    if (onDesktop)
      await keepPicture(rooms, stage, fresh, 'after.png').catch((thrown: unknown) =>
        record.evidence.lost('after.png', thrown),
      );
  }
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
  rooms: Rooms,
  call: RunCall,
  stage: Stage,
  plan: Plan | null,
): Promise<{ fresh: Plan | null; approved: Plan | null }> {
  const { bound, clock, desktop } = stage;
  if (plan === null || bound.plan === null) return { fresh: plan, approved: plan };
  if (bound.steps === undefined)
    return { fresh: await compared(bound, { desktop, caller: call.caller }, plan, clock.stop), approved: plan };
  const approved = await compareSequence({ rooms, call, stage }, plan);
  return { fresh: approved, approved };
}

async function keepPicture(
  rooms: Rooms,
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
  await evidence.write(name, await rooms.imaging.png(capture));
}
