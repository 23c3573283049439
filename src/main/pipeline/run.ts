/**
 * The pipeline that every action runs through: parse, plan, approve, compare, act, verify, record. Returns a result with its
 * verified effect, or throws a WireError. Only `calls/` calls it. No action may reach the desktop on another way.
 */
import { randomUUID } from 'node:crypto';
import type { DesktopReader, Permission } from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import type { AnyAction, BoundAction } from './action.js';
import { act } from './act.js';
import { decideCall, recordDecision } from './decide.js';
import { createCallClock } from './call-clock.js';
import { createCallTiming, type CallTiming } from './timing.js';
import type { Execution } from './executions.js';
import { asWireError, Stopped } from './failures.js';
import { maskedReader } from './masked.js';
import type { Plan } from './plan.js';
import { beginCallRecord } from './begin-call-record.js';
import type { CallRecord } from './call-record.js';
import type { Decision } from './ports.js';
import { isControl } from './dependencies.js';
import type { Consent, PipelineDependencies, RunCall, RunResult, Stage } from './dependencies.js';
import type { CallStep } from './events.js';
import { message, type Message } from '../../messages/index.js';

export interface Runner {
  run(action: AnyAction, call: RunCall): Promise<RunResult>;
  /** Runs everything up to the decision, which a confirmation token then stands for. */
  approve(action: AnyAction, call: RunCall): Promise<{ plan: Plan; decision: Decision }>;
}

export function createRunner(deps: PipelineDependencies): Runner {
  return {
    run: (action, call) =>
      withExecution(deps, action, call, (stage, timed) => decideAndAct(timed, action, call, stage)),
    approve: (action, call) =>
      withExecution(deps, action, call, async (stage, timed) => {
        const { plan, decision } = await decideInTurn(timed, action, call, stage);
        if (plan === null)
          throw new WireError('DESKTOP_INVALID_REQUEST', `${action.name} needs no confirmation.`, {
            reason: 'no_confirm',
          });
        await stage.record.end({ outcome: 'confirmed', decision, plan });
        return { plan, decision };
      }),
  };
}

async function withExecution<T>(
  untimed: PipelineDependencies,
  action: AnyAction,
  call: RunCall,
  work: (stage: Stage, deps: PipelineDependencies) => Promise<T>,
): Promise<T> {
  const timing = createCallTiming();
  return withRecord({ ...untimed, desktop: timing.timed(untimed.desktop) }, action, call, timing, work);
}

/** What every call has: parsed input, workspace, permission check, an execution that can be aborted, and a record that is always ended. */
async function withRecord<T>(
  deps: PipelineDependencies,
  action: AnyAction,
  call: RunCall,
  timing: CallTiming,
  work: (stage: Stage, deps: PipelineDependencies) => Promise<T>,
): Promise<T> {
  const executionId = randomUUID();
  const emit = (step: CallStep) => deps.events.emit({ executionId, callId: call.callId, caller: call.caller, ...step });
  let record: CallRecord | null = null;
  const clock = createCallClock(call, executionId);
  // Reserved before the first await: an agent's control calls act in the order in which they arrived.
  const turn = isControl(action.effect) ? deps.turns.reserve(call.caller.agent.id) : null;
  try {
    const bound = withHeldInput(deps, call, action.bind(call.input, call.caller.agent));
    if (bound.effect !== 'read' && bound.effect !== 'bookkeeping') deps.approver.assertOpen(call.caller);
    const { path, hidden: hiddenWorkspace } = await deps.recorder.workspace(call.workspace);
    await assertPermissions(deps.desktop, action, clock.stop);
    record = await beginCallRecord(deps, action, bound, { ...call, workspace: path }, { executionId, timing });
    const remove = deps.executions.add(executionOf(deps, action, call, { bound, clock, executionId }));
    const desktop = maskedReader(deps.desktop, deps);
    const shared = { bound, record, clock, timing, desktop, emit, executionId, hiddenWorkspace, turn };
    try {
      return await work({ ...shared, consent: givenConsent(call, path, shared) }, deps);
    } finally {
      remove();
    }
  } catch (thrown) {
    const failed = clock.explainEnd(thrown) ?? asWireError(thrown);
    const error = action.release === true ? await releaseHeldInput(deps, call, failed) : failed;
    await (record?.fail(error) ?? deps.recorder.refused(refusalOf(deps, action, call, error)));
    throw error;
  } finally {
    turn?.cancel();
    clock.dispose();
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
      // Stopping an act, even one that still waits, also releases what its agent holds down.
      if (isControl(bound.effect)) void deps.holds.release(call.caller.agent.id, reason);
    },
  };
}

