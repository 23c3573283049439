/** The events of one GABP connection: subscriptions, sequence numbers and a bounded queue. Called by the GABP server. */
import { randomUUID } from 'node:crypto';
import { gabpEvent, type GabpEvent } from '../../protocol/gabp.js';

export interface GabpEvents {
  /**
   * Both return the channels concerned, without unknown ones. A trailing `*` means all channels that begin so; of a family
   * (`observation/*`) a single channel can be named too.
   */
  subscribe(channels: readonly string[]): string[];
  unsubscribe(channels: readonly string[]): string[];
  /** Sends to a subscriber. Without `seq` the events of this connection are counted. */
  publish(channel: string, payload: unknown, seq?: number): void;
  /** Sends kept events to a subscriber, all of them. */
  replay(events: readonly { channel: string; payload: unknown; seq: number }[]): void;
  /** Sends in any case. */
  send(channel: string, payload: unknown): void;
}

const MAX_CHANNEL_CHARS = 200;
const MAX_CHANNELS = 500;

const fits = (channel: string, pattern: string): boolean =>
  pattern.endsWith('*') ? channel.startsWith(pattern.slice(0, -1)) : channel === pattern;

/** Drops the oldest event when the peer reads too slowly; `seq` has no gaps otherwise, so the peer sees it. */
export function createGabpEvents(options: {
  /** `name/*` is a family of channels that come and go. */
  channels: readonly string[];
  most: number;
  send(event: GabpEvent): Promise<void>;
}): GabpEvents {
  const subscribed = new Set<string>();
  const counts = new Map<string, number>();
  const queue: GabpEvent[] = [];
  let sending = false;

  async function drain(): Promise<void> {
    if (sending) return;
    sending = true;
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await options.send(next);
    } catch {
      queue.length = 0;
    } finally {
      sending = false;
    }
  }

  function count(channel: string): number {
    const seq = counts.get(channel) ?? 0;
    counts.set(channel, seq + 1);
    return seq;
  }

  function push(channel: string, payload: unknown, seq = count(channel)): void {
    queue.push(gabpEvent(randomUUID(), channel, seq, payload));
    if (queue.length > options.most) queue.shift();
    void drain();
  }

  const isSubscribed = (channel: string): boolean => subscribed.has(channel) || subscribed.has(familyOf(channel) ?? '');

  function matching(patterns: readonly string[]): string[] {
    const named = options.channels.filter((channel) => patterns.some((pattern) => fits(channel, pattern)));
    const single = patterns.filter(
      (one) => one.length <= MAX_CHANNEL_CHARS && !one.endsWith('*') && familyOf(one) !== undefined,
    );
    return [...new Set([...named, ...single])];
  }

  const familyOf = (channel: string): string | undefined =>
    options.channels.find((one) => one.endsWith('/*') && channel.length >= one.length && fits(channel, one));

  return {
    subscribe(patterns) {
      const found = matching(patterns);
      for (const channel of found) if (subscribed.size < MAX_CHANNELS) subscribed.add(channel);
      return found.filter((channel) => subscribed.has(channel));
    },
    unsubscribe(patterns) {
      const held = [...subscribed].filter((channel) => patterns.some((pattern) => fits(channel, pattern)));
      const found = [...new Set([...matching(patterns), ...held])];
      for (const channel of found) subscribed.delete(channel);
      return found;
    },
    publish(channel, payload, seq) {
      if (isSubscribed(channel)) push(channel, payload, seq);
    },
    replay(events) {
      const wanted = events.filter(({ channel }) => isSubscribed(channel));
      queue.push(...wanted.map(({ channel, payload, seq }) => gabpEvent(randomUUID(), channel, seq, payload)));
      void drain();
    },
    send: (channel, payload) => push(channel, payload),
  };
}
