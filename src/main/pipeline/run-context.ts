import type { RunContext, ApprovalState } from './context.js';
import { guardedActor } from './guarded.js';
import { maskedActs } from './masked.js';
import type { Plan } from './plan.js';
import type { Baseline } from './verify/baseline.js';
import type { Caller, ChatPort, Decision } from './ports.js';
import type { CallState, PipelineDependencies } from './dependencies.js';

/** Builds the context that a handler gets for one act. */
export function createRunContext(
  state: CallState,
  plan: Plan | null,
  decision: Decision,
  baseline: Promise<Baseline> | null = null,
): RunContext {
  let unused = baseline;
  const { deps, call, record, clock, timing, executionId } = state;
  const desktop = guardedActor(state.desktop, maskedActs(deps.desktop, deps), {
    real: deps.desktop,
    plan,
    protection: deps.protection,
    revoked: () => deps.approver.revoked(decision, call.caller),
    noteInjection: deps.noteInjection,
    waitWhilePressing: deps.waitWhilePressing,
    dragging: () => deps.holds.of(call.caller.agent.id).some(({ input }) => input.buttons.length > 0),
    signal: clock.stop,
  });
  return {
    desktop,
    takeBaseline() {
      const first = unused;
      unused = null;
      return first;
    },
    caller: call.caller,
    executionId,
    callId: call.callId,
    decision,
    plan,
    workspace: call.workspace,
    chat: chatOf(state),
    imaging: deps.imaging,
    ownChanges: deps.ownChanges,
    approvalState: () => readApprovalState(deps, call.caller, decision),
    waitSignal: clock.waitSignal,
    timing,
    trace: (entry) => record.evidence.trace(entry),
    saveEvidence: (name, bytes) => record.evidence.write(name, bytes),
    evidenceDir: record.evidence.dir,
    setWaiting: (on) => (on ? clock.startWaiting(null) : clock.endWaiting()),
  };
}

/** While the person is being asked, the call's time limit ends the wait, not the call. */
function chatOf({ deps: { chat }, clock, emit }: CallState): ChatPort {
  return {
    ...chat,
    ask(question, onWaiting) {
      const onCard = (ackId: string) => {
        clock.startWaiting(null);
        emit({ kind: 'waiting', approvalId: null });
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
