import type { RunContext, ApprovalState } from './context.js';
import { guardedActor } from './guarded.js';
import { maskedActs } from './masked.js';
import type { Plan } from './plan.js';
import type { Caller, Decision } from './ports.js';
import type { PipelineDependencies, RunCall, Stage } from './dependencies.js';

/** Builds the context that a handler gets for one act. */
export function createRunContext(
  deps: PipelineDependencies,
  call: RunCall,
  stage: Stage,
  plan: Plan | null,
  decision: Decision,
): RunContext {
  const { record, clock, executionId } = stage;
  const desktop = guardedActor(stage.desktop, maskedActs(deps.desktop, deps), {
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
    caller: call.caller,
    executionId,
    callId: call.callId,
    decision,
    plan,
    workspace: call.workspace,
    chat: {
      ...deps.chat,
      async ask(question, onWaiting) {
        const onCard = (ackId: string) => {
          clock.startWaiting(null);
          stage.emit({ kind: 'waiting', approvalId: null });
          onWaiting(ackId);
        };
        return deps.chat.ask(question, onCard, clock.waitSignal).finally(() => clock.endWaiting());
      },
    },
    imaging: deps.imaging,
    ownChanges: deps.ownChanges,
    approvalState: () => readApprovalState(deps, call.caller, decision),
    waitSignal: clock.waitSignal,
    trace: (entry) => record.evidence.trace(entry),
    saveEvidence: (name, bytes) => record.evidence.write(name, bytes),
    evidenceDir: record.evidence.dir,
    setWaiting: (on) => (on ? clock.startWaiting(null) : clock.endWaiting()),
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
