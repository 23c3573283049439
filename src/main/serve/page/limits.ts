/** Bytes a page may send in one message: a reply's text with every character escaped; with a paired page's images as well. */
export const MESSAGE_BYTES = { unpaired: 768 * 1024, paired: 12 * 1024 * 1024 } as const;

/** Characters held for a page that does not read. */
export const OUTBOX_CHARS = 16_000_000;

/** One page more and the oldest unpaired one is closed, so that a flood of them cannot keep the person out. */
export const MAX_PAGES = 240;

export const ACTIVITY_SHOWN = 100;
/** A page that says where it stopped reading gets up to `missed` times as much. */
export const HISTORY = { events: 1_000, textChars: 2_000_000, imageChars: 12_000_000, missed: 5 } as const;

/** One part of the conversation when a page scrolls back. */
export const EARLIER = { events: 300, textChars: 500_000, imageChars: 6_000_000 } as const;

/** Malformed, unexpected or too many messages before the page is closed. */
export const STRIKES = 10;

export interface Budget {
  take(): boolean;
}

/** A bucket of `burst` that refills by `perSecond`. */
export function createBudget(burst: number, perSecond: number, now: () => number): Budget {
  let left = burst;
  let at = now();
  return {
    take() {
      const time = now();
      left = Math.min(burst, left + (Math.max(0, time - at) / 1_000) * perSecond);
      at = time;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
