/** Timing in turns: what is compared is measured alternately, so that a busy machine troubles all sides alike. */

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** `sides`: name → a function that does the work once and may return the milliseconds it took. Resolves name → median ms. */
export async function inTurns(rounds, sides, { warmUp = 1 } = {}) {
  const taken = new Map(Object.keys(sides).map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const [name, work] of Object.entries(sides)) {
      const start = performance.now();
      const told = await work();
      const ms = typeof told === 'number' ? told : performance.now() - start;
      if (round >= 0) taken.get(name).push(ms);
    }
  }
  return Object.fromEntries([...taken].map(([name, values]) => [name, median(values)]));
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
