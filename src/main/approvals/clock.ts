/** Clock for expiry, in epoch milliseconds. It never runs backwards, even when the wall clock is set back. */
export type Clock = ReturnType<typeof createClock>;

const JUMP_MS = 2_000;

/**
 * Follows the wall clock forward (a sleeping laptop must end grants) and the running time when the wall clock is set back
 * (which must not make anything last longer).
 */
export function createClock(now: () => number, running: () => number = () => performance.now()) {
  let anchor = { wall: now(), running: running(), time: now() };
  let last = anchor.time;

  function read(): number {
    const wall = now();
    const ran = running();
    const byWall = Number.isFinite(wall) ? wall - anchor.wall : 0;
    const byRunning = Number.isFinite(ran) ? ran - anchor.running : 0;
    last = Math.max(last, Math.floor(anchor.time + Math.max(byWall, byRunning, 0)));
    if (Math.abs(byWall - byRunning) > JUMP_MS && Number.isFinite(wall) && Number.isFinite(ran))
      anchor = { wall, running: ran, time: last };
    return last;
  }

  return {
    /** Epoch milliseconds, whole. */
    read,
    /** The same time in ISO 8601. */
    iso: (): string => new Date(read()).toISOString(),
    /** Makes every later reading greater than all before. */
    bump(): void {
      last = read() + 1;
    },
  };
}
