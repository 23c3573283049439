/**
 * Turns of the main run loop. Node never turns it, and without turns no notification of accessibility, no event tap and no fresh
 * list of applications would come.
 */
import type { Bound } from '../calls/bind.js';
import { RUN_LOOP_HANDLED_SOURCE } from '../calls/core-foundation.js';

export type RunLoop = ReturnType<typeof openRunLoop>;

const CADENCE_MS = 10;
/** So that a source which never runs dry cannot hold JavaScript. */
const MOST_TURNS = 100;

export function openRunLoop(bound: Bound) {
  const mode = bound.object('coreFoundation', 'kCFRunLoopDefaultMode');
  let timer: NodeJS.Timeout | null = null;
  const turn = (): boolean => {
    for (let turns = 0; turns < MOST_TURNS; turns++) {
      if (bound.coreFoundation.CFRunLoopRunInMode(mode, 0, 1) !== RUN_LOOP_HANDLED_SOURCE) return false;
    }
    return true;
  };
  return {
    /** Handles what waits, and nothing that comes later; returns at once where nothing does. True where it left some. */
    turn,
    /** Turns every few milliseconds until `stop`, without keeping the process alive. */
    start(): void {
      timer ??= setInterval(turn, CADENCE_MS).unref();
    },
    stop(): void {
      if (timer !== null) clearInterval(timer);
      timer = null;
    },
  };
}
