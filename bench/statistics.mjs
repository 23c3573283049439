/** What the values of single rounds say: medians, 95 % intervals and verdicts. */

/** A ratio this close to 1 counts as no difference. */
const SAME = 1.1;
/** Percentage points that count as no difference between two shares: one frame in 400. */
const SAME_POINTS = 0.25;
const RESAMPLES = 2_000;
const NOISY = 'too noisy to conclude';

export const RULE =
  `The ratio is the median of the ratios of the single rounds, above 1 in Chaperone’s favour; in brackets its 95 % interval (bootstrap). ` +
  `Noise is the same of the peer against itself, measured twice in each round. “${NOISY}”: the interval overlaps that of the noise or holds 1, and one of the two leaves 1/${SAME} to ${SAME}. ` +
  `Shares, of frames or of a processor, are compared by the mean difference of a round, in percentage points: “more” where its interval lies above 0 and ends above ${SAME_POINTS}, “no more” where it ends there or below, else “${NOISY}”.`;

export function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function quantile(values, part) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(part * (sorted.length - 1))];
}

/** The 95 % bootstrap interval of a statistic: the same values always give the same interval. */
export function interval(values, statistic) {
  const random = seeded(values.length);
  const resampled = () => values.map(() => values[Math.floor(random() * values.length)]);
  const found = Array.from({ length: RESAMPLES }, () => statistic(resampled()));
  return { low: quantile(found, 0.025), high: quantile(found, 0.975) };
}

/** A generator of numbers from 0 to 1 (mulberry32). */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Of values by round; `again` is the peer’s second measurement in each. */
export function compareRatios({ ours, peer, again, isLessBetter }) {
  const favour = (mine, other) => (isLessBetter ? other / mine : mine / other);
  const ratios = ours.map((value, round) => favour(value, (peer[round] + again[round]) / 2));
  const found = { value: median(ratios), ...interval(ratios, median) };
  const noise = interval(
    peer.map((value, round) => favour(value, again[round])),
    median,
  );
  return { ...found, noise, verdict: ratioVerdict(found, noise) };
}

function ratioVerdict(found, noise) {
  if (found.low > Math.max(1, noise.high)) return 'better';
  if (found.high < Math.min(1, noise.low)) return 'worse';
  const isSame = ({ low, high }) => low >= 1 / SAME && high <= SAME;
  return isSame(found) && isSame(noise) ? 'no difference' : NOISY;
}

/** Of shares in per cent by round. */
export function compareShares({ ours, peer, again }) {
  const differences = ours.map((value, round) => value - (peer[round] + again[round]) / 2);
  const found = { value: mean(differences), ...interval(differences, mean) };
  const noise = interval(
    peer.map((value, round) => value - again[round]),
    mean,
  );
  return { ...found, noise, verdict: shareVerdict(found) };
}

function shareVerdict({ low, high }) {
  if (high <= SAME_POINTS) return 'no more';
  return low > 0 ? 'more' : NOISY;
}
