import { withoutUnseen, restorePlanWindow, resolveAndCompare, scrollTargetIntoView } from './restore.js';
import { effectOf } from './consequence/index.js';
import { createRunContexts, planContextOf } from './run-context.js';
import type { Capture } from '../../native/desktop.js';
import { capturePlan } from './capture.js';
import { captureAhead, type HidingReader } from './masked.js';
import type { ActionOutcome } from './action.js';
import type { Plan } from '../approvals/plan.js';
import type { Decision } from '../approvals/request.js';
import type { Shown } from '../evidence/execution.js';
import { isControlEffect } from '../protocol/index.js';
import type { CallState, RunResult } from './dependencies.js';
import { compareSequence, runSequence } from './sequence-run.js';
import { readBaseline, type Baseline } from './verify/changes.js';

/**
 * The second half of the pipeline: restore, compare with the approved plan, act, verify, save evidence. `leaveLane` is called when
 * the desktop is needed no more: what remains to be written holds nobody up.
 */
export async function act(
  state: CallState,
  plan: Plan | null,
  decision: Decision,
  leaveLane: () => void = () => {},
): Promise<RunResult> {
  const { deps, call, bound, record, clock, timing } = state;
  timing.stage('restore');
  const control = isControlEffect(bound.effect);
  const onDesktop = control && bound.offDesktop !== true;
  const expected = plan === null ? null : withoutUnseen(plan, decision);
  const ahead = onDesktop ? encodeAhead(state, expected) : null;
  if (control) deps.approver.assertOpen(call.caller);
  // Checked again, because the call may have waited for a long time.
  if (control || bound.effect === 'disclose') deps.assertClear(bound.offDesktop === true);
  const ready =
    control && expected !== null
      ? await restorePlanWindow(state.desktop, deps.desktop, expected, clock.stop)
      : { plan, desktop: state.desktop };
  timing.stage('compare');
  const { fresh: unscrolled, approved } = await freshPlan(state, ready);
  timing.stage('before');
  const baseline = readBaselineAhead(state, unscrolled);
  await ahead;
  const before = onDesktop ? await saveBefore(state, unscrolled) : null;
  timing.stage('started');
  if (control) await record.evidence.started();
  state.emit({ kind: 'acting', step: null });
  timing.stage('scroll');
  const fresh = await scrollTargetIntoView(state, decision, bound, unscrolled);
  const outcome = await perform(state, decision, { fresh, approved, baseline, before, onDesktop, leaveLane });
  return recordResult(state, outcome, { plan, decision, control });
}

interface Performed {
  fresh: Plan | null;
  approved: Plan | null;
  baseline: Promise<Baseline> | null;
  before: Capture | null;
  onDesktop: boolean;
  leaveLane(): void;
}

/** Runs the handler. Held input is settled and a picture is saved even when it fails. */
async function perform(
  state: CallState,
  decision: Decision,
  { fresh, approved, baseline, before, onDesktop, leaveLane }: Performed,
): Promise<ActionOutcome> {
  const { deps, call, bound, record, clock, timing } = state;
  timing.stage('act');
  const contexts = createRunContexts(state, fresh, decision, { baseline, mustKnow: false });
  try {
    clock.stop.throwIfAborted();
    return approved !== null && bound.steps !== undefined
      ? await runSequence(state, decision, approved)
      : await deps.edits.follow(deps.desktop, fresh, clock.stop, () => bound.run(contexts, clock.stop));
  } finally {
    timing.stage('after');
    if (onDesktop) await deps.holds.settle(call.caller.agent.id, clock.stop);
    const lost = (thrown: unknown) => record.evidence.lost('after.png', thrown);
    const after = onDesktop ? await captureAround(state, fresh).catch(lost) : null;
    leaveLane();
    if (after) await writePicture(state, 'after.png', after, before).catch(lost);
  }
}

