/**
 * The one pipeline. Comes in: an action and a call. Goes out: a result with what is known of its effect, or a WireError.
 * Called by the host's hub only; approvals, evidence and chat are entered from here and from nowhere else.
 */
import { randomUUID } from 'node:crypto';
import type { DesktopReader } from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import type { AnyAction, BoundAction } from './action.js';
import { act } from './act.js';
import { effectOf } from './consequence/index.js';
import { createClock } from './clock.js';
import { lookAhead } from './verify/effect.js';
import { asWireError, Stopped } from './failures.js';
import { pictureOf, sightOf, withSettledPixels } from './capture.js';
import { maskedReader } from './masked.js';
import { choosesFile } from './own-files.js';
import type { Plan } from './plan.js';
import { begin, exactSteps } from './record.js';
import type { CallRecord } from './call-record.js';
import type { Decision } from './ports.js';
import { isControl } from './dependencies.js';
import type { Rooms, RunCall, RunResult, Stage } from './dependencies.js';

export interface Runner {
  run(action: AnyAction, call: RunCall): Promise<RunResult>;
  /** Everything up to the decision: what a confirmation token stands for. */
  approve(action: AnyAction, call: RunCall): Promise<{ plan: Plan; decision: Decision }>;
}

export function createRunner(rooms: Rooms): Runner {
  return {
    run: (action, call) => withExecution(rooms, action, call, (stage) => whole(rooms, action, call, stage)),
    approve: (action, call) =>
      withExecution(rooms, action, call, async (stage) => {
        const { plan, decision } = await decideInTurn(rooms, action, call, stage);
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
  rooms: Rooms,
  action: AnyAction,
  call: RunCall,
  work: (stage: Stage) => Promise<T>,
): Promise<T> {
  const executionId = randomUUID();
  let record: CallRecord | null = null;
  const clock = createClock(call, executionId);
  // Before anything is waited for: an agent's control calls act in the order in which they came.
  const turn = isControl(action.effect) ? rooms.turns.reserve(call.caller.agent.id) : null;
  try {
    const bound = withHolds(rooms, call, action.bind(call.input, call.caller.agent));
    if (bound.effect !== 'read' && bound.effect !== 'bookkeeping') rooms.approver.assertOpen(call.caller);
    const workspace = await rooms.recorder.workspace(call.workspace);
    await assertPermissions(rooms.desktop, action, clock.stop);
    record = await begin(rooms, action, bound, { ...call, workspace: workspace.path }, executionId);
    const remove = rooms.executions.add({
      executionId,
      aliases: call.aliases,
      caller: call.caller,
      tool: action.name,
      offDesktop: bound.offDesktop === true,
      harmless: bound.effect === 'bookkeeping',
      stop(reason) {
        clock.halt(reason);
        // Whoever stops an act, even one that still waits, wants nothing held down for its agent.
        if (isControl(bound.effect)) void rooms.holds.release(call.caller.agent.id, reason);
      },
    });
    const desktop = maskedReader(rooms.desktop, rooms);
    try {
      const consent = call.gate?.(workspace.path) ?? { approved: null, phrase: null };
      if (consent.approved !== null) record.planned(consent.approved.plan);
      if (consent.approved !== null) record.decided(consent.approved.decision);
      return await work({
        bound,
        record,
        clock,
        desktop,
        executionId,
        hiddenWorkspace: workspace.hidden,
        consent,
        turn,
      });
    } finally {
      remove();
    }
  } catch (thrown) {
    const failed = clock.explain(thrown) ?? asWireError(thrown);
    const error = action.release === true ? await released(rooms, call, failed) : failed;
    if (record === null)
      await rooms.recorder.refused({
        caller: call.caller,
        tool: action.name,
        requestId: call.requestId,
        error: error.toJSON(),
        at: rooms.now().toISOString(),
      });
    else await record.fail(error);
    throw error;
  } finally {
    turn?.cancel();
    clock.end();
  }
}

/** A release is never refused: where it cannot be what was asked for, what is held is let go all the same. */
async function released(rooms: Rooms, call: RunCall, error: WireError): Promise<WireError> {
  const { id } = call.caller.agent;
  if (rooms.holds.of(id).length === 0) return error;
  await rooms.holds.release(id, new Stopped('abort', 'It was let go.'));
  const words = 'What was held was let go all the same, after Escape: nothing was dropped or clicked.';
  return new WireError(error.code, `${error.message} ${words}`, { ...error.details, released: true });
}

async function whole(rooms: Rooms, action: AnyAction, call: RunCall, stage: Stage): Promise<RunResult> {
  const { bound, clock } = stage;
  if (!isControl(bound.effect)) {
    stage.turn?.cancel();
    const { plan, decision } = await decide(rooms, action, call, stage);
    return act(rooms, call, stage, plan, decision);
  }
  const leaveTurn = await turn(rooms, call, stage);
  try {
    const { plan, decision } = stage.consent.approved ?? (await decide(rooms, action, call, stage));
    const leaveLane = bound.offDesktop === true ? () => {} : await rooms.holds.enter(call.caller.agent.id, clock);
    try {
      return await act(rooms, call, stage, plan, decision);
    } finally {
      leaveLane();
    }
  } finally {
    leaveTurn();
  }
}

/** Every plan made while something is held down says so: it changes what an act does, and makes a drag of a move. */
function withHolds(rooms: Rooms, call: RunCall, bound: BoundAction): BoundAction {
  const { plan, effect } = bound;
  const { id } = call.caller.agent;
  // What touches nothing on the desktop does the same whether something is held or not.
  if (plan === null || !isControl(effect) || bound.offDesktop === true) return bound;
  return {
    ...bound,
    get effect() {
      return effect === 'pointer' && rooms.holds.of(id).length > 0 ? 'input' : effect;
    },
    plan: async (ctx, signal) => rooms.holds.noted(id, await plan(ctx, signal)),
  };
}

async function turn(rooms: Rooms, call: RunCall, stage: Stage): Promise<() => void> {
  const place = stage.turn ?? rooms.turns.reserve(call.caller.agent.id);
  if (place.waiting) call.onProgress('queued', 'Waiting for this agent’s earlier call to end.');
  return place.enter(stage.clock.stop);
}

async function decideInTurn(rooms: Rooms, action: AnyAction, call: RunCall, stage: Stage) {
  const leave = await turn(rooms, call, stage);
  try {
    return await decide(rooms, action, call, stage);
  } finally {
    leave();
  }
}

async function decide(
  rooms: Rooms,
  action: AnyAction,
  call: RunCall,
  stage: Stage,
): Promise<{ plan: Plan | null; decision: Decision }> {
  const { bound, clock, desktop, record, executionId } = stage;
  const bare = bound.plan === null ? null : await bound.plan({ desktop, caller: call.caller }, clock.stop);
  const seen = bare === null ? null : await withSettledPixels(desktop, bare, clock.stop);
  const plan = seen?.plan ?? null;
  record.planned(plan);
  const covering = plan === null ? null : rooms.holds.covers(call.caller.agent.id, plan);
  if (covering !== null) {
    record.decided(covering);
    // Nobody was shown a picture of this one.
    return { plan: plan && { ...plan, pixels: null }, decision: covering };
  }
  const files = plan !== null && isControl(bound.effect) && bound.offDesktop !== true;
  const chooses = files && (await choosesFile(rooms.ownFiles, desktop, { plan, given: call.arguments }, clock.stop));
  const alwaysAsk = stage.hiddenWorkspace || plan?.alwaysAsk === true || chooses;
  const effect = effectOf(bound.effect, plan);
  // A phrase says that its client believes to have consent; the person sees each of these themselves.
  const shown = alwaysAsk || effect === 'dangerous';
  if (stage.consent.phrase !== null && !shown) {
    record.decided(stage.consent.phrase);
    return { plan, decision: stage.consent.phrase };
  }
  const picture = plan === null ? null : await pictureOf(rooms.imaging, plan, seen?.capture ?? null);
  const request = {
    executionId,
    callKey: rooms.digest([call.caller.agent.id, action.name, call.arguments, call.workspace, ...exactSteps(bound)]),
    caller: call.caller,
    action: { name: action.name, title: action.title, effect },
    arguments: call.arguments,
    subject: plan?.subject ?? bound.subject,
    plan,
    picture,
    sight: plan === null || seen?.capture == null ? null : sightOf(plan, seen.capture),
    workspace: call.workspace,
    alwaysAsk,
  };
  const decided = new AbortController();
  const waiting = (card: { approvalId: string }) => {
    clock.awaiting(card.approvalId);
    lookMeanwhile(rooms, stage, plan, decided.signal);
    call.onProgress('awaiting_human', 'Waiting for the person to decide.', card.approvalId);
  };
  const decision = await rooms.approver.decide(request, waiting, clock.wait).finally(() => {
    decided.abort();
    clock.answered();
  });
  record.decided(decision);
  if (decision.kind === 'denied') throw denial(decision);
  return { plan, decision };
}

/** While a person is being asked, time costs nothing: what changes by itself is seen, so that it is not taken for an effect. */
function lookMeanwhile(rooms: Rooms, { bound, desktop }: Stage, plan: Plan | null, signal: AbortSignal): void {
  if (!isControl(bound.effect) || bound.offDesktop === true) return;
  const windows = [plan, ...(plan?.steps ?? []).map((step) => step.plan)].map((one) => one?.window ?? null);
  const each = new Map(windows.filter((window) => window !== null).map((window) => [window.id, window]));
  const look = async () => {
    for (const window of each.values()) await lookAhead({ desktop, history: rooms.ownChanges, window }, signal);
  };
  // Where it fails, less is known, and less will be confirmed.
  look().catch(() => undefined);
}

function denial(decision: Extract<Decision, { kind: 'denied' }>): WireError {
  const { reason, message, approvalId, by } = decision;
  const words = {
    denied: 'The person said no',
    timeout: 'Nobody answered in time, so no',
    policy: 'The policy does not allow it',
    paused: 'Agents are paused',
    stopped: 'The person stopped everything',
  }[reason];
  const said = message === null ? '' : `: “${message}”`;
  return new WireError('DESKTOP_CONFIRM_REQUIRED', `${words}${said}.`, {
    reason: reason === 'stopped' ? 'denied' : reason,
    by,
    approvalId,
    ...(message === null ? {} : { message }),
    next:
      reason === 'timeout'
        ? 'Ask again when the person is there.'
        : 'Do not try the same again; ask the person with send_message what to do instead.',
  });
}

async function assertPermissions(desktop: DesktopReader, action: AnyAction, signal: AbortSignal): Promise<void> {
  if (action.needs.length === 0) return;
  const states = await desktop.permissions(signal);
  const missing = action.needs.filter((permission) => states[permission] !== 'granted');
  if (missing.length === 0) return;
  throw new WireError('DESKTOP_PERMISSION_MISSING', `Chaperone lacks ${missing.join(' and ')}.`, { missing, states });
}
