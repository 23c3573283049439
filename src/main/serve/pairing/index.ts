/**
 * Which pages may approve. Comes in: link codes asked for by a person, and keys and signatures from pages. Goes out: yes or no.
 * Called by the page hub, by whoever prints a link, and by what must refuse captures while a link is unspent.
 */
import { message } from '../../../messages/index.js';
import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import type * as z from 'zod';
import { createEmitter } from '../../../base/emitter.js';
import { publicKeySchema, signedText } from '../../protocol/index.js';
import { createClock } from '../../approvals/clock.js';
import { createLinkCodes, PairingRefused, type IssuedLink } from './link-codes.js';
import { createKeyStore, type PairedKey } from './key-store.js';

export { LINK_MS, PairingRefused } from './link-codes.js';

export type PublicKey = z.infer<typeof publicKeySchema>;

export interface Proof {
  keyId: string;
  /** base64url of the 64-byte P-256 signature over `signedText`. */
  signature: string;
  /** As the host saw them at upgrade, never as the page says. */
  origin: string;
  host: string;
  nonce: string;
}

type Paired = Omit<PairedKey, 'publicKey' | 'told'>;

/** A link and a key that fit, not paired yet. */
export interface Offer {
  link: IssuedLink;
  keyId: string;
  /** Makes the link invalid. */
  spend(): void;
  /** Pairs the key. `browser`: the program that redeemed the link. Throws {@link PairingRefused}. */
  accept(browser: string | null): void;
}

/** A pairing that a page has not dismissed yet. */
export interface PairingNews {
  keyId: string;
  pairedAt: string;
  by: string;
  browser: string | null;
  /** It was paired earlier than the page that receives this. */
  before: boolean;
  /** null while it is paired. */
  endedAt: string | null;
}

export type Pairing = ReturnType<typeof createPairing>;

export const MAX_PAIRED = 100;
const SEEN_EVERY_MS = 60_000;

interface PairingOptions {
  /** pairings.json in the state folder. */
  file: string;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Milliseconds of running time; tests give their own. */
  running?: () => number;
  /** What listeners throw. */
  onError?: (thrown: unknown) => void;
}

export function createPairing({ file, now, running, onError }: PairingOptions) {
  // Setting the clock back must not make a link last longer.
  const codes = createLinkCodes(createClock(now, running).read);
  const keys = createKeyStore(file);
  const changes = createEmitter<{ keyId: string; change: 'paired' | 'revoked' }>(onError);
  const iso = () => new Date(now()).toISOString();

  function keep(key: PairedKey) {
    try {
      keys.put(key);
    } catch {
      throw new PairingRefused('not_saved', message('pairing.not_saved'));
    }
  }

  /** The time is only shown in the list of pages, so a page is not refused where it cannot be saved. */
  function noteSeen(key: PairedKey) {
    if (now() - Date.parse(key.lastSeenAt) < SEEN_EVERY_MS) return;
    try {
      keys.put({ ...key, lastSeenAt: iso() });
    } catch {
      return;
    }
  }

  function offer(code: string, received: unknown, source: string): Offer {
    const link = codes.check(code, source);
    const publicKey = parseKey(received);
    const keyId = idOf(publicKey);
    if (!keys.get(keyId) && keys.all().length >= MAX_PAIRED)
      throw new PairingRefused('too_many_pages', message('pairing.too_many_pages', { count: MAX_PAIRED }));
    return {
      link,
      keyId,
      spend: () => codes.spend(code),
      accept(browser) {
        keep({ keyId, publicKey, pairedAt: iso(), lastSeenAt: iso(), by: link.by, browser, told: [] });
        codes.spend(code);
        changes.emit({ keyId, change: 'paired' });
      },
    };
  }

  function revoke(keyId: string): boolean {
    const removed = keys.remove(keyId, iso());
    if (removed) changes.emit({ keyId, change: 'revoked' });
    return removed;
  }

  return {
    /** A fresh single-use code; two minutes. `askedBy`: the process it is for and its ancestors. */
    issue: codes.issue,
    /** While true, captures, trees and clipboard reads must be refused: the link could be on the screen. */
    unspent: codes.unspent,
    /** Checks link and key. Throws {@link PairingRefused}. `source` says whose guesses are counted together. */
    offer: (code: string, received: unknown, source: string = ''): Offer => offer(code, received, source),
    /** Pairs the key at once and returns its id. Throws {@link PairingRefused}. */
    redeem(code: string, received: unknown, source: string = ''): string {
      const found = offer(code, received, source);
      found.accept(null);
      return found.keyId;
    },
    authenticate({ keyId, signature, origin, host, nonce }: Proof): boolean {
      const key = keys.get(keyId);
      const bytes = Buffer.from(signature, 'base64url');
      if (!key || bytes.length !== 64 || nonce === '') return false;
      const text = Buffer.from(signedText(origin, host, nonce));
      const good = verify('sha256', text, { key: keyObject(key.publicKey), dsaEncoding: 'ieee-p1363' }, bytes);
      if (good) noteSeen(key);
      return good;
    },
    list: (): Paired[] => keys.all().map(({ publicKey: _, told: __, ...shown }) => shown),
    /** False when there is no such key. Throws when the change cannot be kept. */
    revoke,
    /** Revokes all and says how many there were. */
    reset: (): number => keys.all().filter(({ keyId }) => revoke(keyId)).length,
    /** What the page of this key, or for null the popover, has not dismissed. Oldest first. */
    news(keyId: string | null): PairingNews[] {
      const told = new Set([keyId, ...keys.dismissed(keyId)]);
      const since = keyId === null ? null : (keys.get(keyId)?.pairedAt ?? null);
      const all = [...keys.past(), ...keys.all().map((key) => ({ ...key, endedAt: null }))];
      return all
        .filter((one) => !told.has(one.keyId))
        .map(({ keyId: id, pairedAt, by, browser, endedAt }) => {
          const before = since !== null && pairedAt < since;
          return { keyId: id, pairedAt, by, browser, before, endedAt };
        })
        .sort((one, other) => one.pairedAt.localeCompare(other.pairedAt));
    },
    dismissNews(keyId: string | null, keyIds: readonly string[]): void {
      const known = new Set([...keys.past(), ...keys.all()].map((one) => one.keyId));
      const told = new Set([...keys.dismissed(keyId), ...keyIds]);
      keys.setDismissed(
        keyId,
        [...told].filter((id) => known.has(id)),
      );
    },
    on: changes.on,
  };
}

function parseKey(received: unknown): PublicKey {
  const parsed = publicKeySchema.safeParse(received);
  if (parsed.success && importable(parsed.data)) return parsed.data;
  throw new PairingRefused('bad_key', message('pairing.bad_key'));
}

function importable(key: PublicKey): boolean {
  try {
    return keyObject(key).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

function keyObject({ kty, crv, x, y }: PublicKey): KeyObject {
  return createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' });
}

/** The key's JWK thumbprint (RFC 7638): the same key always has the same id. */
function idOf({ kty, crv, x, y }: PublicKey): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
}
