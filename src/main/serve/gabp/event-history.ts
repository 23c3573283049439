/**
 * The latest events of the channels that outlive a connection: attention, observations and changes of the list of tools. Their sequence numbers count for the whole
 * host, without gaps, so a bridge that comes back can ask for what it has missed. Called by the GABP server.
 */
import { LRUCache } from 'lru-cache';
import { createEmitter } from '../../../base/emitter.js';
import type { AgentServices } from '../services.js';

export interface KeptEvent {
  channel: string;
  seq: number;
  payload: unknown;
  /** The agent it belongs to; null for everyone's. */
  agentId: string | null;
}

export type EventHistory = ReturnType<typeof createEventHistory>;

export const OBSERVATION = 'observation/';
/** That a connected application has sent events; what they hold is read by its tool. */
export const APPLICATION = 'application/';
/** Full channels; the one longest without an event goes first. */
const MAX_FULL_CHANNELS = 8;

/** `most` events of each channel are kept. */
export function createEventHistory(
  services: Pick<AgentServices, 'attention' | 'onObservation' | 'onToolsChanged' | 'onAppNews'>,
  most: number,
) {
  const { attention, onObservation, onToolsChanged, onAppNews } = services;
  const channels = new LRUCache<string, { next: number; kept: KeptEvent[] }>({
    maxSize: most * MAX_FULL_CHANNELS,
    sizeCalculation: ({ kept }) => kept.length,
  });
  const emitter = createEmitter<KeptEvent>();

  function add(channel: string, payload: unknown, agentId: string | null): void {
    const state = channels.get(channel) ?? { next: 0, kept: [] };
    const event = { channel, seq: state.next, payload, agentId };
    state.next += 1;
    state.kept.push(event);
    if (state.kept.length > most) state.kept.shift();
    channels.set(channel, state);
    emitter.emit(event);
  }

  const stops = [
    attention.onChange((event, item) => add(`attention/${event}`, item, null)),
    onToolsChanged(() => add('tools/changed', {}, null)),
    onAppNews((app) => add(`${APPLICATION}${app}`, { application: app }, null)),
    onObservation(({ agentId, observationId, event }) => add(`${OBSERVATION}${observationId}`, event, agentId)),
  ];

  return {
    onEvent: emitter.on,
    /** Oldest first: the kept events of a channel from this number on. A number that was not given out yet is an earlier host's: then all. */
    since(channel: string, from: number, agentId: string): KeptEvent[] {
      const { next, kept } = channels.peek(channel) ?? { next: 0, kept: [] };
      const first = from > next ? 0 : from;
      return kept.filter((event) => event.seq >= first && (event.agentId === null || event.agentId === agentId));
    },
    close(): void {
      for (const stop of stops) stop();
    },
  };
}
