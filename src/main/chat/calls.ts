import { WaitEnded, type ChatReply } from '../pipeline/ports.js';

export interface AskingCall {
  agentId: string;
  callId: string;
  ackId: string;
  signal: AbortSignal;
  connectionId?: string | undefined;
}

interface Call extends AskingCall {
  state: 'waiting' | 'given';
  /** False once other calls of the agent came while this one waited: then it may have been dead when the answer came. */
  trusted: boolean;
  end(error: WaitEnded): void;
  settle(reply: ChatReply): void;
  forget(): void;
}

export interface Calls {
  /** Waits for the answer. Rejects with {@link WaitEnded} when the signal aborts; `onWithdraw` is told when that gives the question up. */
  wait(call: AskingCall, onWithdraw: () => void): Promise<ChatReply>;
  /** The call takes an answer that is there already. */
  take(call: AskingCall): void;
  give(ackId: string, reply: ChatReply): void;
  /** The call gives up. True when no other call waits for that question. */
  leave(callId: string, ackId: string): boolean;
  /** Another call of the agent came. Returns the questions whose answers it proves to have arrived. */
  seen(agentId: string, resumed: string | null): string[];
  /** The connection has gone: what it was given and nothing proved yet did not arrive. Calls that wait are ended by their own signal. */
  lost(connectionId: string): void;
  /** Whether a call that may be alive waits for the answer or was given it. */
  holds(ackId: string): boolean;
  endAll(): void;
}

/** Which calls wait for an answer, which were given one, and what a later call proves about them. */
export function createCalls(): Calls {
  const calls = new Set<Call>();
  let ended = false;
  const of = (ackId: string) => [...calls].filter((call) => call.ackId === ackId);

  function drop(call: Call) {
    calls.delete(call);
    call.forget();
  }

  function add(
    asking: AskingCall,
    state: Call['state'],
    ends: Pick<Call, 'end' | 'settle'>,
    onAbort: () => void,
  ): Call {
    const call: Call = {
      ...asking,
      ...ends,
      state,
      trusted: true,
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

  function proves(call: Call, resumed: string | null): boolean {
    const again = call.callId === resumed;
    if (call.state === 'given' && again) drop(call);
    if (call.state === 'waiting' && !again) call.trusted = false;
    return call.state === 'given' && call.trusted && !again;
  }

  return {
    wait(asking, onWithdraw) {
      if (ended) return Promise.reject(new WaitEnded('detach'));
      return new Promise((resolve, reject) => {
        add(asking, 'waiting', { end: reject, settle: resolve }, () => {
          const mode = modeOf(asking.signal);
          reject(new WaitEnded(mode));
          if (mode === 'withdraw') onWithdraw();
        });
      });
    },
    take: (asking) => void add(asking, 'given', { end: () => {}, settle: () => {} }, () => {}),
    give(ackId, reply) {
      for (const call of of(ackId).filter(({ state }) => state === 'waiting')) {
        call.state = 'given';
        call.settle(reply);
      }
    },
    leave(callId, ackId) {
      for (const call of of(ackId).filter((each) => each.callId === callId)) {
        drop(call);
        if (call.state === 'waiting') call.end(new WaitEnded('withdraw'));
      }
      return !of(ackId).some(({ state }) => state === 'waiting');
    },
    seen(agentId, resumed) {
      const proven = new Set<string>();
      for (const call of [...calls]) if (call.agentId === agentId && proves(call, resumed)) proven.add(call.ackId);
      for (const ackId of proven) of(ackId).forEach(drop);
      return [...proven];
    },
    lost(connectionId) {
      for (const call of [...calls]) if (call.connectionId === connectionId && call.state === 'given') drop(call);
    },
    holds: (ackId) => of(ackId).some(({ trusted }) => trusted),
    endAll() {
      ended = true;
      for (const call of [...calls]) {
        drop(call);
        if (call.state === 'waiting') call.end(new WaitEnded('detach'));
      }
    },
  };
}

/** Only an explicit `withdraw` gives a question up; every other end of a call leaves it open. */
export function modeOf(signal: AbortSignal): 'detach' | 'withdraw' {
  const reason: unknown = signal.reason;
  return reason instanceof WaitEnded ? reason.mode : 'detach';
}
