/**
 * Which pages may approve. Comes in: link codes asked for by a person, and keys and signatures from pages. Goes out: yes or no.
 * Called by the page hub, by whoever prints a link, and by what must refuse captures while a link is unspent.
 */
import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import type * as z from 'zod';
import { publicKeySchema, signedText } from '../protocol/index.js';
import { createClock } from '../approvals/clock.js';
import { createCodes, PairingRefused, type LinkIssuer } from './pairing-codes.js';
import { createKeys, type PairedKey } from './pairing-keys.js';

export { LINK_MS, PairingRefused, type LinkIssuer } from './pairing-codes.js';

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

export type Paired = Omit<PairedKey, 'publicKey'>;

export interface Pairing {
  /** A fresh single-use code; two minutes. */
  issue(by: LinkIssuer): { code: string; expiresAt: string };
  /** While true, captures, trees and clipboard reads must be refused: the link could be on the screen. */
  unspent(): boolean;
  /** Pairs the key and returns its id. Throws {@link PairingRefused}. `source` says whose guesses are counted together. */
  redeem(code: string, publicKey: unknown, source?: string): string;
  authenticate(proof: Proof): boolean;
  list(): Paired[];
  /** False when there is no such key. Throws when the change cannot be kept. */
  revoke(keyId: string): boolean;
  on(listener: (change: { keyId: string; change: 'paired' | 'revoked' }) => void): () => void;
}

export const MAX_PAIRED = 100;
const SEEN_EVERY_MS = 60_000;

export interface PairingOptions {
  /** pairings.json in the state folder. */
  file: string;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Milliseconds of running time; tests give their own. */
  running?: () => number;
}

export function createPairing({ file, now, running }: PairingOptions): Pairing {
  // A link lasts no longer because the clock was set back.
  const codes = createCodes(createClock(now, running).read);
  const keys = createKeys(file);
  const listeners = new Set<Parameters<Pairing['on']>[0]>();
  const iso = () => new Date(now()).toISOString();

  function tell(keyId: string, change: 'paired' | 'revoked') {
    for (const listener of [...listeners]) listener({ keyId, change });
  }

  function keep(key: PairedKey) {
    try {
      keys.put(key);
    } catch {
      throw new PairingRefused('not_saved', 'The pairing could not be saved to disk. Free some space and try again.');
    }
  }

  /** The time is for the list of pages only, so a disk that is full does not keep anybody out. */
  function noteSeen(key: PairedKey) {
    if (now() - Date.parse(key.lastSeenAt) < SEEN_EVERY_MS) return;
    try {
      keys.put({ ...key, lastSeenAt: iso() });
    } catch {
      return;
    }
  }

  return {
    issue: codes.issue,
    unspent: codes.unspent,
    redeem(code, received, source = '') {
      const by = codes.check(code, source);
      const publicKey = parseKey(received);
      const keyId = idOf(publicKey);
      if (!keys.get(keyId) && keys.all().length >= MAX_PAIRED)
        throw new PairingRefused('too_many_pages', `${MAX_PAIRED} pages are paired. Unpair one in Settings first.`);
      keep({ keyId, publicKey, pairedAt: iso(), lastSeenAt: iso(), by });
      codes.spend(code);
      tell(keyId, 'paired');
      return keyId;
    },
    authenticate({ keyId, signature, origin, host, nonce }) {
      const key = keys.get(keyId);
      const bytes = Buffer.from(signature, 'base64url');
      if (!key || bytes.length !== 64 || nonce === '') return false;
      const text = Buffer.from(signedText(origin, host, nonce));
      const good = verify('sha256', text, { key: keyObject(key.publicKey), dsaEncoding: 'ieee-p1363' }, bytes);
      if (good) noteSeen(key);
      return good;
    },
    list: () => keys.all().map(({ publicKey: _, ...shown }) => shown),
    revoke(keyId) {
      const removed = keys.remove(keyId);
      if (removed) tell(keyId, 'revoked');
      return removed;
    },
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function parseKey(received: unknown): PublicKey {
  const parsed = publicKeySchema.safeParse(received);
  if (parsed.success && importable(parsed.data)) return parsed.data;
  throw new PairingRefused('bad_key', 'The page sent a key that is not a P-256 public key.');
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
