/** What was sent to one session, so that a client whose stream broke can go on after the last event it got. Called by the session. */
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

const MAX_EVENTS = 512;
const MAX_CHARACTERS = 8 * 1024 * 1024;

interface KeptEvent {
  id: string;
  stream: string;
  message: JSONRPCMessage;
  characters: number;
}

interface KeepingStore extends Required<EventStore> {
  /** `dropped`: the id of an event that is no longer kept. */
  find(id: string): 'kept' | 'dropped' | 'unknown';
}

/** The newest event is kept whatever its length; after one that is no longer kept nothing is sent again. */
export function createEventStore(): KeepingStore {
  const kept: KeptEvent[] = [];
  let count = 0;
  let characters = 0;

  function trim(): void {
    while (kept.length > 1 && (kept.length > MAX_EVENTS || characters > MAX_CHARACTERS))
      characters -= kept.shift()?.characters ?? 0;
  }

  return {
    find(id) {
      if (kept.some((event) => event.id === id)) return 'kept';
      return /^[1-9]\d{0,15}$/.test(id) && Number(id) <= count ? 'dropped' : 'unknown';
    },
    async storeEvent(stream, message) {
      const event = { id: String(++count), stream, message, characters: JSON.stringify(message).length };
      kept.push(event);
      characters += event.characters;
      trim();
      return event.id;
    },
    getStreamIdForEventId: async (id) => kept.find((event) => event.id === id)?.stream,
    async replayEventsAfter(lastId, { send }) {
      const last = kept.findIndex(({ id }) => id === lastId);
      const stream = kept[last]?.stream;
      if (stream === undefined) throw new Error('that event is no longer kept');
      // The SDK stores an empty message where a stream begins.
      for (const { id, message } of kept.slice(last + 1).filter((event) => event.stream === stream))
        if ('jsonrpc' in message) await send(id, message);
      return stream;
    },
  };
}
