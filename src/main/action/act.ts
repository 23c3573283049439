import { WireError } from '../protocol/index.js';
import type { Desktop } from '../../native/desktop.js';
import { drift, pixelDrift, targetChanged } from './compare.js';
import type { RunContext } from './context.js';
import { guardedDesktop } from './guarded.js';
import { captureOf, withPixels } from './looking.js';
import type { Plan } from './plan.js';
import type { Decision } from './ports.js';
import { isControl } from './rooms.js';
import type { Rooms, RunCall, RunResult, Stage } from './rooms.js';
import { pause } from './waiting.js';

const SETTLE_MS = 1500;
const SETTLE_STEP_MS = 60;

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
  if (control) {
    rooms.approver.assertOpen(call.caller);
    await restore(stage.desktop, plan, clock.stop);
  }
  const fresh = plan === null || bound.plan === null ? plan : await compared(stage, call, plan);
  if (control) {
    await keepPicture(rooms, stage, fresh, 'before.png');
    await record.evidence.started();
  }
  call.onProgress('running', 'Running.');

  let known: RunResult['verified'] = null;
  const context = contextOf(rooms, call, stage, fresh, decision, (verified) => {
    known = verified;
  });
  let outcome;
  try {
    clock.stop.throwIfAborted();
    outcome = await bound.run(context, clock.stop);
  } finally {
    if (control) await rooms.desktop.releaseAll();
    if (control)
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

async function restore(desktop: Desktop, plan: Plan | null, signal: AbortSignal): Promise<void> {
  if (plan === null || plan.window === null || !plan.needsFocus) return;
  const { id } = plan.window;
  const gone = () => targetChanged([{ what: 'window', approved: plan.window?.title, now: null }]);
  const windows = await desktop.windows(signal);
  const now = windows.find((window) => window.id === id);
  if (now === undefined) throw gone();
  if (!now.focused || windows[0]?.id !== id) await desktop.focusWindow(id, signal);
  if (plan.target.kind === 'focus' && plan.target.element !== null)
    await refocus(desktop, plan.target.element.id, signal);
}

async function refocus(desktop: Desktop, id: string, signal: AbortSignal): Promise<void> {
  const focused = await desktop.focusedElement(signal);
  if (focused?.id !== id) await desktop.focusElement(id, signal);
}

/** Resolves again and compares; pixels get a moment to settle, because regaining focus repaints a window. */
async function compared(stage: Stage, call: RunCall, plan: Plan): Promise<Plan> {
  const { bound, clock, desktop } = stage;
  const giveUp = performance.now() + SETTLE_MS;
  for (;;) {
    const resolved = await resolveAgain(stage, call);
    const fresh = (await withPixels(desktop, resolved, clock.stop)).plan;
    const drifts = drift(plan, fresh);
    if (drifts.length > 0) throw targetChanged(drifts);
    if (!pixelDrift(plan, fresh)) return fresh;
    if (performance.now() > giveUp)
      throw targetChanged([{ what: 'pixels', approved: bound.subject.verb, now: 'different' }]);
    await pause(SETTLE_STEP_MS, clock.stop);
  }
}

/** What was approved and cannot be found any more has changed; other failures stay what they are. */
async function resolveAgain({ bound, clock, desktop }: Stage, call: RunCall): Promise<Plan> {
  if (bound.plan === null) throw new WireError('DESKTOP_INTERNAL_ERROR', 'A plan without a way to resolve it again.');
  try {
    return await bound.plan({ desktop, caller: call.caller }, clock.stop);
  } catch (thrown) {
    if (clock.stop.aborted || !isGone(thrown)) throw thrown;
    throw targetChanged([
      { what: 'target', approved: bound.subject.target, now: thrown instanceof Error ? thrown.message : null },
    ]);
  }
}

function isGone(thrown: unknown): boolean {
  return (
    (thrown instanceof WireError && thrown.code === 'DESKTOP_ELEMENT_NOT_FOUND') ||
    (thrown instanceof Error && 'code' in thrown && (thrown.code === 'stale' || thrown.code === 'not_found'))
  );
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

function contextOf(
  rooms: Rooms,
  call: RunCall,
  stage: Stage,
  plan: Plan | null,
  decision: Decision,
  verify: (known: RunResult['verified']) => void,
): RunContext {
  const { record, clock, executionId } = stage;
  const desktop = guardedDesktop(stage.desktop, {
    real: rooms.desktop,
    plan,
    protection: rooms.protection,
    revoked: () => rooms.approver.revoked(decision, call.caller),
    injecting: rooms.injecting,
    signal: clock.stop,
  });
  return {
    desktop,
    caller: call.caller,
    executionId,
    callId: call.callId,
    plan,
    workspace: call.workspace,
    chat: {
      ...rooms.chat,
      async ask(question, onWaiting) {
        const told = (ackId: string) => {
          clock.awaiting(null);
          call.onProgress('awaiting_human', 'Waiting for the person to answer.');
          onWaiting(ackId);
        };
        return rooms.chat.ask(question, told, clock.wait).finally(() => clock.answered());
      },
    },
    imaging: rooms.imaging,
    wait: clock.wait,
    verified: (effect, before, after) => verify({ effect, before, after }),
    trace: (entry) => record.evidence.trace(entry),
    keep: (name, bytes) => record.evidence.write(name, bytes),
    evidenceDir: record.evidence.dir,
    progress(state, message) {
      if (state === 'awaiting_human') clock.awaiting(null);
      else clock.answered();
      call.onProgress(state, message);
    },
  };
}
