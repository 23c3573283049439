/**
 * A process keeps its pid and its sockets when it executes another program, so its identity at connection time may be outdated.
 * It is compared with what the kernel reports before each message, card, grant and act.
 */
import type { ProcessTable, ProcessWatch } from '../../native/peer/types.js';
import type { Approver } from '../approvals/index.js';
import type { Caller, Decision } from '../approvals/request.js';
import { WireError, type Agent, type Effect } from '../protocol/index.js';
import { message } from '../../messages/index.js';

/** True while the processes behind a connection run the same programs as when they connected. */
export type IsSame = (caller: Pick<Caller, 'peer' | 'asking'>) => boolean;

export function createIsSame({ isSameProcess }: Pick<ProcessTable, 'isSameProcess'>): IsSame {
  return ({ peer, asking = peer }) => isSameProcess(peer) && (asking === peer || isSameProcess(asking));
}

/** Watches the processes behind a connection, for the check of each message. */
export type WatchCaller = (caller: Pick<Caller, 'peer' | 'asking'>) => ProcessWatch;

export function createWatchCaller({ watch }: Pick<ProcessTable, 'watch'>): WatchCaller {
  return ({ peer, asking = peer }) => {
    const watches = (asking === peer ? [peer] : [peer, asking]).map(watch);
    return {
      isSame: () => watches.every((one) => one.isSame()),
      close: () => watches.forEach((one) => one.close()),
    };
  };
}

/**
 * True while the agent's process runs the same program. An agent unknown to the kernel exists only with its connection; one of another
 * machine may come back as long as its cards are open, and shows by its session that it is the same.
 */
export function createIsRunning({ lookup }: Pick<ProcessTable, 'lookup'>): (agent: Agent) => boolean {
  return ({ pid, startTime, executable, script, via }) => {
    if (via === 'ssh') return startTime.startsWith('ssh:');
    const now = pid === 0 ? null : lookup(pid);
    return now?.startTime === startTime && now.executable === executable && now.script === script;
  };
}

/**
 * Wraps the approver: throws for a process that runs another program by now. `runsFreely`: effects for which neither a card nor a
 * grant is needed, so that the check of the message is enough.
 */
export function forSameProgram(approver: Approver, isSame: IsSame, runsFreely: (effect: Effect) => boolean): Approver {
  function assertSame(caller: Caller): void {
    if (isSame(caller)) return;
    throw new WireError('DESKTOP_HOST_NOT_READY', message('error.program_replaced'), {
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
      const free = runsFreely(request.action.effect);
      if (!free) assertSame(request.caller);
      const decision = await approver.decide(request, onWaiting, signal);
      if (!free || decision.approvalId !== null || isGranted(decision)) assertSame(request.caller);
      return decision;
    },
    revoked: (decision, caller) => !isSame(caller) || approver.revoked(decision, caller),
  };
}

const isGranted = (decision: Decision): boolean => decision.kind === 'allowed' && decision.by !== 'policy';
