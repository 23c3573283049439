/** Changes by a person: pause, stop, policy and grants. Programs may only make things stricter. */
import type { Parts } from './parts.js';
import { refusalOf } from './decide.js';
import { refusal, type ChangeResult, type Where } from './events.js';
import { message, textOf, type Message } from '../../messages/index.js';
import type { Agent } from '../protocol/index.js';
import { parsePolicy, policyFile, widens, type Policy } from './policy.js';
import type { TokenStore } from './tokens.js';

export interface Control {
  /** Anyone may pause; only popover and page lift a pause. Without `agentId`: all agents. Their open cards are denied. */
  pause(change: { on: boolean; by: string; where: Where; reason?: Message; agentId?: string }): ChangeResult;
  /** Denies all open cards, ends tokens and kept permissions, and pauses all agents. Never throws. */
  stop(by: { by: string; where: Where }): void;
  /** Denies all open cards, without a pause. */
  denyOpen(by: { by: string; message: Message }): void;
  revokeGrant(id: string): boolean;
  /** A connection of a program of another machine has ended: nothing granted or remembered for it outlasts that. */
  endConnection(agent: Pick<Agent, 'id' | 'startTime'>): void;
  /** Clears what is remembered for this agent under ask_once_per_session; false when that was nothing. */
  forget(agentId: string): boolean;
  /** A wider policy needs popover or page; `unattended` is never set here. Cards that the new policy refuses end at once. */
  setPolicy(policy: Policy, by: { by: string; where: Where }): ChangeResult;
}

/** Called after a change. */
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
  unproven: 'program',
} as const satisfies Record<Where, string>;

export function createControl(
  parts: Parts,
  tokens: TokenStore,
  persist: () => void,
  effects: ControlEffects,
  agentOf: (agentId: string) => Agent | null,
): Control {
  const { pauses, queue, rules, grants, tasks, memory, clock, log } = parts;

  function halt(
    how: 'paused' | 'stopped',
    by: { by: string; where: Where; reason: Message },
    agentId: string | null,
  ): void {
    pauses.set(by, agentId, agentId === null ? null : agentOf(agentId));
    if (agentId === null) tokens.endAll('paused');
    tasks.endWhere(({ id }) => agentId === null || pauses.isSame(id, agentId));
    queue.end(({ agent }) => agentId === null || pauses.isSame(agent.id, agentId), {
      reason: how,
      by: by.where,
      message: by.reason,
    });
    effects.pausesChanged();
  }

  function lift(agentId: string | null): ChangeResult {
    pauses.lift(agentId);
    try {
      persist();
    } catch (thrown) {
      log(thrown);
    }
    effects.pausesChanged();
    return { ok: true };
  }

  /** Decisions made before the change, by policy or token, end with it. */
  function narrow(policy: Policy): void {
    rules.narrowedAt = clock.read();
    clock.bump();
    memory.clear();
    tokens.endAll('policy');
    const ending = { reason: 'policy', by: 'policy', message: message('policy.stricter') } as const;
    queue.end((asked) => refusalOf(policy, asked) !== null, ending);
  }

  function forget(agentId: string): boolean {
    const known = memory.forget(agentId, clock.read());
    clock.bump();
    if (known) effects.memoryCleared();
    return known;
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
      if (known) effects.grantsChanged();
      return known;
    },
    forget,
    endConnection({ id, startTime }) {
      forget(id);
      tasks.endWhere((agent) => agent.via !== undefined && agent.startTime === startTime);
      if (grants.endConnection(startTime)) effects.grantsChanged();
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
        if (!policy.grants) tasks.endWhere(() => true);
        if (stricter) effects.memoryCleared();
        effects.policyChanged();
        return { ok: true };
      } catch (thrown) {
        log(thrown);
        return refusal('failed', textOf(thrown));
      }
    },
  };
}