async function recordResult(
  { bound, record, timing, executionId }: CallState,
  outcome: ActionOutcome,
  { plan, decision, control }: { plan: Plan | null; decision: Decision; control: boolean },
): Promise<RunResult> {
  const verified: RunResult['verified'] =
    outcome.verified ?? (control ? { effect: 'unverified', before: null, after: null } : null);
  timing.stage('record');
  const { incomplete, unrecorded, kept } = await record.end({
    outcome: verified?.effect ?? 'confirmed',
    verified: verified?.effect ?? null,
    before: verified?.before ?? null,
    after: verified?.after ?? null,
    result: 'kept' in outcome ? outcome.kept : outcome.value,
  });
  if (!control && unrecorded !== null) throw unrecorded;
  const evidenceDir = record.evidence.dir;
  return {
    executionId,
    value: outcome.value,
    text: outcome.text,
    effect: effectOf(bound.effect, plan),
    verified,
    decision,
    evidenceDir,
    kept,
    incomplete,
    times: timing.times(),
  };
}

/** Resolves the plan again. `approved` is what the steps of a sequence are compared with. */
async function freshPlan(
  state: CallState,
  { plan, desktop }: { plan: Plan | null; desktop: HidingReader },
): Promise<{ fresh: Plan | null; approved: Plan | null }> {
  const { bound, clock } = state;
  if (plan === null || bound.plan === null) return { fresh: plan, approved: plan };
  if (bound.steps === undefined)
    return {
      fresh: await resolveAndCompare(bound, planContextOf({ ...state, desktop }), plan, clock.stop),
      approved: plan,
    };
  const approved = await compareSequence(state, plan);
  return { fresh: approved, approved };
}

/** Beside `before.png` and the durable start. null where the handler reads it itself: scrolling would change what was read. */
function readBaselineAhead({ bound, desktop, clock }: CallState, plan: Plan | null): Promise<Baseline> | null {
  if (bound.verifiesEffect !== true || plan === null || plan.scroller !== undefined) return null;
  return readBaseline(desktop, plan.window, clock.stop);
}

/**
 * In the background: unless the window is painted until then, this picture is `before.png`. Where pixels are compared, that takes
 * the picture; where only a window is compared, there is no time to use. Resolves when it is taken, never rejects.
 */
async function encodeAhead(state: CallState, plan: Plan | null): Promise<void> {
  const { deps, picture, record, clock } = state;
  if (record.evidence.dir === null) return;
  const shown = plan?.window?.visible === true ? plan.window : null;
  const isTakenHere =
    shown !== null && plan?.target.kind !== 'window' && plan?.pixels === null && picture.last() === null;
  const known = isTakenHere
    ? await captureAhead(deps.desktop, deps, picture, shown.id, clock.stop).catch(() => null)
    : picture.last();
  if (known !== null) deps.imaging.png(known).catch(() => undefined);
}

async function saveBefore(state: CallState, plan: Plan | null): Promise<Capture | null> {
  const capture = await captureAround(state, plan);
  if (capture !== null) await writePicture(state, 'before.png', capture);
  return capture?.picture ?? null;
}

const haveSamePixels = (one: Capture, other: Capture): boolean =>
  one === other ||
  (one.width === other.width && one.height === other.height && Buffer.compare(one.rgb, other.rgb) === 0);

interface Taken {
  picture: Capture;
  shows: Shown;
}

const PICTURE_MS = 5000;

/** null where no picture is kept. A window that is gone, hidden or slow leaves only the screen to show. */
async function captureAround({ desktop, record }: CallState, plan: Plan | null): Promise<Taken | null> {
  if (record.evidence.dir === null || plan === null) return null;
  const limit = () => AbortSignal.timeout(PICTURE_MS);
  const shows = plan.window?.visible === true ? 'call' : 'screen';
  return capturePlan(desktop, plan, limit()).then(
    (picture): Taken => ({ picture, shows }),
    async (): Promise<Taken> => ({ picture: await desktop.capture({ kind: 'display' }, limit()), shows: 'screen' }),
  );
}

async function writePicture(
  { deps, record }: CallState,
  name: 'before.png' | 'after.png',
  { picture, shows }: Taken,
  before: Capture | null = null,
): Promise<void> {
  // Not encoded again where it looks the same, as that of a window that only moved does.
  const same = before !== null && haveSamePixels(before, picture) ? before : picture;
  await record.evidence.write(name, await deps.imaging.png(picture, same), shows);
}
