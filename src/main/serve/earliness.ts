/**
 * Whether the message is early on which something works, however long it takes: it may have been sent by another program than the one
 * that is at the other end now. Nothing that was allowed earlier counts for it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller } from '../pipeline/ports.js';

const earliness = new AsyncLocalStorage<boolean>();

export const whileEarly = <T>(early: boolean, work: () => T): T => earliness.run(early, work);

/** The caller, as the message has it on which something works now. */
export const callerNow = (caller: Caller): Caller =>
  earliness.getStore() === true ? { ...caller, early: true } : caller;
