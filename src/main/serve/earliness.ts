/**
 * Remembers, for as long as a message is worked on, whether it is early: another program than the one now at the other end may have
 * sent it, so it uses nothing that was allowed before.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller } from '../approvals/request.js';

const earliness = new AsyncLocalStorage<boolean>();

export const whileEarly = <T>(early: boolean, work: () => T): T => earliness.run(early, work);

/** The caller of the message that is worked on now, marked where that message is early. */
export const callerNow = (caller: Caller): Caller =>
  earliness.getStore() === true ? { ...caller, early: true } : caller;
