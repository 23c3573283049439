import type { App } from '../../../native/desktop.js';
import type { PlainEvent, WatchedEvent } from './model.js';

export interface Batch {
  events: WatchedEvent[];
  /** What was asked for and is not kept any more, or is not open to agents any more. */
  dropped: number;
  /** To ask for what comes after these. */
  next: number;
  /** More of what was asked for is kept. */
  more: boolean;
}

interface Kept {
  event: WatchedEvent;
  app: App;
  size: number;
}

export interface Buffer {
  /** The event with its number. */
  add(event: PlainEvent, app: App): WatchedEvent;
  /** What came after this number and may still be told. */
  after(sequence: number, most: number, open: (app: App) => boolean): Batch;
  readonly last: number;
  clear(): void;
}

const MOST_EVENTS = 500;
const MOST_CHARACTERS = 500_000;

/** The latest events; the oldest go when there are too many, and whoever asks for them is told how many are gone. */
export function createBuffer(): Buffer {
  let kept: Kept[] = [];
  let size = 0;
  let last = 0;

  function trim(): void {
    while (kept.length > MOST_EVENTS || (size > MOST_CHARACTERS && kept.length > 1)) size -= kept.shift()?.size ?? 0;
  }

  return {
    add(event, app) {
      last += 1;
      const numbered = { ...event, sequence: last };
      const own = JSON.stringify(numbered).length;
      kept.push({ event: numbered, app, size: own });
      size += own;
      trim();
      return numbered;
    },
    after(sequence, most, open) {
      const from = Math.min(Math.max(0, sequence), last);
      const asked = kept.filter(({ event }) => event.sequence > from);
      const told = asked.filter(({ app }) => open(app)).slice(0, most);
      const more = asked.filter(({ app }) => open(app)).length > told.length;
      const next = more ? (told.at(-1)?.event.sequence ?? from) : last;
      return { events: told.map(({ event }) => event), dropped: next - from - told.length, next, more };
    },
    get last() {
      return last;
    },
    clear() {
      kept = [];
      size = 0;
    },
  };
}
