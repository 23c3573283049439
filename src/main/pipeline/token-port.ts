import type { Plan } from './plan.js';
import type { Caller, Decision } from './ports.js';

export interface IssuedToken {
  token: string;
  expiresAt: string;
}

/** One-time confirmation tokens of the contract: bound to peer, method, parameters, plan and workspace. */
export interface Tokens {
  issue(binding: {
    caller: Caller;
    method: string;
    paramsDigest: string;
    plan: Plan;
    workspace: string;
    ttlMs: number;
    decision: Decision;
  }): IssuedToken;
  /** Consumes the token; throws DESKTOP_CONFIRM_REQUIRED with `details.reason`. */
  spend(use: { token: string; caller: Caller; method: string; paramsDigest: string; workspace: string }): {
    plan: Plan;
    decision: Decision;
  };
}
