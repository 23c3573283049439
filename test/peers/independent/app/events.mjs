/** Event channels, sequence numbers and subscriptions (gabp.md 3.4 and 4.3, SCHEMA/1.0/events/README.md). */
import { randomUUID } from 'node:crypto';
import { CODES, GabpError } from '../lib/errors.mjs';
import { glob, PROTOCOL } from '../lib/names.mjs';

/** @typedef {{sendEvent: (message: object) => void}} Subscriber */

export class EventHub {
  /** @param {string[]} channels */
  constructor(channels) {
    /** @type {Map<string, number>} channel and its next sequence number */
    this.next = new Map(channels.map((channel) => [channel, 0]));
    /** @type {Map<Subscriber, Set<string>>} */
    this.subscriptions = new Map();
  }

  get channels() {
    return [...this.next.keys()];
  }

  /**
   * @param {Subscriber} subscriber @param {string[]} wanted names or patterns
   * @returns {string[]} the channels now subscribed to
   */
  subscribe(subscriber, wanted) {
    const found = this.matching(wanted, this.channels);
    if (found.length === 0) throw new GabpError(CODES.CHANNEL_NOT_FOUND, 'Channel not found', { channels: wanted });
    const own = this.subscriptions.get(subscriber) ?? new Set();
    for (const channel of found) own.add(channel);
    this.subscriptions.set(subscriber, own);
    return found;
  }

  /**
   * @param {Subscriber} subscriber @param {string[]} unwanted names or patterns
   * @returns {string[]} the channels which were subscribed to until now
   */
  unsubscribe(subscriber, unwanted) {
    const own = this.subscriptions.get(subscriber) ?? new Set();
    const found = this.matching(unwanted, [...own]);
    for (const channel of found) own.delete(channel);
    return found;
  }

  /** @param {string[]} patterns @param {string[]} names */
  matching(patterns, names) {
    return [...new Set(patterns.flatMap((pattern) => names.filter(glob(pattern))))];
  }

  /** @param {Subscriber} subscriber */
  forget(subscriber) {
    this.subscriptions.delete(subscriber);
  }

  /** @param {string} channel @param {unknown} payload */
  emit(channel, payload) {
    const seq = this.next.get(channel);
    if (seq === undefined) throw new Error(`There is no channel ${channel}`);
    this.next.set(channel, seq + 1);
    const message = { v: PROTOCOL, id: randomUUID(), type: 'event', channel, seq, payload };
    for (const [subscriber, channels] of this.subscriptions) {
      if (channels.has(channel)) subscriber.sendEvent(message);
    }
  }
}
