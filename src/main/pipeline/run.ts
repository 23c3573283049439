/**
 * The pipeline that every action runs through: parse, plan, approve, compare, act, verify, record. Returns a result with its
 * verified effect, or throws a WireError. Only `calls/` calls it. No action may reach the desktop on another way.
 */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { isRecord } from '../../base/type-guards.js';
import { namesRecord, toldOf, withoutTitles, type Level } from './audience.js';
import { isControlEffect, WireError } from '../protocol/index.js';
import type {
  CallState,
  RunResult,
  CallRecord,
  Consent,
  PipelineDependencies,
  RunCall,
  CallStep,
} from './dependencies.js';
import { asWireError, Stopped } from './failures.js';
import type { Plan } from '../approvals/plan.js';
import { WaitEnded, type Decision, type Caller } from '../approvals/request.js';
import { SCREEN, shownBy, sightOf, TITLES, toldOnRequest } from './sight.js';
import type { Permission } from '../../native/desktop.js';
import type { AnyAction, BoundAction } from './action.js';
import { act } from './act.js';
import { DecidedTooEarly } from './consequence/index.js';
import { decideCall, recordDecision, type Decided } from './decide.js';
import { createCallClock, createCallTiming } from './call-clock.js';
import type { Execution } from './executions.js';
import { createKeptPicture, maskedReader } from './masked.js';
import { beginCallRecord } from './begin-call-record.js';
import { message, type Message } from '../../messages/index.js';

// The edge of the pipeline: what a call found or did leaves it only as far as its agent may see it.

interface Telling {
  plan: Plan | null;
  decision: Decision;
}

/** Runs what was decided. Of an act where the agent may not see, only its effect is told. */
export async function telling(state: CallState, decided: Telling, work: () => Promise<RunResult>): Promise<RunResult> {
  const { bound } = state;
  const looksAt = bound.offDesktop !== true && bound.effect !== 'read' && bound.effect !== 'bookkeeping';
  if (!looksAt) return work();
  try {
    const result = await work();
    return isControlEffect(bound.effect) && !sees(state, decided)('app')
      ? withheld(result, state.action.output)
      : result;
  } catch (thrown) {
    if (thrown instanceof WaitEnded || thrown instanceof Stopped) throw thrown;
    throw toldError(state, decided, thrown);
  }
}

function toldError(state: CallState, decided: Telling, thrown: unknown): unknown {
  const may = sees(state, decided);
  if (may('screen')) return thrown;
  const error = asWireError(thrown);
  if (isControlEffect(state.bound.effect)) return toldOf(error, may);
  return may('titles') || decided.plan?.target.kind === 'titles' ? error : withoutTitles(error);
}

/** Asked for each answer, as it is given: what was allowed for the session may have been taken back meanwhile. */
function sees(
  { deps: { approver }, call: { caller } }: CallState,
  { plan, decision }: Telling,
): (level: Level) => boolean {
  const may = (shown: readonly Plan[]): boolean => sightOf(approver, caller, shown) === 'sees';
  const rules: Record<Level, () => boolean> = {
    machine: () => true,
    call: () => true,
    app: () => toldOnRequest(plan, decision) || (plan !== null && may(shownBy(plan))),
    titles: () => may([TITLES]),
    screen: () => may([SCREEN]),
  };
  return (level) => rules[level]();
}

/** Told of a value is what is the same whatever is there. A field is not, until its schema says so. */
function constantsOf(value: unknown, schema: z.ZodType): Record<string, unknown> {
  const shape = schema instanceof z.ZodObject ? schema.shape : {};
  const constant = Object.keys(shape).filter((name) => isConstant(shape[name]));
  return isRecord(value) ? Object.fromEntries(constant.map((name) => [name, value[name]])) : {};
}

const isConstant = (field: unknown): boolean =>
  field instanceof z.ZodType && (namesRecord(field) || (field instanceof z.ZodLiteral && field.values.size === 1));

const withheld = ({ verified, ...result }: RunResult, output: z.ZodType): RunResult => ({
  ...result,
  value: constantsOf(result.value, output),
  text: 'Done. You may not see what is there, so only the effect is told.',
  verified: verified && { effect: verified.effect, before: null, after: null },
  withheld: true,
});

export type Runner = ReturnType<typeof createRunner>;

