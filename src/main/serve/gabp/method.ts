import type { Caller } from '../../pipeline/ports.js';
import type { GabpRequest } from '../../protocol/gabp.js';

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
  /** The peer is a shim that speaks for whoever started it. */
  describe(claim: string | null, cwd: string | null): void;
}
