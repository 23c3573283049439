import type { RunContext, Standing } from './context.js';
import { guardedActor } from './guarded.js';
import { maskedActs } from './masked.js';
import type { Plan } from './plan.js';
import type { Caller, Decision } from './ports.js';
import type { Rooms, RunCall, Stage } from './dependencies.js';

/** What a handler is lent for one act. */
export function contextOf(
  rooms: Rooms,
  call: RunCall,
  stage: Stage,
  plan: Plan | null,
  decision: Decision,
): RunContext {
  const { record, clock, executionId } = stage;
  const desktop = guardedActor(stage.desktop, maskedActs(rooms.desktop, rooms), {
    real: rooms.desktop,
    plan,
    protection: rooms.protection,
    revoked: () => rooms.approver.revoked(decision, call.caller),
    injecting: rooms.injecting,
    still: rooms.still,
    dragging: () => rooms.holds.of(call.caller.agent.id).some(({ input }) => input.buttons.length > 0),
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
      ...rooms.chat,
      async ask(question, onWaiting) {
        const told = (ackId: string) => {
          clock.awaiting(null);
          call.onProgress('awaiting_human', 'Waiting for the person to answer.');
          onWaiting(ackId);
        };
        return rooms.chat.ask(question, told, clock.wait).finally(() => clock.answered());
      },
    },
    imaging: rooms.imaging,
    ownChanges: rooms.ownChanges,
    standing: () => standingOf(rooms, call.caller, decision),
    wait: clock.wait,
    trace: (entry) => record.evidence.trace(entry),
    keep: (name, bytes) => record.evidence.write(name, bytes),
    evidenceDir: record.evidence.dir,
    progress(state, message) {
      if (state === 'awaiting_human') clock.awaiting(null);
      else clock.answered();
      call.onProgress(state, message);
    },
  };
}

function standingOf({ approver }: Pick<Rooms, 'approver'>, caller: Caller, decision: Decision): Standing {
  try {
    approver.assertOpen(caller);
  } catch {
    return 'paused';
  }
  return approver.revoked(decision, caller) ? 'revoked' : 'open';
}
