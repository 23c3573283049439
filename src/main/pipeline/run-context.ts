import type { DesktopActor, DesktopActs, DesktopInput, GuardedInput, InputGuard } from '../../native/desktop.js';
import { membersOf, methodOf, withRule, type Guard } from '../../native/methods.js';
import { type MaskedReader, maskedActs, type HidingReader, withReadRule } from './masked.js';
import { createActChecks, createApprovalCheck, type ActChecks, type ActCheckDependencies } from './act-checks.js';
import type { ApprovalState, PlanContext, ReadContext, RunContext, RunContexts } from './context.js';
import type { Plan } from '../approvals/plan.js';
import { closedEyes, sightOf, TITLES } from './sight.js';
import type { Baseline } from './verify/changes.js';
import type { Caller, Decision } from '../approvals/request.js';
import type { AgentChat } from '../chat/index.js';
import type { CallState, PipelineDependencies } from './dependencies.js';

type PointerMove = Pick<DesktopActs, 'movePointer'>;

/**
 * The desktop that a handler acts on. Every act and every injected event is checked right before it happens, and a call can no
 * longer read the desktop once its approval has ended. Each method's rule is its row in `native/methods.ts`.
 */
export function guardedActor(
  reader: MaskedReader,
  acts: DesktopActs & GuardedInput,
  deps: ActCheckDependencies,
): DesktopActor & MaskedReader {
  const checks = createActChecks(reader, deps);
  // Made for every call: three spreads of this size take fifty times as long.
  return Object.assign(
    checkedReader(reader, checks.assertApprovalValid),
    checkedActs(acts, checks),
    checkedInput(acts, checks),
  );
}

/** For a call that only reads. */
export function guardedReader(
  reader: MaskedReader,
  deps: Pick<ActCheckDependencies, 'revoked' | 'signal'>,
): MaskedReader {
  return checkedReader(reader, createApprovalCheck(deps));
}

const checkedReader = (reader: MaskedReader, assertApprovalValid: () => void): MaskedReader =>
  withReadRule(reader, ['machine', 'changes', 'pointer'], (read) => async (...given) => {
    assertApprovalValid();
    return read(...given);
  });

function checkedInput(acts: DesktopActs & GuardedInput, checks: ActChecks): DesktopInput & PointerMove {
  const { forKeys, forPointer, forButtonUp, trackPressed } = checks;
  return {
    key: (key, isDown, stop) =>
      trackPressed(`key ${key}`, isDown, () => acts.key(key, isDown, isDown ? forKeys : unguarded, stop)),
    typeText: (text, stop) => acts.typeText(text, forKeys, stop),
    paste: (text, pid, stop) => acts.paste(text, pid, forKeys, stop),
    button: (button, isDown, stop) =>
      trackPressed(`button ${button}`, isDown, () =>
        acts.button(button, isDown, isDown ? forPointer : forButtonUp, stop),
      ),
    dropFiles: (paths, id, stop) => acts.dropFiles(paths, id, forPointer, stop),
    scroll: (delta, stop) => acts.scroll(delta, forPointer, stop),
    movePointer: (to, stop) => checks.movePointer(to, () => acts.movePointer(to, stop)),
  };
}

function checkedActs(
  acts: DesktopActs,
  { checkAct, checkElementAct }: ActChecks,
): Omit<DesktopActs, keyof PointerMove> {
  const checks: Record<Guard, (target: unknown) => Promise<void>> = {
    element: (id) => checkElementAct(String(id)),
    process: (pid) => checkAct(Number(pid)),
    call: () => checkAct(null),
    pointer: () => Promise.reject(new Error('the pointer moves with the input')),
  };
  return withRule(membersOf(acts, 'act'), (name, act) => {
    const known = methodOf(name);
    const check = known?.kind === 'act' ? checks[known.guard] : checks.pointer;
    return async (...given) => {
      await check(given[0]);
      return act(...given);
    };
  });
}

/** Releasing a key is never refused: the key would stay down. */
const unguarded: InputGuard = async () => {};

export const planContextOf = ({
  deps,
  call: { caller, workspace },
  desktop,
}: Pick<CallState, 'deps' | 'call'> & { desktop: HidingReader }): PlanContext => ({
  desktop,
  caller,
  workspace,
  edits: deps.edits,
  held: heldKeysOf(deps, caller),
});

