/** Decides about one call: its plan is made and shown to the approver, unless held input or the caller's confirmation already answers. */
import { effectOf } from './consequence/index.js';
import type { Capture } from '../../native/desktop.js';
import { drawCardPicture, fingerprintSettledPlan, isAtRest } from './capture.js';
import { asWireError } from './failures.js';
import { isControlEffect, title, titleOf, WireError, type Effect } from '../protocol/index.js';
import type { CallState } from './dependencies.js';
import { PlanOutdated } from './compare.js';
import { checkFiles } from './own-files.js';
import { windowsOf, type Plan } from '../approvals/plan.js';
import { WaitEnded, type ApprovalRequest, type CardPicture, type Decision, type Sight } from '../approvals/request.js';
import { needsPixelsForPersonOnly } from './restore.js';
import { planContextOf } from './run-context.js';
import { SCREEN, shownBy, sightOf, Witness } from './sight.js';
import { withheldError } from './audience.js';
import { message, formatEnglish } from '../../messages/index.js';
import { recordState } from './verify/effect.js';

export interface Decided {
  plan: Plan | null;
  decision: Decision;
}

/** What the policy refuses is refused before anything is looked at. What was found, or not, is told to nobody who may not see it. */
export async function decideCall(state: CallState): Promise<Decided> {
  const { deps, bound } = state;
  const refused = deps.approver.refused([bound.effect, ...(bound.steps ?? []).map((step) => step.bound.effect)]);
  if (refused !== null) return deny(state, refused);
  return decidePlanned(state, false);
}

/** Without `patient`, the plan waits only for what the agent may see: how long it takes would tell what is starting. */
async function decidePlanned(state: CallState, patient: boolean): Promise<Decided> {
  const { deps, call } = state;
  const witness = new Witness((shown) => patient || sightOf(deps.approver, call.caller, [shown]) === 'sees');
  const ready = await prepare(state, witness).catch(async (thrown: unknown) => {
    const asked = await askToTell(state, witness, thrown);
    if (!asked || patient || !isStarting(thrown)) throw thrown;
    return null;
  });
  if (ready === null) return decidePlanned(state, true);
  if ('decision' in ready) return ready;
  return decidePrepared(state, ready).catch((thrown: unknown) => {
    if (thrown instanceof PlanOutdated) return decidePlanned(state, patient);
    throw thrown;
  });
}

const isStarting = (thrown: unknown): boolean =>
  thrown instanceof WireError && thrown.details['reason'] === 'still_starting';

/** A plan as the person is asked about it. */
interface Prepared {
  plan: Plan | null;
  effect: Effect;
  alwaysAsk: boolean;
  /** Of where this acts. */
  sight: Sight;
  captured: Captured | null;
}

type Captured = Awaited<ReturnType<typeof fingerprintSettledPlan>>;

/** Everything that looks at the desktop before the decision. */
async function prepare(state: CallState, witness: Witness): Promise<Prepared | Decided> {
  const { deps, call, bound, clock, desktop, record, timing } = state;
  timing.stage('plan');
  const ctx = planContextOf({ deps, call, desktop: witness.watch(desktop) });
  const planned = bound.plan === null ? null : await bound.plan(ctx, clock.stop);
  timing.stage('picture');
  const captured = planned === null ? null : await fingerprintForDecision(state, planned);
  const found = withSight(state, captured?.plan ?? planned);
  record.setPlan(found);
  timing.stage('decide');
  const covering = found === null ? null : deps.holds.coveringDecision(call.caller.agent.id, found);
  if (covering !== null) {
    recordDecision(state, covering);
    // No picture of this plan was shown, so there are no approved pixels to compare.
    return { plan: found && { ...found, pixels: null }, decision: covering };
  }
  const plan = await withFilesChecked(state, found);
  const effect = effectOf(bound.effect, plan);
  const sight = sightOf(deps.approver, call.caller, shownByAct(state, plan));
  const unseen = sight !== 'sees';
  const refused = unseen ? deps.approver.refused([effect, ...(plan?.steps ?? []).map((step) => step.effect)]) : null;
  if (refused !== null) throw denialError(refused);
  const isCrowded = windowsOf(plan).some(({ crowded }) => crowded === true);
  const alwaysAsk = state.hiddenWorkspace || plan?.alwaysAsk === true || isCrowded;
  // Drawn here, inside the call's own error handling.
  if (!unseen || plan === null || captured !== null) return { plan, effect, alwaysAsk, sight, captured };
  const drawn = await fingerprintSettledPlan(desktop, plan, clock.stop);
  record.setPlan(drawn.plan);
  return { plan: drawn.plan, effect, alwaysAsk, sight, captured: drawn };
}

