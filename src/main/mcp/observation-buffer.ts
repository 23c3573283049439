/** Observation events for the client: sent while its output buffer has room. The last ones can be read again. */
import { LRUCache } from 'lru-cache';

export type ObservationBuffer = ReturnType<typeof createObservationBuffer>;

interface ObservationBufferOptions {
  /** `dropped`: number of events that were not sent since the last one. */
  send(observation: string, event: unknown, dropped: number): void;
  /** False while the client does not read what it was sent. */
  canSend(): boolean;
}

const MAX_OBSERVATIONS = 50;
const MAX_EVENTS = 100;
export const JSON_TYPE = 'application/json';

export const observationUri = (id: string): string => `chaperone://observations/${encodeURIComponent(id)}`;

/** Keeps the last events of the last observations. A client that reads slowly is not waited for. */
export function createObservationBuffer({ send, canSend }: ObservationBufferOptions) {
  const kept = new LRUCache<string, { id: string; events: unknown[]; dropped: number }>({ max: MAX_OBSERVATIONS });
  let dropped = 0;

  function keep(id: string, event: unknown): void {
    const uri = observationUri(id);
    const before = kept.get(uri) ?? { events: [], dropped: 0 };
    const all = [...before.events, event];
    const excess = Math.max(0, all.length - MAX_EVENTS);
    kept.set(uri, { id, events: all.slice(-MAX_EVENTS), dropped: before.dropped + excess });
  }

  return {
    add(id: string, event: unknown): void {
      keep(id, event);
      if (!canSend()) {
        dropped += 1;
        return;
      }
      send(id, event, dropped);
      dropped = 0;
    },
    list: (): { uri: string; name: string; mimeType: string }[] =>
      [...kept.entries()].reverse().map(([uri, { id }]) => ({ uri, name: `observations/${id}`, mimeType: JSON_TYPE })),
    /** JSON; null where there was no event under that address. */
    read(uri: string): string | null {
      const found = kept.peek(uri);
      return found === undefined ? null : JSON.stringify({ events: found.events, dropped: found.dropped });
    },
  };
}
