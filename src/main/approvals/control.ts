/** What a person, or somebody who means no, can change: pause, stop, policy, grants. */
import type { Parts } from './decide.js';
import { refusalOf } from './decide.js';
import { refusal } from './events.js';
import type { ChangeResult, Where } from './events.js';
import { message, textOf, type Message } from '../../messages/index.js';
import type { Agent } from '../protocol/index.js';
import { parsePolicy, policyFile, widens } from './policy.js';
import type { Policy } from './policy.js';
import type { TokenStore } from './tokens.js';

export interface Control {
  /** Anyone may pause; only popover and page lift it. Without `agentId`: everybody. What is open for them is denied. */
  pause(change: { on: boolean; by: string; where: Where; reason?: Message; agentId?: string }): ChangeResult;
  /** Denies all that is open, ends tokens and kept permissions, and pauses everybody. Never throws. */
  stop(by: { by: string; where: Where }): void;
  /** Denies all that is open and pauses nobody. */
  denyOpen(by: { by: string; message: Message }): void;
  revokeGrant(id: string): boolean;
  /** What this agent need not be asked for again in this session is asked for again. */
  forget(agentId: string): boolean;
  /** Widening takes popover or page; `unattended` is never set here. What the new policy refuses ends at once. */
  setPolicy(policy: Policy, by: { by: string; where: Where }): ChangeResult;
}

export interface ControlEffects {
  pausesChanged(): void;
  grantsChanged(): void;
  memoryCleared(): void;
  policyChanged(): void;
}

const WHO = {
  popover: 'person',
  page: 'person',
  cli: 'command',
  agent: 'agent',
  host: 'other',
} as const satisfies Record<Where, string>;

export function createControl(
  parts: Parts,
  tokens: TokenStore,
  persist: () => void,
  tell: ControlEffects,
  agentOf: (agentId: string) => Agent | null,
): Control {
  const { pauses, queue, rules, grants, memory, clock, log } = parts;

  function halt(
    how: 'paused' | 'stopped',
    by: { by: string; where: Where; reason: Message },
    agentId: string | null,
  ): void {
    pauses.set(by, agentId, agentId === null ? null : agentOf(agentId));
    if (agentId === null) tokens.endAll('paused');
    queue.end(({ agent }) => agentId === null || pauses.isSame(agent.id, agentId), {
      reason: how,
      by: by.where,
      message: by.reason,
    });
    tell.pausesChanged();
  }

  function lift(agentId: string | null): ChangeResult {
    pauses.lift(agentId);
    try {
      persist();
    } catch (thrown) {
      log(thrown);
    }
    tell.pausesChanged();
    return { ok: true };
  }

  /** Not from before the change: what was allowed until now by policy or token ends with it. */
  function narrow(policy: Policy): void {
    rules.narrowedAt = clock.read();
    clock.bump();
    memory.clear();
    tokens.endAll('policy');
    const ending = { reason: 'policy', by: 'policy', message: message('policy.stricter') } as const;
    queue.end((asked) => refusalOf(policy, asked) !== null, ending);
  }

  return {
    pause({ on, by, where, reason, agentId }) {
      if (on) {
        const did = agentId === undefined ? 'paused' : 'one';
        const why = reason ?? message('pause.by', { who: WHO[where], did });
        halt('paused', { by, where, reason: why }, agentId ?? null);
        return { ok: true };
      }
      if (where === 'popover' || where === 'page') return lift(agentId ?? null);
      return refusal('not_allowed_here', message('pause.needs_person'));
    },
    stop: ({ by, where }) =>
      halt('stopped', { by, where, reason: message('pause.by', { who: WHO[where], did: 'other' }) }, null),
    denyOpen: ({ by, message: why }) => queue.end(() => true, { reason: 'stopped', by, message: why }),
    revokeGrant(id) {
      const known = grants.revoke(id);
      if (known) tell.grantsChanged();
      return known;
    },
    forget(agentId) {
      const known = memory.forget(agentId, clock.read());
      clock.bump();
      if (known) tell.memoryCleared();
      return known;
    },
    setPolicy(next, { where }) {
      try {
        const policy = parsePolicy(policyFile(next), 'The policy');
        const person = where === 'popover' || where === 'page';
        if (widens(rules.policy, policy) && !person) return refusal('not_allowed_here', message('policy.needs_person'));
        if (policy.base === 'unattended' && rules.policy.base !== 'unattended')
          return refusal('policy', message('policy.unattended'));
        const stricter = widens(policy, rules.policy);
        rules.policy = policy;
        if (stricter) narrow(policy);
        if (stricter) tell.memoryCleared();
        tell.policyChanged();
        return { ok: true };
      } catch (thrown) {
        log(thrown);
        return refusal('failed', textOf(thrown));
      }
    },
  };
}
