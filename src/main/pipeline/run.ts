/**
 * The one pipeline. Comes in: an action and a call. Goes out: a result with what is known of its effect, or a WireError.
 * Called by `calls/` only; approvals, evidence and chat are entered from here and from nowhere else. What happens is told by events.
 */
import { randomUUID } from 'node:crypto';
import type { DesktopReader } from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import type { Effect } from '../protocol/index.js';
import type { AnyAction, BoundAction } from './action.js';
import { act } from './act.js';
import { effectOf } from './consequence/index.js';
import { createClock } from './clock.js';
import { denial } from './denial.js';
import { lookMeanwhile } from './look-meanwhile.js';
import type { Execution } from './executions.js';
import { asWireError, Stopped } from './failures.js';
import { pictureOf, sightOf, withSettledPixels } from './capture.js';
import { maskedReader } from './masked.js';
import { choosesFile } from './own-files.js';
import type { Plan } from './plan.js';
import { begin, exactSteps } from './record.js';
import type { CallRecord } from './call-record.js';
import type { ApprovalRequest, Decision } from './ports.js';
import { isControl } from './dependencies.js';
import type { Consent, PipelineDependencies, RunCall, RunResult, Stage } from './dependencies.js';
import type { CallStep } from './events.js';

export interface Runner {
  run(action: AnyAction, call: RunCall): Promise<RunResult>;
  /** Everything up to the decision: what a confirmation token stands for. */
  approve(action: AnyAction, call: RunCall): Promise<{ plan: Plan; decision: Decision }>;
}

export function createRunner(deps: PipelineDependencies): Runner {
  return {
    run: (action, call) => withExecution(deps, action, call, (stage) => whole(deps, action, call, stage)),
    approve: (action, call) =>
      withExecution(deps, action, call, async (stage) => {
        const { plan, decision } = await decideInTurn(deps, action, call, stage);
        if (plan === null)
          throw new WireError('DESKTOP_INVALID_REQUEST', `${action.name} needs no confirmation.`, {
            reason: 'no_confirm',
          });
        await stage.record.end({ outcome: 'confirmed', decision, plan });
        return { plan, decision };
      }),
  };
}

/** Everything that comes before and after any call: parse, workspace, permissions, an execution that can be aborted, a record that always ends. */
async function withExecution<T>(
  deps: PipelineDependencies,
  action: AnyAction,
  call: RunCall,
  work: (stage: Stage) => Promise<T>,
): Promise<T> {
  const executionId = randomUUID();
  const emit = (step: CallStep) => deps.events.emit({ executionId, callId: call.callId, caller: call.caller, ...step });
  let record: CallRecord | null = null;
  const clock = createClock(call, executionId);
  // Before anything is waited for: an agent's control calls act in the order in which they came.
  const turn = isControl(action.effect) ? deps.turns.reserve(call.caller.agent.id) : null;
  try {
    const bound = withHolds(deps, call, action.bind(call.input, call.caller.agent));
    if (bound.effect !== 'read' && bound.effect !== 'bookkeeping') deps.approver.assertOpen(call.caller);
    const { path, hidden: hiddenWorkspace } = await deps.recorder.workspace(call.workspace);
    await assertPermissions(deps.desktop, action, clock.stop);
    record = await begin(deps, action, bound, { ...call, workspace: path }, executionId);
    const remove = deps.executions.add(executionOf(deps, action, call, { bound, clock, executionId }));
    const desktop = maskedReader(deps.desktop, deps);
    try {
      const consent = call.gate?.(path) ?? { approved: null, phrase: null };
      noteApproved(consent, { record, emit });
      return await work({ bound, record, clock, desktop, emit, executionId, hiddenWorkspace, consent, turn });
    } finally {
      remove();
    }
  } catch (thrown) {
    const failed = clock.explain(thrown) ?? asWireError(thrown);
    const error = action.release === true ? await released(deps, call, failed) : failed;
    if (record === null) await deps.recorder.refused(refusalOf(deps, action, call, error));
    else await record.fail(error);
    throw error;
  } finally {
    turn?.cancel();
    clock.end();
    const ended = record?.ended() ?? null;
    if (ended !== null) emit({ kind: 'ended', call: ended });
  }
}

