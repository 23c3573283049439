import type { App } from '../../../native/desktop.js';
import type { PlainEvent, WatchedEvent } from './model.js';

export interface EventBatch {
  events: WatchedEvent[];
  /** Events that are no longer kept, or that the agent may no longer see. */
  dropped: number;
  /** Pass as `after` next time. */
  next: number;
  /** More events are available now. */
  more: boolean;
}

interface BufferedEvent {
  event: WatchedEvent;
  app: App;
  size: number;
}

interface EventBuffer {
  /** Returns the event with its sequence number. */
  add(event: PlainEvent, app: App): WatchedEvent;
  /** Events after this number whose application is still `open`. */
  after(sequence: number, most: number, open: (app: App) => boolean): EventBatch;
  readonly last: number;
  clear(): void;
}

const MAX_EVENTS = 500;
const MAX_CHARACTERS = 500_000;

/** The latest events. The oldest are dropped at the limits, and readers get the number of dropped events. */
export function createEventBuffer(): EventBuffer {
  let kept: BufferedEvent[] = [];
  let size = 0;
  let last = 0;

  function trim(): void {
    while (kept.length > MAX_EVENTS || (size > MAX_CHARACTERS && kept.length > 1)) size -= kept.shift()?.size ?? 0;
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
      const visible = asked.filter(({ app }) => open(app)).slice(0, most);
      const more = asked.filter(({ app }) => open(app)).length > visible.length;
      const next = more ? (visible.at(-1)?.event.sequence ?? from) : last;
      return { events: visible.map(({ event }) => event), dropped: next - from - visible.length, next, more };
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
