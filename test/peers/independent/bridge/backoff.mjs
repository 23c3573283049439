/** Exponential backoff with jitter (transport.md 6.2): half of the step is fixed, half is random. */
export class Backoff {
  /** @param {{baseMs: number, maxMs: number}} options */
  constructor({ baseMs, maxMs }) {
    this.baseMs = baseMs;
    this.maxMs = maxMs;
    this.attempt = 0;
  }

  /** @returns {number} milliseconds until the next attempt */
  next() {
    const step = Math.min(this.maxMs, this.baseMs * 2 ** this.attempt);
    this.attempt += 1;
    return Math.round(step / 2 + (Math.random() * step) / 2);
  }
}

/** @param {number} ms */
export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
