import type { AttentionPort } from '../../agents/attention.js';
import type { Calls } from '../../calls/index.js';
import type { Caller } from '../../approvals/request.js';
import type { GabpRequest } from '../../protocol/gabp.js';
import type { ConnectionCalls } from '../connection-calls.js';
import type { EventHistory } from './event-history.js';
import type { GabpEvents } from './events.js';

export const PROGRESS = 'call/progress';

/** Result of one method; what it throws becomes the error. `onWritten` listens for the result having been written to the peer. */
export type GabpMethod = (
  params: Record<string, unknown>,
  request: GabpRequest,
  onWritten: (listener: () => void) => void,
) => unknown;

/** Who the connection speaks for. Every call after `become` is the new caller's. */
export interface GabpIdentity {
  current(): Caller;
  /** The peer has proved itself and says what it is called. */
  greeted(claim: string | null): Promise<void>;
}

/** What the methods of one connection use. */
export interface MethodDependencies {
  calls: Calls;
  connectionCalls: ConnectionCalls;
  attention: AttentionPort;
  events: GabpEvents;
  history: EventHistory;
  strict: boolean;
  caller(): Caller;
}