export function createRunner(deps: PipelineDependencies) {
  return {
    run: (action: AnyAction, call: RunCall): Promise<RunResult> => withExecution(deps, action, call, decideAndAct),
    /** Runs everything up to the decision, which a confirmation token then stands for. */
    approve: (action: AnyAction, call: RunCall): Promise<{ plan: Plan; decision: Decision }> =>
      withExecution(deps, action, call, async (state) => {
        const { plan, decision } = await inTurn(state, () => decideCall(state));
        if (plan === null)
          throw new WireError(
            'DESKTOP_INVALID_REQUEST',
            message('error.needs_no_confirmation', { name: action.name }),
            {
              reason: 'no_confirm',
            },
          );
        await state.record.end({ outcome: 'confirmed', decision, plan });
        return { plan, decision };
      }),
  };
}

/** What every call has: parsed input, workspace, permission check, an execution that can be aborted, and a record that is always ended. */
async function withExecution<T>(
  untimed: PipelineDependencies,
  action: AnyAction,
  call: RunCall,
  work: (state: CallState) => Promise<T>,
): Promise<T> {
  const [executionId, timing] = [randomUUID(), createCallTiming()];
  const deps = { ...untimed, desktop: timing.timed(untimed.desktop) };
  const emit = (step: CallStep) => deps.events.emit({ executionId, callId: call.callId, caller: call.caller, ...step });
  let record: CallRecord | null = null;
  const clock = createCallClock(call, executionId);
  // Reserved before the first await: an agent's control calls act in the order in which they arrived.
  const turn = isControlEffect(action.effect) ? deps.turns.reserve(call.caller.agent.id) : null;
  const begun = { deps, action, call, executionId, timing, clock, emit, turn };
  try {
    const bound = withHeldInput(deps, call, action.bind(call.input, call.caller.agent));
    const speaker = admit(deps, call.caller, bound);
    const { path, hidden: hiddenWorkspace } = await deps.recorder.workspace(call.workspace);
    await assertPermissions(begun);
    record = await beginCallRecord({ deps, action, call, bound, executionId, timing }, path);
    const remove = deps.executions.add(executionOf({ deps, action, call, bound, clock, executionId }));
    const state = stateOf(begun, { bound, record, hiddenWorkspace });
    try {
      state.consent = givenConsent(state, path);
      if (speaker !== null) await speaker;
      return await work(state);
    } finally {
      remove();
    }
  } catch (thrown) {
    const error = await releaseHeldInput(begun, clock.explainEnd(thrown) ?? asWireError(thrown));
    await (record?.fail(error) ?? deps.recorder.refused(refusalOf(begun, error)));
    throw error;
  } finally {
    turn?.cancel();
    clock.dispose();
    const ended = record?.ended() ?? null;
    if (ended !== null) emit({ kind: 'ended', call: ended });
  }
}

/** Throws while agents are paused. Resolves once it is known who speaks for this caller. */
function admit(
  { approver }: Pick<PipelineDependencies, 'approver'>,
  caller: Caller,
  { effect }: Pick<BoundAction, 'effect'>,
): Promise<void> | null {
  if (effect === 'read' || effect === 'bookkeeping') return null;
  approver.assertOpen(caller);
  return approver.look(caller);
}

const NO_CONSENT: Consent = { approved: null, phrase: null };

/** Field by field: put together by spreading it takes many times as long, in every call. */
function stateOf(
  begun: Pick<CallState, 'deps' | 'action' | 'call' | 'executionId' | 'timing' | 'clock' | 'emit' | 'turn'>,
  { bound, record, hiddenWorkspace }: Pick<CallState, 'bound' | 'record' | 'hiddenWorkspace'>,
): CallState {
  const { deps, action, call, executionId, timing, clock, emit, turn } = begun;
  const picture = createKeptPicture();
  const desktop = maskedReader(deps.desktop, deps, picture);
  const made = { deps, action, call, bound, record, clock, timing, desktop, picture, emit, executionId };
  return Object.assign(made, { hiddenWorkspace, consent: NO_CONSENT, turn });
}

/** A call whose input is not parsed yet. */
type BegunCall = Pick<CallState, 'deps' | 'action' | 'call' | 'executionId' | 'clock'>;

