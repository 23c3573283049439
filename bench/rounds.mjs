/** Measures in rounds: what is compared is done in each of them, so that a busy machine troubles all sides alike. */

export const ROUNDS = 20;

/**
 * `ours` and `peers`: name → a function that does the work once and may return the milliseconds it took. In a round each
 * peer has two turns with ours between them, and the order turns around from round to round.
 * Resolves name → milliseconds by round, and `again`: the same of the peers’ second turns.
 */
export async function inRounds(ours, peers, { rounds = ROUNDS, warmUp = 1 } = {}) {
  const turns = [...turnsOf(peers, 'first'), ...turnsOf(ours, 'first'), ...turnsOf(peers, 'again').reverse()];
  const taken = { first: {}, again: {} };
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const { name, work, turn } of round % 2 === 0 ? turns : turns.toReversed()) {
      const ms = await timed(work);
      if (round >= 0) (taken[turn][name] ??= []).push(ms);
    }
  }
  return { ...taken.first, again: taken.again };
}

const turnsOf = (works, turn) => Object.entries(works).map(([name, work]) => ({ name, work, turn }));

export async function timed(work) {
  const start = performance.now();
  const told = await work();
  return typeof told === 'number' ? told : performance.now() - start;
}

/** A line of the report: `of` makes a value from the milliseconds of one round, by name. */
export function line({ what, unit = 'ms', beside, taken, ours, peer, of = (ms) => ms }) {
  const { again, ...first } = taken;
  const read = (from, pick) => pick(from).map(of);
  return { what, unit, beside, ours: read(first, ours), peer: read(first, peer), again: read(again, peer) };
}

/** Milliseconds each of `count` works takes, `width` at a time: the whole time over the count. */
export async function throughput(count, width, work) {
  let left = count;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await work();
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: width }, worker));
  return (performance.now() - start) / count;
}