function executionOf(
  deps: PipelineDependencies,
  action: AnyAction,
  call: RunCall,
  { bound, clock, executionId }: Pick<Stage, 'bound' | 'clock' | 'executionId'>,
): Execution {
  return {
    executionId,
    aliases: call.aliases,
    caller: call.caller,
    tool: action.name,
    offDesktop: bound.offDesktop === true,
    harmless: bound.effect === 'bookkeeping',
    stop(reason) {
      clock.halt(reason);
      // Whoever stops an act, even one that still waits, wants nothing held down for its agent.
      if (isControl(bound.effect)) void deps.holds.release(call.caller.agent.id, reason);
    },
  };
}

function noteApproved({ approved }: Consent, { record, emit }: Pick<Stage, 'record' | 'emit'>): void {
  if (approved === null) return;
  record.planned(approved.plan);
  decided({ record, emit }, approved.decision);
}

function refusalOf(deps: PipelineDependencies, action: AnyAction, { caller, requestId }: RunCall, error: WireError) {
  return { caller, tool: action.name, requestId, error: error.toJSON(), at: deps.now().toISOString() };
}

/** A release is never refused: where it cannot be what was asked for, what is held is let go all the same. */
async function released(deps: PipelineDependencies, call: RunCall, error: WireError): Promise<WireError> {
  const { id } = call.caller.agent;
  if (deps.holds.of(id).length === 0) return error;
  await deps.holds.release(id, new Stopped('abort', 'It was let go.'));
  const words = 'What was held was let go all the same, after Escape: nothing was dropped or clicked.';
  return new WireError(error.code, `${error.message} ${words}`, { ...error.details, released: true });
}

async function whole(deps: PipelineDependencies, action: AnyAction, call: RunCall, stage: Stage): Promise<RunResult> {
  const { bound, clock } = stage;
  if (!isControl(bound.effect)) {
    stage.turn?.cancel();
    const { plan, decision } = await decide(deps, action, call, stage);
    return act(deps, call, stage, plan, decision);
  }
  const leaveTurn = await turn(deps, call, stage);
  try {
    const { plan, decision } = stage.consent.approved ?? (await decide(deps, action, call, stage));
    const leaveLane = bound.offDesktop === true ? () => {} : await deps.holds.enter(call.caller.agent.id, clock);
    try {
      return await act(deps, call, stage, plan, decision);
    } finally {
      leaveLane();
    }
  } finally {
    leaveTurn();
  }
}

/** Every plan made while something is held down says so: it changes what an act does, and makes a drag of a move. */
function withHolds(deps: PipelineDependencies, call: RunCall, bound: BoundAction): BoundAction {
  const { plan, effect } = bound;
  const { id } = call.caller.agent;
  // What touches nothing on the desktop does the same whether something is held or not.
  if (plan === null || !isControl(effect) || bound.offDesktop === true) return bound;
  return {
    ...bound,
    get effect() {
      return effect === 'pointer' && deps.holds.of(id).length > 0 ? 'input' : effect;
    },
    plan: async (ctx, signal) => deps.holds.noted(id, await plan(ctx, signal)),
  };
}

async function turn(deps: PipelineDependencies, call: RunCall, stage: Stage): Promise<() => void> {
  const place = stage.turn ?? deps.turns.reserve(call.caller.agent.id);
  if (place.waiting) stage.emit({ kind: 'queued' });
  return place.enter(stage.clock.stop);
}

async function decideInTurn(deps: PipelineDependencies, action: AnyAction, call: RunCall, stage: Stage) {
  const leave = await turn(deps, call, stage);
  try {
    return await decide(deps, action, call, stage);
  } finally {
    leave();
  }
}

