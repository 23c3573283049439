/**
 * How long a request waits. Its clock stands while nobody can have seen it, and a person may give it more time. Comes in: which paired
 * pages are visible, and whether the screen is locked. Never here: a request without an end, whatever a page says.
 */
import { createEmitter } from '../../base/emitter.js';
import { REQUEST_TIME, type Card } from '../protocol/index.js';

export type Viewers = ReturnType<typeof createViewers>;

/** Who can see requests now. */
export function createViewers(log: (thrown: unknown) => void) {
  const visible = new Set<string>();
  const changed = createEmitter<void>(log);
  let locked = false;
  return {
    /** A paired page, or the popover, shows itself to the person or does not. */
    set(connection: string, sees: boolean): void {
      if (sees === visible.has(connection)) return;
      if (sees) visible.add(connection);
      else visible.delete(connection);
      changed.emit();
    },
    /** A page behind a locked screen is seen by nobody, whatever it says of itself. */
    lock(on: boolean): void {
      locked = on;
      changed.emit();
    },
    any: (): boolean => !locked && visible.size > 0,
    onChange: changed.on,
  };
}

/**
 * Once a request was unseen for an hour it ends: the agent's client has given up by then, and what was to be done with the desktop as it was
 * is no longer what the person would find. An hour outlasts a meal and a meeting.
 */
export const MOST_UNSEEN_MS = 60 * 60_000;

interface Timed {
  card: Pick<Card, 'createdAt' | 'expiresAt'>;
  /** Its clock stands since then; null: it runs. */
  heldSince: number | null;
}

/** When it ends if its clock goes on, or stands, as it does now. */
export function endOf({ card, heldSince }: Timed, time: number, expiryMs: number): number {
  const end = Date.parse(card.expiresAt);
  if (heldSince === null) return end;
  const longest = Date.parse(card.createdAt) + expiryMs + MOST_UNSEEN_MS;
  return Math.max(end, Math.min(end + Math.max(0, time - heldSince), longest));
}

/** The end that a person's "More time" gives; null where it has all that there is. */
export function laterEnd(end: number, { createdAt }: Pick<Card, 'createdAt'>): number | null {
  const later = Math.min(end + REQUEST_TIME.moreMs, Date.parse(createdAt) + REQUEST_TIME.longestMs);
  return later > end ? later : null;
}