const heldKeysOf = ({ holds }: PipelineDependencies, { agent }: Caller): string[] =>
  holds.of(agent.id).flatMap(({ input }) => input.keys);

interface ActOptions extends Pick<RunContext, 'mustKnow'> {
  /** The application as it was read ahead. */
  baseline: Promise<Baseline> | null;
}

/** What the handler of one act gets. Each is made when it is asked for. */
export function createRunContexts(
  state: CallState,
  plan: Plan | null,
  decision: Decision,
  options: ActOptions,
): RunContexts {
  return {
    reading: () => ({
      ...sharedContext(state, plan, decision),
      desktop: guardedReader(readable(state), approvalOf(state, decision)),
    }),
    acting: () => createRunContext(state, plan, decision, options),
  };
}

/** A call that nobody is asked about reads nothing of what its agent may not see. */
function readable({ deps: { approver }, bound: { effect }, call: { caller }, desktop }: CallState): MaskedReader {
  const costsNothing = effect === 'read' || effect === 'bookkeeping';
  return costsNothing && sightOf(approver, caller, [TITLES]) !== 'sees' ? closedEyes(desktop) : desktop;
}

export function createRunContext(
  state: CallState,
  plan: Plan | null,
  decision: Decision,
  { baseline, mustKnow }: ActOptions,
): RunContext {
  let unused = baseline;
  const { deps, call } = state;
  const desktop = guardedActor(state.desktop, maskedActs(deps.desktop, deps), {
    real: deps.desktop,
    plan,
    protection: deps.protection,
    noteInjection: deps.noteInjection,
    waitWhilePressing: deps.waitWhilePressing,
    dragging: () => deps.holds.of(call.caller.agent.id).some(({ input }) => input.buttons.length > 0),
    ...approvalOf(state, decision),
  });
  return {
    ...sharedContext(state, plan, decision),
    desktop,
    mustKnow,
    takeBaseline() {
      const first = unused;
      unused = null;
      return first;
    },
  };
}

const approvalOf = ({ deps, call, clock }: CallState, decision: Decision) => ({
  revoked: () => deps.approver.revoked(decision, call.caller),
  signal: clock.stop,
});

function sharedContext(state: CallState, plan: Plan | null, decision: Decision): Omit<ReadContext, 'desktop'> {
  const { deps, call, record, clock, timing, executionId } = state;
  return {
    caller: call.caller,
    executionId,
    callId: call.callId,
    decision,
    plan,
    workspace: call.workspace,
    edits: deps.edits,
    held: heldKeysOf(deps, call.caller),
    chat: chatOf(state),
    imaging: deps.imaging,
    ownChanges: deps.ownChanges,
    approvalState: () => readApprovalState(deps, call.caller, decision),
    waitSignal: clock.waitSignal,
    timing,
    trace: (entry) => record.evidence.trace(entry),
    // A step of a plan that looks at the screen shows more than the windows of the other steps.
    saveEvidence: (name, bytes) => record.evidence.write(name, bytes, plan?.window == null ? 'screen' : 'call'),
    evidenceDir: record.evidence.dir,
    setWaiting: (on) => (on ? clock.startWaiting(null) : clock.endWaiting()),
  };
}

/** While the person is being asked, the call's time limit ends the wait, not the call. */
function chatOf({ deps: { chat }, clock, emit }: CallState): AgentChat {
  return {
    ...chat,
    ask(question, onWaiting) {
      const onCard = (ackId: string) => {
        clock.startWaiting(null);
        const { text, quickReplies } = question;
        emit({ kind: 'waiting', approvalId: null, question: { text, quickReplies } });
        onWaiting(ackId);
      };
      return chat.ask(question, onCard, clock.waitSignal).finally(clock.endWaiting);
    },
  };
}

function readApprovalState(
  { approver }: Pick<PipelineDependencies, 'approver'>,
  caller: Caller,
  decision: Decision,
): ApprovalState {
  try {
    approver.assertOpen(caller);
  } catch {
    return 'paused';
  }
  return approver.revoked(decision, caller) ? 'revoked' : 'open';
}
