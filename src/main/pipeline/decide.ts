/** Decides about one call: its plan is made and shown to the approver, unless held input or the caller's confirmation already answers. */
import { effectOf } from './consequence/index.js';
import type { Capture } from '../../native/desktop.js';
import { drawCardPicture, fingerprintSettledPlan, isAtRest } from './capture.js';
import { denialError } from './denial.js';
import { asWireError } from './failures.js';
import { isControlEffect, type CallState } from './dependencies.js';
import { observeWhileWaiting } from './observe-while-waiting.js';
import { checkFiles } from './own-files.js';
import type { Plan } from './plan.js';
import type { ApprovalRequest, CardPicture, Decision } from './ports.js';
import { needsPixelsForPersonOnly } from './restore.js';
import { planContextOf } from './run-context.js';
import type { Effect } from '../protocol/index.js';
import { message } from '../../messages/index.js';

export async function decideCall(state: CallState): Promise<{ plan: Plan | null; decision: Decision }> {
  const { deps, call, bound, clock, record, timing } = state;
  timing.stage('plan');
  const planned = bound.plan === null ? null : await bound.plan(planContextOf(state), clock.stop);
  timing.stage('picture');
  const captured = planned === null ? null : await fingerprintForDecision(state, planned);
  const found = captured?.plan ?? planned;
  record.setPlan(found);
  timing.stage('decide');
  const covering = found === null ? null : deps.holds.coveringDecision(call.caller.agent.id, found);
  if (covering !== null) {
    recordDecision(state, covering);
    // No picture of this plan was shown, so there are no approved pixels to compare.
    return { plan: found && { ...found, pixels: null }, decision: covering };
  }
  const plan = await withFilesChecked(state, found);
  const alwaysAsk = state.hiddenWorkspace || plan?.alwaysAsk === true;
  const effect = effectOf(bound.effect, plan);
  // A confirmation phrase only says that the client believes it has consent; these acts need the person's own.
  const needsPerson = alwaysAsk || effect === 'dangerous';
  const { phrase } = state.consent;
  if (phrase !== null && !needsPerson) {
    recordDecision(state, phrase);
    return { plan, decision: phrase };
  }
  let shown = plan;
  const drawPicture = async () => {
    const drawn = await drawCard(state, plan, captured);
    shown = drawn.plan;
    return drawn;
  };
  const request = requestOf(state, { plan, ...(plan === null ? {} : { drawPicture }), effect, alwaysAsk });
  const decision = await ask(state, request);
  return { plan: shown, decision };
}

/** null where pixels matter only if a person is asked: that a window rests is known without a picture of it. */
async function fingerprintForDecision({ desktop, clock }: CallState, plan: Plan) {
  if (needsPixelsForPersonOnly(plan) && (await isAtRest(desktop, plan, clock.stop))) return null;
  return fingerprintSettledPlan(desktop, plan, clock.stop);
}

/** The picture of a card and the plan with its pixels. `taken`: where they were taken for the plan. */
async function drawCard(
  { deps: { imaging }, desktop, clock, record, timing }: CallState,
  plan: Plan | null,
  taken: { capture: Capture | null } | null,
): Promise<CardPicture & { plan: Plan | null }> {
  if (plan === null) return { plan, picture: null, fullView: null };
  try {
    timing.stage('picture');
    const drawn = taken === null ? await fingerprintSettledPlan(desktop, plan, clock.stop) : { ...taken, plan };
    record.setPlan(drawn.plan);
    return {
      plan: drawn.plan,
      ...(await drawCardPicture({ imaging, desktop }, drawn.plan, drawn.capture, clock.stop)),
    };
  } catch (thrown) {
    // An error of the desktop is the caller's to know, and no denial.
    throw asWireError(thrown);
  } finally {
    timing.stage('decide');
  }
}

/** Throws where the act would hand over one of Chaperone's own files. */
async function withFilesChecked(state: CallState, plan: Plan | null): Promise<Plan | null> {
  const { deps, call, bound, clock, desktop, record } = state;
  if (plan === null || !isControlEffect(bound.effect) || bound.offDesktop === true) return plan;
  // Nothing is pressed, so no dialog and no application is given a file.
  if (bound.effect === 'pointer' && plan.drop === undefined) return plan;
  const { asks, ownFiles } = await checkFiles(deps.ownFiles, desktop, { plan, given: call.arguments }, clock.stop);
  if (!asks) return plan;
  const asked: Plan = { ...plan, alwaysAsk: true };
  if (!ownFiles) return asked;
  const noted: Plan = { ...asked, ownFiles: true, notes: [...plan.notes, message('note.own_files')] };
  record.setPlan(noted);
  return noted;
}

/** Throws where the answer is no. */
async function ask(state: CallState, request: ApprovalRequest): Promise<Decision> {
  const { deps, call, clock } = state;
  const { plan, subject } = request;
  let endObserving = (): void => undefined;
  const waiting = ({ approvalId }: { approvalId: string }) => {
    clock.startWaiting(approvalId);
    // The answer may take hours; the picture is taken again then.
    state.picture.forget();
    call.onWaiting?.(true);
    const answered = new AbortController();
    endObserving = () => answered.abort();
    observeWhileWaiting(state, plan, answered.signal);
    state.emit({ kind: 'waiting', approvalId });
  };
  state.emit({ kind: 'deciding', effect: request.action.effect, subject, windowId: plan?.window?.id ?? null });
  let decision: Decision;
  try {
    decision = await deps.approver.decide(request, waiting, clock.waitSignal);
  } finally {
    endObserving();
    clock.endWaiting();
    call.onWaiting?.(false);
  }
  recordDecision(state, decision);
  if (decision.kind === 'denied') throw denialError(decision);
  return decision;
}

function requestOf(
  { action, call, bound, record: { requestDigest }, executionId }: CallState,
  found: Pick<ApprovalRequest, 'plan' | 'drawPicture' | 'alwaysAsk'> & { effect: Effect },
): ApprovalRequest {
  const { plan, effect, alwaysAsk, drawPicture } = found;
  const request: ApprovalRequest = {
    executionId,
    callKey: JSON.stringify([call.caller.agent.id, call.workspace, requestDigest]),
    caller: call.caller,
    action: { name: action.name, title: action.title, effect },
    arguments: call.arguments,
    subject: plan?.subject ?? bound.subject,
    plan,
    picture: null,
    workspace: call.workspace,
    alwaysAsk,
  };
  if (drawPicture !== undefined) request.drawPicture = drawPicture;
  if (call.unasked === true) request.unasked = true;
  return request;
}

export function recordDecision({ record, emit }: Pick<CallState, 'record' | 'emit'>, decision: Decision): void {
  record.setDecision(decision);
  emit({ kind: 'decided', decision });
}
