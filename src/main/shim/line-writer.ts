import type { Writable } from 'node:stream';

/**
 * Writes lines. The first of a turn leaves at once, all others of it in one system call, and with them the first where the turn before
 * had several.
 */
export function createLineWriter(out: Writable): (line: string) => void {
  let [count, countBefore, corked] = [0, 0, false];
  const endTurn = (): void => {
    [count, countBefore] = [0, count];
    if (corked) out.uncork();
    corked = false;
  };
  return (line) => {
    count += 1;
    if (count === 1) process.nextTick(endTurn);
    if (!corked && (count > 1 || countBefore > 1)) {
      out.cork();
      corked = true;
    }
    out.write(`${line}\n`);
  };
}
