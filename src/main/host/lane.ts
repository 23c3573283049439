import type { Locks } from '../action/locks.js';

const HOLD_MS = 2000;

/** After an Allow that came too close to injected input: no agent acts while the person presses again. */
export function holdLane(lane: Locks): void {
  lane.enter('desktop', AbortSignal.timeout(HOLD_MS)).then(
    (leave) => void setTimeout(leave, HOLD_MS).unref(),
    () => undefined,
  );
}
