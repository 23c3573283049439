import { setTimeout as pause } from 'node:timers/promises';
import { Stop } from '../lib/run.mjs';

const TIMEOUT_MS = 60_000;

/** Waits for a condition; `what` names it in the error after the timeout. */
export async function until(condition, what) {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!condition()) {
    if (Date.now() > deadline) throw new Stop(`✗ waited in vain until ${what}.`);
    await pause(50);
  }
}