async function decidePrepared(state: CallState, ready: Prepared): Promise<Decided> {
  const { plan, effect, alwaysAsk, sight, captured } = ready;
  // A confirmation phrase only says that the client believes it has consent; these acts need the person's own.
  const needsPerson = alwaysAsk || plan?.file !== undefined || sight !== 'sees' || effect === 'dangerous';
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
  const picture = plan === null ? {} : { drawPicture };
  const decision = await ask(
    state,
    requestOf(state, { plan, ...picture, effect, alwaysAsk, unseen: sight !== 'sees' }),
  );
  return { plan: shown, decision };
}

/** Only an act tells by how it goes what is there; a look is itself what the person is asked about. */
const shownByAct = ({ bound }: CallState, plan: Plan | null): Plan[] =>
  plan === null || !isControlEffect(bound.effect) || bound.offDesktop === true ? [] : shownBy(plan);

/** Says on the request that whoever acts there also sees what it does, unless the policy lets no agent see anything. */
function withSight(state: CallState, plan: Plan | null): Plan | null {
  const shown = shownByAct(state, plan);
  if (plan === null || sightOf(state.deps.approver, state.call.caller, shown) !== 'asks') return plan;
  const apps = [...new Set(shown.flatMap(({ subject: { app } }) => app ?? []))];
  const covers = apps.length > 0 ? message('note.sees_app', { apps }) : message('note.sees_titles');
  return { ...plan, sees: true, covers: [...(plan.covers ?? []), covers] };
}

/**
 * An error of an agent that may not see what it is about: the person is asked all the same, so that asking tells nothing. Resolves
 * where the agent may know: with true by an Allow, with false because it may see that anyway.
 */
async function askToTell(state: CallState, witness: Witness, thrown: unknown): Promise<boolean> {
  const { deps, call, bound, clock } = state;
  if (clock.stop.aborted || thrown instanceof WaitEnded) throw thrown;
  const error = asWireError(thrown);
  const needed = witness.needed(error.text);
  const sight = sightOf(deps.approver, call.caller, needed);
  if (sight === 'sees') return false;
  state.record.setPlan(null);
  const { text: why } = error;
  if (sight === 'never') {
    await ask(state, {
      ...requestOf(state, { plan: null, effect: bound.effect, alwaysAsk: true, unseen: true }),
      notes: [message('note.never_told', { why })],
    });
    throw withheldError();
  }
  const [only = SCREEN, ...more] = needed;
  const plan = more.length > 0 ? SCREEN : only;
  const what = plan.target.kind === 'titles' ? 'titles' : plan.target.kind === 'reading' ? 'app' : 'other';
  const subject = { ...plan.subject, title: title('title.see_for', { what, act: titleOf(bound.subject) }) };
  const asked = { ...plan, subject, notes: [message('note.agent_learns', { why })] };
  await ask(state, requestOf(state, { plan: asked, effect: 'disclose', alwaysAsk: false, unseen: false }));
  return true;
}

/** null where pixels matter only if a person is asked: that a window rests is known without a picture of it. */
async function fingerprintForDecision({ desktop, clock }: CallState, plan: Plan): Promise<Captured | null> {
  if (needsPixelsForPersonOnly(plan) && (await isAtRest(desktop, plan, clock.stop))) return null;
  return fingerprintSettledPlan(desktop, plan, clock.stop);
}

/** The picture of a card and the plan with its pixels. `taken`: where they were taken for the plan. */
async function drawCard(
  state: CallState,
  plan: Plan | null,
  taken: { capture: Capture | null } | null,
): Promise<CardPicture & { plan: Plan | null }> {
  const { deps, desktop, clock, record, timing } = state;
  if (plan === null) return { plan, picture: null, fullView: null };
  try {
    timing.stage('picture');
    await waitUntilLoaded(state, plan);
    const drawn = taken === null ? await fingerprintSettledPlan(desktop, plan, clock.stop) : { ...taken, plan };
    record.setPlan(drawn.plan);
    return {
      plan: drawn.plan,
      ...(await drawCardPicture({ imaging: deps.imaging, desktop }, drawn.plan, drawn.capture, clock.stop)),
    };
  } catch (thrown) {
    // An error of the desktop is the caller's to know, and no denial.
    throw asWireError(thrown);
  } finally {
    timing.stage('decide');
  }
}