function executionOf({ deps, action, call, bound, clock, executionId }: BegunCall & { bound: BoundAction }): Execution {
  return {
    executionId,
    aliases: call.aliases,
    caller: call.caller,
    tool: action.name,
    does: action.does,
    offDesktop: bound.offDesktop === true,
    harmless: bound.effect === 'bookkeeping',
    stop(reason) {
      clock.halt(reason);
      // Stopping an act, even one that still waits, also releases what its agent holds down.
      if (isControlEffect(bound.effect)) void deps.holds.release(call.caller.agent.id, reason);
    },
  };
}

function givenConsent(state: CallState, workspace: string): Consent {
  const consent = state.call.gate?.(workspace) ?? NO_CONSENT;
  if (consent.approved !== null) {
    state.record.setPlan(consent.approved.plan);
    recordDecision(state, consent.approved.decision);
  }
  return consent;
}

function refusalOf({ deps, action, call: { caller, requestId } }: BegunCall, error: WireError) {
  return { caller, tool: action.name, requestId, error: error.facts(), at: deps.now().toISOString() };
}

/** A call that releases must not fail: where it is not possible as asked, everything held is released anyway. */
async function releaseHeldInput({ deps, action, call }: BegunCall, error: WireError): Promise<WireError> {
  const { id } = call.caller.agent;
  if (action.release !== true || deps.holds.of(id).length === 0) return error;
  await deps.holds.release(id, new Stopped('abort', message('stopped.let_go')));
  const text = message('error.released_all_the_same', { why: error.text });
  return new WireError(error.code, text, { ...error.details, released: true });
}

async function decideAndAct(state: CallState): Promise<RunResult> {
  const { bound } = state;
  if (!isControlEffect(bound.effect)) {
    state.turn?.cancel();
    const decided = await decideCall(state);
    return telling(state, decided, () => act(state, decided.plan, decided.decision));
  }
  return inTurn(state, async () => {
    const decided = state.consent.approved ?? (await decideCall(state));
    return actInLane(state, decided).catch(async (thrown: unknown) => {
      // Once: what changes each time is refused.
      if (!(thrown instanceof DecidedTooEarly) || bound.steps !== undefined) throw thrown;
      return actInLane(state, await decideCall(state));
    });
  });
}

async function actInLane(state: CallState, { plan, decision }: Decided): Promise<RunResult> {
  const { deps, call, bound, clock } = state;
  state.timing.stage('lane');
  const leaveLane = bound.offDesktop === true ? () => {} : await deps.holds.enter(call.caller.agent.id, clock);
  try {
    return await telling(state, { plan, decision }, () => act(state, plan, decision, leaveLane));
  } finally {
    leaveLane();
    deps.approver.acted(decision);
  }
}

/** Adds held keys and buttons to every plan: they change what an act does, and turn a move into a drag. */
function withHeldInput(deps: PipelineDependencies, call: RunCall, bound: BoundAction): BoundAction {
  const { plan, effect } = bound;
  const { id } = call.caller.agent;
  // Held input has no influence on acts that do not use the desktop.
  if (plan === null || !isControlEffect(effect) || bound.offDesktop === true) return bound;
  return {
    ...bound,
    get effect() {
      return effect === 'pointer' && deps.holds.of(id).length > 0 ? 'input' : effect;
    },
    plan: async (ctx, signal) => deps.holds.withHeldNote(id, await plan(ctx, signal)),
  };
}

/** Waits until the agent's earlier control calls have ended. */
async function inTurn<T>({ deps, call, clock, timing, turn, emit }: CallState, work: () => Promise<T>): Promise<T> {
  timing.stage('turn');
  const place = turn ?? deps.turns.reserve(call.caller.agent.id);
  if (place.waiting) emit({ kind: 'queued' });
  const leave = await place.enter(clock.stop);
  try {
    return await work();
  } finally {
    leave();
  }
}

const PERMISSION_NAMES: Record<Permission, Message> = {
  accessibility: message('permission.accessibility.lower'),
  screenRecording: message('permission.screenRecording.lower'),
};

async function assertPermissions({ deps, action, clock }: BegunCall): Promise<void> {
  if (action.needs.length === 0) return;
  const states = await deps.desktop.permissions(clock.stop);
  const missing = action.needs.filter((permission) => states[permission] !== 'granted');
  if (missing.length === 0) return;
  throw new WireError(
    'DESKTOP_PERMISSION_MISSING',
    message('error.lacks', { permissions: missing.map((permission) => PERMISSION_NAMES[permission]) }),
    { missing, states },
  );
}
