import { WaitEnded } from '../approvals/request.js';
import type { ChatReply } from './questions.js';

export interface ChatCall {
  agentId: string;
  callId: string;
  ackId: string;
  signal: AbortSignal;
  connectionId?: string | undefined;
}

interface TrackedCall extends ChatCall {
  state: 'waiting' | 'given';
  /** False once other calls of the agent arrived while this one waited: its caller may have been gone when the answer came. */
  trusted: boolean;
  /** The result with the answer was written to the caller's connection. */
  written: boolean;
  end(error: WaitEnded): void;
  settle(reply: ChatReply): void;
  forget(): void;
}

export type ChatCalls = ReturnType<typeof createChatCalls>;

/** Tracks which calls wait for an answer, which have got one, and which answers a later call proves to have arrived. */
export function createChatCalls() {
  const calls = new Set<TrackedCall>();
  let ended = false;
  const named = (agentId: string, callId: string) =>
    [...calls].filter((call) => call.agentId === agentId && call.callId === callId);
  const of = (ackId: string) => [...calls].filter((call) => call.ackId === ackId);

  function drop(call: TrackedCall) {
    calls.delete(call);
    call.forget();
  }

  function add(
    asking: ChatCall,
    state: TrackedCall['state'],
    ends: Pick<TrackedCall, 'end' | 'settle'>,
    onAbort: () => void,
  ): TrackedCall {
    const call: TrackedCall = {
      ...asking,
      ...ends,
      state,
      trusted: true,
      written: false,
      forget: () => asking.signal.removeEventListener('abort', aborted),
    };
    const aborted = () => {
      drop(call);
      if (call.state === 'waiting') onAbort();
    };
    asking.signal.addEventListener('abort', aborted, { once: true });
    calls.add(call);
    return call;
  }

  function provesDelivery(call: TrackedCall, resumed: string | null): boolean {
    const again = call.callId === resumed;
    if (call.state === 'given' && again) drop(call);
    if (call.state === 'waiting' && !again) call.trusted = false;
    return call.written && call.trusted && !again;
  }

  return {
    /** Waits for the answer. Rejects with {@link WaitEnded} when the signal aborts; calls `onWithdraw` when that withdraws the question. */
    wait(asking: ChatCall, onWithdraw: () => void): Promise<ChatReply> {
      if (ended) return Promise.reject(new WaitEnded('detach'));
      return new Promise((resolve, reject) => {
        add(asking, 'waiting', { end: reject, settle: resolve }, () => {
          const mode = endModeOf(asking.signal);
          reject(new WaitEnded(mode));
          if (mode === 'withdraw') onWithdraw();
        });
      });
    },
    /** Gives the call an answer that exists already. */
    take: (asking: ChatCall): void => void add(asking, 'given', { end: () => {}, settle: () => {} }, () => {}),
    give(ackId: string, reply: ChatReply): void {
      for (const call of of(ackId).filter(({ state }) => state === 'waiting')) {
        call.state = 'given';
        call.settle(reply);
      }
    },
    isAwaited: (ackId: string): boolean => of(ackId).some(({ state }) => state === 'waiting'),
    /** Called when the result of this call was written. Returns the questions whose answers it has got. */
    written(agentId: string, callId: string): string[] {
      const given = named(agentId, callId).filter(({ state }) => state === 'given');
      for (const call of given) call.written = true;
      return given.map(({ ackId }) => ackId);
    },
    /** Called when whoever made this call reads no result any more, also one that comes later. */
    notReceived(agentId: string, callId: string): void {
      for (const call of named(agentId, callId)) {
        call.trusted = false;
        if (call.state === 'given') drop(call);
      }
    },
    /** Called for each further call of an agent. Returns the questions whose answers that call proves to have arrived. */
    takeProven(agentId: string, resumed: string | null): string[] {
      const proven = new Set<string>();
      for (const call of [...calls])
        if (call.agentId === agentId && provesDelivery(call, resumed)) proven.add(call.ackId);
      for (const ackId of proven) of(ackId).forEach(drop);
      return [...proven];
    },
    /** Called when a connection closes: answers given over it and not proved count as lost. Waiting calls end by their own signal. */
    connectionClosed(connectionId: string): void {
      for (const call of [...calls]) if (call.connectionId === connectionId && call.state === 'given') drop(call);
    },
    /** Whether a call that may still be alive waits for the answer or has got it. */
    holds: (ackId: string): boolean => of(ackId).some(({ trusted }) => trusted),
    endAll(): void {
      ended = true;
      for (const call of [...calls]) {
        drop(call);
        if (call.state === 'waiting') call.end(new WaitEnded('detach'));
      }
    },
  };
}

/** Only an explicit `withdraw` withdraws a question; every other end of a call leaves it open. */
export function endModeOf(signal: AbortSignal): 'detach' | 'withdraw' {
  const reason: unknown = signal.reason;
  return reason instanceof WaitEnded ? reason.mode : 'detach';
}
