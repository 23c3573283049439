/** Bytes a page may send in one message: a reply's text with every character escaped; with a paired page's images as well. */
export const MESSAGE_BYTES = { unpaired: 768 * 1024, paired: 12 * 1024 * 1024 } as const;

/** Characters held for a page that does not read. */
export const OUTBOX_CHARS = 16_000_000;

/** One page more and the oldest unpaired one is closed, so that a flood of them cannot keep the person out. */
export const MAX_PAGES = 240;

/** Malformed, unexpected or too many messages before the page is closed. */
export const MAX_REFUSED_MESSAGES = 10;

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