async function decide(
  deps: PipelineDependencies,
  action: AnyAction,
  call: RunCall,
  stage: Stage,
): Promise<{ plan: Plan | null; decision: Decision }> {
  const { bound, clock, desktop, record } = stage;
  const bare = bound.plan === null ? null : await bound.plan({ desktop, caller: call.caller }, clock.stop);
  const seen = bare === null ? null : await withSettledPixels(desktop, bare, clock.stop);
  const plan = seen?.plan ?? null;
  record.planned(plan);
  const covering = plan === null ? null : deps.holds.covers(call.caller.agent.id, plan);
  if (covering !== null) {
    decided(stage, covering);
    // Nobody was shown a picture of this one.
    return { plan: plan && { ...plan, pixels: null }, decision: covering };
  }
  const files = plan !== null && isControl(bound.effect) && bound.offDesktop !== true;
  const chooses = files && (await choosesFile(deps.ownFiles, desktop, { plan, given: call.arguments }, clock.stop));
  const alwaysAsk = stage.hiddenWorkspace || plan?.alwaysAsk === true || chooses;
  const effect = effectOf(bound.effect, plan);
  // A phrase says that its client believes to have consent; the person sees each of these themselves.
  const shown = alwaysAsk || effect === 'dangerous';
  if (stage.consent.phrase !== null && !shown) {
    decided(stage, stage.consent.phrase);
    return { plan, decision: stage.consent.phrase };
  }
  const picture = plan === null ? null : await pictureOf(deps.imaging, plan, seen?.capture ?? null);
  const sight = plan === null || seen?.capture == null ? null : sightOf(plan, seen.capture);
  const request = requestOf(deps, action, call, stage, { plan, picture, sight, effect, alwaysAsk });
  const answered = new AbortController();
  const waiting = (card: { approvalId: string }) => {
    clock.awaiting(card.approvalId);
    call.onWaiting?.(true);
    lookMeanwhile(deps, stage, plan, answered.signal);
    stage.emit({ kind: 'waiting', approvalId: card.approvalId });
  };
  stage.emit({ kind: 'deciding', effect, subject: request.subject, windowId: plan?.window?.id ?? null });
  const decision = await deps.approver.decide(request, waiting, clock.wait).finally(() => {
    answered.abort();
    clock.answered();
    call.onWaiting?.(false);
  });
  decided(stage, decision);
  if (decision.kind === 'denied') throw denial(decision);
  return { plan, decision };
}

function requestOf(
  deps: PipelineDependencies,
  action: AnyAction,
  call: RunCall,
  { bound, executionId }: Stage,
  found: Pick<ApprovalRequest, 'plan' | 'picture' | 'sight' | 'alwaysAsk'> & { effect: Effect },
): ApprovalRequest {
  const { plan, picture, sight, effect, alwaysAsk } = found;
  return {
    executionId,
    callKey: deps.digest([call.caller.agent.id, action.name, call.arguments, call.workspace, ...exactSteps(bound)]),
    caller: call.caller,
    action: { name: action.name, title: action.title, effect },
    arguments: call.arguments,
    subject: plan?.subject ?? bound.subject,
    plan,
    picture,
    sight,
    workspace: call.workspace,
    alwaysAsk,
  };
}

function decided({ record, emit }: Pick<Stage, 'record' | 'emit'>, decision: Decision): void {
  record.decided(decision);
  emit({ kind: 'decided', decision });
}

async function assertPermissions(desktop: DesktopReader, action: AnyAction, signal: AbortSignal): Promise<void> {
  if (action.needs.length === 0) return;
  const states = await desktop.permissions(signal);
  const missing = action.needs.filter((permission) => states[permission] !== 'granted');
  if (missing.length === 0) return;
  throw new WireError('DESKTOP_PERMISSION_MISSING', `Chaperone lacks ${missing.join(' and ')}.`, { missing, states });
}
