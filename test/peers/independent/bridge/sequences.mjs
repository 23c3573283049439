/**
 * Sequence numbers by channel (SCHEMA/1.0/events/README.md: from 0, by 1, per channel).
 * A jump is judged by whether the channel was subscribed to all the time.
 * @typedef {{kind: "gap" | "restart" | "repeat", channel: string, expected: number, seq: number, missing?: number,
 *   cause: "stream" | "not subscribed meanwhile"}} Finding
 */
export class Sequences {
  constructor() {
    /** @type {Map<string, {last: number | null, continuous: boolean}>} */
    this.channels = new Map();
  }

  /** @param {string} channel @returns {{last: number | null, continuous: boolean}} */
  of(channel) {
    if (!this.channels.has(channel)) this.channels.set(channel, { last: null, continuous: false });
    return this.channels.get(channel);
  }

  /** Called when a subscription ends: by an order or with the connection. @param {string} [only] */
  interrupt(only) {
    for (const [channel, state] of this.channels) {
      if (only === undefined || only === channel) state.continuous = false;
    }
  }

  /** Called when another instance of the application answers. */
  reset() {
    this.channels.clear();
  }

  /**
   * @param {string} channel @param {number} seq
   * @returns {Finding | null} null when the number is the expected one, or the first one seen
   */
  note(channel, seq) {
    const state = this.of(channel);
    const { last, continuous } = state;
    state.continuous = true;
    if (last === null || seq === last + 1) {
      state.last = seq;
      return null;
    }
    const base = { channel, expected: last + 1, seq };
    if (seq > last) {
      state.last = seq;
      return {
        kind: 'gap',
        ...base,
        missing: seq - last - 1,
        cause: continuous ? 'stream' : 'not subscribed meanwhile',
      };
    }
    if (continuous) return { kind: 'repeat', ...base, cause: 'stream' };
    state.last = seq;
    return { kind: 'restart', ...base, cause: 'not subscribed meanwhile' };
  }
}
