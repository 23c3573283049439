import type { RunContext, Standing } from './context.js';
import { guardedActor } from './guarded.js';
import { maskedActs } from './masked.js';
import type { Plan } from './plan.js';
import type { Caller, Decision } from './ports.js';
import type { PipelineDependencies, RunCall, Stage } from './dependencies.js';

/** What a handler is lent for one act. */
export function contextOf(
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
        const told = (ackId: string) => {
          clock.awaiting(null);
          stage.emit({ kind: 'waiting', approvalId: null });
          onWaiting(ackId);
        };
        return deps.chat.ask(question, told, clock.wait).finally(() => clock.answered());
      },
    },
    imaging: deps.imaging,
    ownChanges: deps.ownChanges,
    standing: () => standingOf(deps, call.caller, decision),
    wait: clock.wait,
    trace: (entry) => record.evidence.trace(entry),
    keep: (name, bytes) => record.evidence.write(name, bytes),
    evidenceDir: record.evidence.dir,
    waiting: (on) => (on ? clock.awaiting(null) : clock.answered()),
  };
}

function standingOf(
  { approver }: Pick<PipelineDependencies, 'approver'>,
  caller: Caller,
  decision: Decision,
): Standing {
  try {
    approver.assertOpen(caller);
  } catch {
    return 'paused';
  }
  return approver.revoked(decision, caller) ? 'revoked' : 'open';
}