/** An act on a window that is still loading would be refused after the Allow, because what was allowed has changed. */
async function waitUntilLoaded({ deps, call, bound, clock, desktop }: CallState, plan: Plan): Promise<void> {
  const { plan: planned } = bound;
  if (planned === null || !isControlEffect(bound.effect) || bound.offDesktop === true) return;
  const ctx = planContextOf({ deps, call, desktop });
  await deps.newWindows.waitUntilLoaded(plan, () => planned(ctx, clock.stop), clock.stop);
}

/** Throws where the act would hand over one of Chaperone's own files. */
async function withFilesChecked(state: CallState, plan: Plan | null): Promise<Plan | null> {
  const { deps, call, bound, clock, desktop, record } = state;
  if (plan === null || !isControlEffect(bound.effect) || bound.offDesktop === true) return plan;
  // Nothing is pressed, so no dialog and no application is given a file.
  if (bound.effect === 'pointer' && plan.drop === undefined) return plan;
  const { asks, ownFiles } = await checkFiles(deps.ownFiles, desktop, { plan, given: call.arguments }, clock.stop);
  if (!asks) return plan;
  const asked: Plan = { ...plan, alwaysAsk: true, asksFor: plan.asksFor ?? 'file' };
  if (!ownFiles) return asked;
  const noted: Plan = { ...asked, ownFiles: true, notes: [...plan.notes, message('note.own_files')] };
  record.setPlan(noted);
  return noted;
}

/** Throws where the answer is no. */
async function ask(state: CallState, request: ApprovalRequest): Promise<Decision> {
  const { deps, call, clock } = state;
  const { plan, subject } = request;
  let asked = false;
  let endObserving = (): void => undefined;
  const waiting = ({ approvalId, expiresAt }: { approvalId: string; expiresAt: string }) => {
    if (asked) return state.emit({ kind: 'waiting', approvalId, until: expiresAt });
    asked = true;
    clock.startWaiting(approvalId);
    // The answer may take hours; the picture is taken again then.
    state.picture.forget();
    call.onWaiting?.(true);
    const answered = new AbortController();
    endObserving = () => answered.abort();
    observeWhileWaiting(state, plan, answered.signal);
    state.emit({ kind: 'waiting', approvalId, until: expiresAt });
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
  if (decision.kind === 'denied') return deny(state, decision);
  recordDecision(state, decision);
  return decision;
}

function deny(state: CallState, decision: Extract<Decision, { kind: 'denied' }>): never {
  recordDecision(state, decision);
  throw denialError(decision);
}

function requestOf(
  { action, call, bound, record: { requestDigest }, executionId, hiddenWorkspace }: CallState,
  found: Pick<ApprovalRequest, 'plan' | 'drawPicture' | 'alwaysAsk'> & { effect: Effect; unseen: boolean },
): ApprovalRequest {
  const { plan, effect, alwaysAsk, unseen, drawPicture } = found;
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
    ...(hiddenWorkspace ? { asksFor: 'hidden' } : {}),
  };
  if (drawPicture !== undefined) request.drawPicture = drawPicture;
  if (unseen) request.unseen = true;
  if (call.unasked === true) request.unasked = true;
  return request;
}

export function recordDecision({ record, emit }: Pick<CallState, 'record' | 'emit'>, decision: Decision): void {
  record.setDecision(decision);
  emit({ kind: 'decided', decision });
}

/** Records what applications change by themselves while a person is being asked, so that it is not taken for an effect of the act. */
function observeWhileWaiting({ deps, bound, desktop }: CallState, plan: Plan | null, signal: AbortSignal): void {
  if (!isControlEffect(bound.effect) || bound.offDesktop === true) return;
  const observe = async () => {
    for (const window of windowsOf(plan)) await recordState({ desktop, history: deps.ownChanges, window }, signal);
  };
  // A failure only means that fewer effects can be confirmed.
  observe().catch(() => undefined);
}

/** The error that an agent gets for a denied call. */
function denialError(decision: Extract<Decision, { kind: 'denied' }>): WireError {
  const { reason, approvalId, by } = decision;
  const words = decision.message;
  const text = message('error.denied', {
    reason: reason === 'stopped' ? 'other' : reason === 'denied' && by === 'agent' ? 'withdrawn' : reason,
    said: words === null ? 'other' : 'yes',
    words: words ?? '',
  });
  return new WireError('DESKTOP_CONFIRM_REQUIRED', text, {
    reason: reason === 'stopped' ? 'denied' : reason,
    by,
    approvalId,
    ...(words === null ? {} : { message: formatEnglish(words) }),
    next:
      reason === 'timeout'
        ? 'Ask again when the person is there.'
        : 'Do not try the same again; ask the person with send_message what to do instead.',
  });
}
