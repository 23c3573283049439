import { compared, restore } from './again.js';
import { contextOf } from './lending.js';
import { captureOf } from './looking.js';
import type { Plan } from './plan.js';
import type { Decision } from './ports.js';
import { isControl } from './rooms.js';
import type { Rooms, RunCall, RunResult, Stage } from './rooms.js';
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
  if (control) {
    rooms.approver.assertOpen(call.caller);
    await restore(stage.desktop, plan, clock.stop);
  }
  const fresh = await freshPlan(rooms, call, stage, plan);
  if (onDesktop) await keepPicture(rooms, stage, fresh, 'before.png');
  if (control) await record.evidence.started();
  call.onProgress('running', 'Running.');

  let known: RunResult['verified'] = null;
  const context = contextOf(rooms, call, stage, fresh, decision, (verified) => {
    known = verified;
  });
  let outcome;
  try {
    clock.stop.throwIfAborted();
    if (plan !== null && bound.steps !== undefined) {
      outcome = await runSequence({ rooms, call, stage, decision }, plan);
      known = outcome.verified;
    } else outcome = await bound.run(context, clock.stop);
  } finally {
    if (onDesktop) await rooms.holds.settle(call.caller.agent.id, clock.stop);
    if (onDesktop)
      await keepPicture(rooms, stage, fresh, 'after.png').catch((thrown: unknown) =>
        record.evidence.lost('after.png', thrown),
      );
  }
  const verified: RunResult['verified'] =
    known ?? (control ? { effect: 'unverified', before: null, after: null } : null);
  const { incomplete } = await record.end({
    outcome: verified?.effect ?? 'confirmed',
    verified: verified?.effect ?? null,
    before: verified?.before ?? null,
    after: verified?.after ?? null,
    result: outcome.value,
  });
  const evidenceDir = record.evidence.dir;
  return {
    executionId,
    value: outcome.value,
    text: outcome.text,
    effect: bound.effect,
    verified,
    decision,
    evidenceDir,
    incomplete,
  };
}

async function freshPlan(rooms: Rooms, call: RunCall, stage: Stage, plan: Plan | null): Promise<Plan | null> {
  const { bound, clock, desktop } = stage;
  if (plan === null || bound.plan === null) return plan;
  if (bound.steps === undefined) return compared(bound, { desktop, caller: call.caller }, plan, clock.stop);
  await compareSequence({ rooms, call, stage }, plan);
  return plan;
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
