import type { Writable } from 'node:stream';

/** Writes lines; the first of a turn leaves at once, all others of it in one system call. */
export function createLineWriter(out: Writable): (line: string) => void {
  let inTurn = 0;
  const endTurn = (): void => {
    if (inTurn > 1) out.uncork();
    inTurn = 0;
  };
  return (line) => {
    inTurn += 1;
    if (inTurn === 1) process.nextTick(endTurn);
    if (inTurn === 2) out.cork();
    out.write(`${line}\n`);
  };
}