function givenConsent({ gate }: RunCall, workspace: string, { record, emit }: Pick<Stage, 'record' | 'emit'>): Consent {
  const consent = gate?.(workspace) ?? { approved: null, phrase: null };
  if (consent.approved !== null) {
    record.setPlan(consent.approved.plan);
    recordDecision({ record, emit }, consent.approved.decision);
  }
  return consent;
}

function refusalOf(deps: PipelineDependencies, action: AnyAction, { caller, requestId }: RunCall, error: WireError) {
  return { caller, tool: action.name, requestId, error: error.facts(), at: deps.now().toISOString() };
}

/** A release must not fail: where the requested one is not possible, everything held is released anyway. */
async function releaseHeldInput(deps: PipelineDependencies, call: RunCall, error: WireError): Promise<WireError> {
  const { id } = call.caller.agent;
  if (deps.holds.of(id).length === 0) return error;
  await deps.holds.release(id, new Stopped('abort', message('stopped.let_go')));
  const text = message('error.released_all_the_same', { why: error.text });
  return new WireError(error.code, text, { ...error.details, released: true });
}

async function decideAndAct(
  deps: PipelineDependencies,
  action: AnyAction,
  call: RunCall,
  stage: Stage,
): Promise<RunResult> {
  const { bound, clock } = stage;
  if (!isControl(bound.effect)) {
    stage.turn?.cancel();
    const { plan, decision } = await decideCall(deps, action, call, stage);
    return act(deps, call, stage, plan, decision);
  }
  const leaveTurn = await turn(deps, call, stage);
  try {
    const { plan, decision } = stage.consent.approved ?? (await decideCall(deps, action, call, stage));
    stage.timing.stage('lane');
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

/** Adds held keys and buttons to every plan: they change what an act does, and turn a move into a drag. */
function withHeldInput(deps: PipelineDependencies, call: RunCall, bound: BoundAction): BoundAction {
  const { plan, effect } = bound;
  const { id } = call.caller.agent;
  // Held input has no influence on acts that do not use the desktop.
  if (plan === null || !isControl(effect) || bound.offDesktop === true) return bound;
  return {
    ...bound,
    get effect() {
      return effect === 'pointer' && deps.holds.of(id).length > 0 ? 'input' : effect;
    },
    plan: async (ctx, signal) => deps.holds.withHeldNote(id, await plan(ctx, signal)),
  };
}

async function turn(deps: PipelineDependencies, call: RunCall, stage: Stage): Promise<() => void> {
  stage.timing.stage('turn');
  const place = stage.turn ?? deps.turns.reserve(call.caller.agent.id);
  if (place.waiting) stage.emit({ kind: 'queued' });
  return place.enter(stage.clock.stop);
}

async function decideInTurn(deps: PipelineDependencies, action: AnyAction, call: RunCall, stage: Stage) {
  const leave = await turn(deps, call, stage);
  try {
    return await decideCall(deps, action, call, stage);
  } finally {
    leave();
  }
}

const NAMES: Record<Permission, Message> = {
  accessibility: message('permission.accessibility.lower'),
  screenRecording: message('permission.screenRecording.lower'),
};

async function assertPermissions(desktop: DesktopReader, action: AnyAction, signal: AbortSignal): Promise<void> {
  if (action.needs.length === 0) return;
  const states = await desktop.permissions(signal);
  const missing = action.needs.filter((permission) => states[permission] !== 'granted');
  if (missing.length === 0) return;
  throw new WireError(
    'DESKTOP_PERMISSION_MISSING',
    message('error.lacks', { permissions: missing.map((permission) => NAMES[permission]) }),
    { missing, states },
  );
}
