import { setTimeout as pause } from 'node:timers/promises';
import { Stop } from '../lib/run.mjs';

const LONGEST_MS = 60_000;

/** Waits for a condition; `what` says which one when it does not come. */
export async function until(condition, what) {
  const last = Date.now() + LONGEST_MS;
  while (!condition()) {
    if (Date.now() > last) throw new Stop(`✗ waited in vain until ${what}.`);
    await pause(50);
  }
}
