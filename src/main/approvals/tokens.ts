/** One-time confirmation tokens: what desktop.confirm.issue gives and a ui-control call spends. In memory only. */
import { randomUUID } from 'node:crypto';
import { WireError } from '../protocol/index.js';
import { peerKey, type Caller, type Decision } from './request.js';
import type { Plan } from './plan.js';
import type { Clock } from './clock.js';
import { sha256, sameSecret } from './digest.js';
import { message } from '../../messages/index.js';

/** How long a confirmation token can be used. */
export const TOKEN_TTL_MS = { default: 60_000, max: 600_000 } as const;
const MAX_PER_PEER = 64;
const MAX_KEPT = 4_096;

/** Why a token is no longer valid, apart from errors of the call itself. */
type Ended = 'used' | 'expired' | 'policy' | 'paused';

interface Entry {
  peer: string;
  method: string;
  paramsDigest: string;
  workspace: string;
  expiresAt: number;
  /** null once it has ended. */
  good: { plan: Plan; decision: Decision } | null;
  ended: Ended | null;
}

/** What a token is bound to, and what it gives. */
interface Binding {
  caller: Caller;
  method: string;
  paramsDigest: string;
  plan: Plan;
  workspace: string;
  ttlMs: number;
  decision: Decision;
}

export type TokenStore = ReturnType<typeof createTokens>;

type Use = { token: string; caller: Caller; method: string; paramsDigest: string; workspace: string };

type Refusal = Ended | 'missing' | 'mismatch' | 'peer' | 'scope';

export function createTokens(clock: Clock) {
  const entries = new Map<string, Entry>();

  function sweep(): void {
    const time = clock.read();
    for (const [key, entry] of entries) {
      if (entry.good !== null && time >= entry.expiresAt) end(entry, 'expired');
      if (time >= entry.expiresAt + TOKEN_TTL_MS.max) entries.delete(key);
    }
    for (const [key, entry] of entries) {
      if (entries.size <= MAX_KEPT) break;
      if (entry.good === null) entries.delete(key);
    }
  }

  function issue(binding: Binding) {
    const { caller, method, paramsDigest, workspace, ttlMs, decision } = binding;
    assertTtl(ttlMs);
    if (decision.kind !== 'allowed') throw refused('missing', 'other');
    sweep();
    const peer = peerKey(caller);
    assertRoom([...entries.values()].filter((entry) => entry.good !== null && entry.peer === peer).length);
    const token = randomUUID();
    const expiresAt = clock.read() + ttlMs;
    const good = { plan: structuredClone(binding.plan), decision: { ...decision } };
    entries.set(sha256(token), { peer, method, paramsDigest, workspace, expiresAt, good, ended: null });
    return { token, expiresAt: new Date(expiresAt).toISOString() };
  }

  /** Consumes the token; throws DESKTOP_CONFIRM_REQUIRED with `details.reason`. A call with another peer, method or parameter does not use it up. */
  function spend(use: Use): { plan: Plan; decision: Decision } {
    sweep();
    if (typeof use.token !== 'string' || use.token === '') throw refused('missing');
    const entry = entries.get(sha256(use.token));
    if (entry === undefined) throw refused('mismatch');
    if (!sameSecret(entry.peer, peerKey(use.caller))) throw refused('peer');
    const { good } = entry;
    if (good === null) throw refused(entry.ended ?? 'used');
    const fits = [
      sameSecret(entry.method, use.method),
      sameSecret(entry.paramsDigest, use.paramsDigest),
      sameSecret(entry.workspace, use.workspace),
    ];
    if (fits.includes(false)) throw refused('scope');
    end(entry, 'used');
    return { plan: good.plan, decision: good.decision };
  }

  return {
    issue,
    spend,
    /** Ends every unused token, because the policy became stricter or agents were paused. */
    endAll(why: 'policy' | 'paused'): void {
      for (const entry of entries.values()) if (entry.good !== null) end(entry, why);
    },
  };
}

function end(entry: Entry, why: Ended): void {
  entry.good = null;
  entry.ended = why;
}

function assertTtl(ttlMs: number): void {
  if (Number.isInteger(ttlMs) && ttlMs >= 1 && ttlMs <= TOKEN_TTL_MS.max) return;
  throw new WireError('DESKTOP_INVALID_REQUEST', message('error.bad_ttl', { max: TOKEN_TTL_MS.max }), {
    field: 'ttlMs',
  });
}

function assertRoom(held: number): void {
  if (held < MAX_PER_PEER) return;
  throw new WireError('DESKTOP_HOST_NOT_READY', message('error.too_many_tokens', { max: MAX_PER_PEER }), {
    reason: 'too_many_tokens',
  });
}

function refused(reason: Refusal, why: Refusal | 'other' = reason): WireError {
  return new WireError('DESKTOP_CONFIRM_REQUIRED', message('error.token_refused', { why }), { reason });
}
