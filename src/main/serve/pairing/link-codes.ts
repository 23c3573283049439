import { message, MessageError, type Message } from '../../../messages/index.js';
import { createHash, randomBytes } from 'node:crypto';
import type { ProcessIdentity } from '../../../native/peer/types.js';

export const LINK_MS = 120_000;
const GUESS_LIMIT = { windowMs: 60_000, perSource: 10, together: 100 } as const;

export type LinkIssuer = 'popover' | 'terminal' | 'cli';

export interface IssuedLink {
  by: LinkIssuer;
  /** Who asked for it, where that was another process than the host, and its ancestors. */
  askedBy: readonly ProcessIdentity[];
}

/** Why a page could not be paired, in words for the page. */
export class PairingRefused extends MessageError {
  constructor(
    readonly code:
      | 'wrong_code'
      | 'too_many_attempts'
      | 'bad_key'
      | 'too_many_pages'
      | 'not_saved'
      | 'pairing_not_here'
      | 'pairing_denied'
      | 'pairing_expired',
    text: Message,
  ) {
    super(text);
    this.name = 'PairingRefused';
  }
}

/** Single-use link codes: 256 bits, two minutes, kept only as their hash and only in memory. */
export function createLinkCodes(now: () => number) {
  const issued = new Map<string, IssuedLink & { until: number }>();
  const wrong: { source: string; at: number }[] = [];

  function dropExpired() {
    for (const [hash, { until }] of issued) if (until <= now()) issued.delete(hash);
    while (wrong[0] && wrong[0].at + GUESS_LIMIT.windowMs <= now()) wrong.shift();
  }

  function limited(source: string): boolean {
    const ofSource = wrong.filter((each) => each.source === source);
    return wrong.length >= GUESS_LIMIT.together || ofSource.length >= GUESS_LIMIT.perSource;
  }

  return {
    issue(by: LinkIssuer, askedBy: readonly ProcessIdentity[] = []): { code: string; expiresAt: string } {
      const code = randomBytes(32).toString('base64url');
      const until = now() + LINK_MS;
      issued.set(hashOf(code), { by, askedBy, until });
      return { code, expiresAt: new Date(until).toISOString() };
    },
    unspent(): boolean {
      dropExpired();
      return issued.size > 0;
    },
    /** Throws {@link PairingRefused} for a code that is wrong, spent or expired, and for a source that guessed too often. */
    check(code: string, source: string): IssuedLink {
      dropExpired();
      if (limited(source)) throw new PairingRefused('too_many_attempts', message('pairing.too_many_attempts'));
      const known = issued.get(hashOf(code));
      if (known) return known;
      wrong.push({ source, at: now() });
      throw new PairingRefused('wrong_code', message('pairing.wrong_code'));
    },
    spend: (code: string): void => void issued.delete(hashOf(code)),
  };
}

/** Lookup by hash, so that timing reveals nothing. */
function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('base64url');
}
