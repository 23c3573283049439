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

/** Whether a text fits a pattern of `*` (anything) and `?` (one character). Takes time in proportion to their product at most. */
export function globMatches(pattern: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let retry = 0;
  let p = 0;
  while (at < text.length) {
    if (pattern[p] === '*') {
      star = p++;
      retry = at;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[at])) {
      p++;
      at++;
    } else if (star >= 0) {
      p = star + 1;
      at = ++retry;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(p));
}
