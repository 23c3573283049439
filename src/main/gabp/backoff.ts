const FIRST_MS = 250;
const MAX_MS = 30_000;
/** Each wait is up to this part shorter or longer, so that several applications do not return at once. */
const JITTER = 0.25;

/** How long to wait before trying again, after so many failures in a row. `random`: from 0 to 1. */
export function backoffMs(failures: number, random: number): number {
  const wait = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(failures, 30));
  return Math.round(wait * (1 + JITTER * (2 * random - 1)));
}
