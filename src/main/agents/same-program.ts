/**
 * A process keeps its pid and its sockets when it executes another program. What it was called when it connected then says
 * nothing of who asks, so it is compared with the kernel's word before each message, card, grant and act.
 */
import type { ProcessTable } from '../../native/peer/types.js';
import type { Approver, Caller } from '../pipeline/ports.js';
import type { Agent } from '../protocol/index.js';
import { WireError } from '../protocol/index.js';

/** True while the processes behind a connection run the programs they ran when they were named. */
export type IsSame = (caller: Pick<Caller, 'peer' | 'asking'>) => boolean;

export function createIsSame({ isSameProcess }: Pick<ProcessTable, 'isSameProcess'>): IsSame {
  return ({ peer, asking = peer }) => isSameProcess(peer) && (asking === peer || isSameProcess(asking));
}

/** True while the process an agent was named after runs that program. One that the kernel did not name has only its connection. */
export function createIsRunning({ lookup }: Pick<ProcessTable, 'lookup'>): (agent: Agent) => boolean {
  return ({ pid, startTime, executable, script }) => {
    const now = pid === 0 ? null : lookup(pid);
    return now?.startTime === startTime && now.executable === executable && now.script === script;
  };
}

/** The same approver, which decides nothing for another program than the one that was named. */
export function forSameProgram(approver: Approver, isSame: IsSame): Approver {
  function assertSame(caller: Caller): void {
    if (isSame(caller)) return;
    throw new WireError('DESKTOP_HOST_NOT_READY', 'The program that connected has ended or was replaced by another.', {
      reason: 'program_replaced',
      next: 'Connect again, then make the call anew.',
    });
  }
  return {
    ...approver,
    assertOpen(caller) {
      assertSame(caller);
      approver.assertOpen(caller);
    },
    async decide(request, onWaiting, signal) {
      assertSame(request.caller);
      const decision = await approver.decide(request, onWaiting, signal);
      assertSame(request.caller);
      return decision;
    },
    revoked: (decision, caller) => !isSame(caller) || approver.revoked(decision, caller),
  };
}
