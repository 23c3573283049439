/** The latest events of an application, with how many are known to be lost. Numbers count in each channel, from whatever comes first. */
import type { Welcome } from '../protocol/gabp-client.js';
import type { AppEvent } from './connection.js';
import { createEmitter } from '../../base/emitter.js';

export interface KeptEvent extends AppEvent {
  /** Counts all events of the application, as they came. */
  position: number;
  at: string;
}

export type EventLog = ReturnType<typeof createEventLog>;

const MAX_EVENTS = 500;
/** Characters of all kept payloads together. */
const MAX_CHARACTERS = 1_000_000;
const MAX_COUNTED_CHANNELS = 500;
/** Our own server's; the protocol has none. */
const REPLAY = 'replay';

export function createEventLog() {
  const news = createNews();
  const kept: (KeptEvent & { size: number })[] = [];
  const last = new Map<string, number>();
  let size = 0;
  let position = 0;
  let lost = 0;
  let fresh = new Set<string>();

  function drop(): void {
    const oldest = kept.shift();
    size -= oldest?.size ?? 0;
  }

  /** False for one that came before. */
  function count(channel: string, seq: number): boolean {
    const before = last.get(channel);
    const begins = before === undefined || !fresh.has(channel);
    fresh.add(channel);
    if (before !== undefined && !begins && seq <= before) return false;
    if (before !== undefined && !begins && seq > before + 1) lost += seq - before - 1;
    if (before !== undefined || last.size < MAX_COUNTED_CHANNELS) last.set(channel, seq);
    return true;
  }

  return {
    add({ channel, seq, payload }: AppEvent): void {
      if (seq !== null && !count(channel, seq)) return;
      const own = JSON.stringify(payload)?.length ?? 0;
      position += 1;
      if (own > MAX_CHARACTERS) return void (lost += 1);
      kept.push({ channel, seq, payload, position, at: new Date().toISOString(), size: own });
      size += own;
      while (kept.length > MAX_EVENTS || size > MAX_CHARACTERS) drop();
      news.add();
    },
    /** A new connection: numbers may begin anew. */
    reconnected: (): void => void (fresh = new Set()),
    /** What asks an application that keeps its events for those since the last one. */
    replay({ capabilities }: Welcome): { from?: Record<string, number> } {
      if (capabilities.extensions[REPLAY] === undefined || last.size === 0) return {};
      return { from: Object.fromEntries([...last].map(([channel, seq]) => [channel, seq + 1])) };
    },
    /** After `since`, oldest first. */
    read: (since: number, most: number, channel: string | null): KeptEvent[] =>
      kept
        .filter((one) => one.position > since && (channel === null || one.channel === channel))
        .slice(0, most)
        .map(({ size: _size, ...event }) => event),
    /** Known from gaps in their numbers. */
    lost: (): number => lost,
    /** Events have come; told once a second at most. */
    onNews: news.on,
    close: news.close,
  };
}

// Says that an application has sent events, and never more often than once a second, however many there are.

const INTERVAL_MS = 1_000;

export function createNews() {
  const told = createEmitter<void>(() => undefined);
  let timer: NodeJS.Timeout | null = null;
  let again = false;

  function tellNow(): void {
    again = false;
    timer = setTimeout(() => {
      timer = null;
      if (again) tellNow();
    }, INTERVAL_MS);
    timer.unref();
    told.emit();
  }

  return {
    on: told.on,
    /** An event has come. */
    add(): void {
      if (timer === null) tellNow();
      else again = true;
    },
    close(): void {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
