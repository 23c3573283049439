/** The order in which a request is judged: paused, refused by policy, decided before, allowed by policy, granted, remembered, asked. */
import { message, textOf, type Message } from '../../messages/index.js';
import { WireError, type Effect } from '../protocol/index.js';
import { WaitEnded, type ApprovalRequest, type Caller, type Decision } from './request.js';
import { isExcludedApp, isExcluded, strictestRule, type Policy } from './policy.js';
import { requestFacts, effectsOf, isInFolder, type RequestFacts } from './request-facts.js';
import type { Clock } from './clock.js';
import type { OnWaiting } from './open-card.js';
import type { Memory, Parts } from './parts.js';
import { actsOf } from './tasks.js';

type Denied = Extract<Decision, { kind: 'denied' }>;
type Allowed = Extract<Decision, { kind: 'allowed' }>;

/** Effects that a paused agent may still have: reading states, aborting, and talking to the person. */
const HARMLESS: ReadonlySet<Effect> = new Set<Effect>(['read', 'bookkeeping']);

export function createApprover(parts: Parts) {
  const { clock, queue, log } = parts;
  return {
    /**
     * Decides by policy, grant or person. `onWaiting` gets the card as soon as a person is asked.
     * When `signal` aborts with {@link WaitEnded} it rejects with that; the card is orphaned or withdrawn accordingly.
     * A decision made while no caller waited is given once to the next identical call, until the card would have expired.
     */
    async decide(request: ApprovalRequest, onWaiting: OnWaiting, signal: AbortSignal): Promise<Decision> {
      const startedAt = clock.read();
      try {
        const look = parts.trust.look(request.caller);
        if (look !== null) await look;
        const decision = await decide(parts, request, onWaiting, signal);
        return decision.approvalId === null || decision.waitedMs > 0
          ? decision
          : { ...decision, waitedMs: clock.read() - startedAt };
      } catch (thrown) {
        if (thrown instanceof WaitEnded || thrown instanceof WireError || (signal.aborted && thrown === signal.reason))
          throw thrown;
        log(thrown);
        return denied(clock, 'policy', 'host', message('approval.failed', { why: textOf(thrown) }));
      }
    },
    /** The denial of a call with these effects, by the policy alone and before anything is looked at; null where it may be allowed. */
    refused(effects: readonly Effect[]): Denied | null {
      const { policy } = parts.rules;
      const effect = effects.find((one) => policy.effects[one] === 'deny');
      return effect === undefined ? null : denied(clock, 'policy', 'policy', policyRefuses(policy.preset, effect));
    },
    /** Removes the card, or the kept decision, of this execution; false when there is none. */
    withdraw: (executionId: string): boolean => queue.withdraw(executionId),
    /** Finds out who speaks over the caller's connection, which sight and decision depend on; null where that is known. */
    look: parts.trust.look,
    /** Throws DESKTOP_HOST_NOT_READY (`reason: paused`) while the person has paused agents, or this agent. */
    assertOpen(caller: Caller): void {
      const paused = parts.pauses.holding(caller.agent.id);
      if (paused === null) return;
      const whom = parts.pauses.ofAll() === null ? 'other' : 'all';
      throw new WireError('DESKTOP_HOST_NOT_READY', message('error.paused', { whom, reason: paused.reason }), {
        reason: 'paused',
        by: paused.by,
        since: paused.at,
        next: message('pause.next'),
      });
    },
    /** To be called when what was decided has been done, or not. */
    acted(decision: Decision): void {
      if (decision.kind === 'allowed' && decision.grantId !== null) parts.tasks.acted(decision.grantId);
    },
    /** True when the decision no longer holds (grant revoked or ended, agents paused); checked before each injected event. */
    revoked(decision: Decision, caller: Caller): boolean {
      try {
        return isRevoked(parts, decision, caller);
      } catch (thrown) {
        log(thrown);
        return true;
      }
    },
  };
}

async function decide(
  parts: Parts,
  request: ApprovalRequest,
  onWaiting: OnWaiting,
  signal: AbortSignal,
): Promise<Decision> {
  let shown = request;
  let draw = request.drawPicture;
  for (;;) {
    signal.throwIfAborted();
    parts.queue.sweep();
    const asked = requestFacts(shown);
    if (request.unasked === true) return decideUnasked(parts, asked, request.caller);
    // A kept decision is given only where what it was made about still looks the same.
    const mustDraw = draw !== undefined && parts.queue.hasKept(request);
    const atOnce = mustDraw ? null : decideAtOnce(parts, shown, asked);
    if (atOnce !== null) return atOnce;
    if (draw === undefined) {
      const decision = await parts.queue.ask(shown, asked, onWaiting, signal);
      if (decision !== 'again') return decision;
    } else {
      shown = { ...shown, ...(await draw()) };
      draw = undefined;
    }
  }
}

/** Asks a person, whatever policy, grants and memory say. Resolves with the answer, or when the card has ended without one. */
export async function askPerson(
  parts: Parts,
  request: ApprovalRequest,
  onWaiting: OnWaiting,
  signal: AbortSignal,
): Promise<Decision> {
  for (;;) {
    signal.throwIfAborted();
    if (parts.rules.closed) return denied(parts.clock, 'stopped', 'host', message('approval.closing'));
    parts.queue.sweep();
    const asked: RequestFacts = { ...requestFacts(request), alwaysAsk: true, personOnly: true };
    const outcome = await parts.queue.ask(request, asked, onWaiting, signal);
    if (outcome !== 'again') return outcome;
  }
}

/** The decision where nobody has to be asked; null: ask. */
function decideAtOnce(parts: Parts, request: ApprovalRequest, asked: RequestFacts): Decision | null {
  const { clock, rules, queue, tasks, memory } = parts;
  const no = refusedBy(parts, asked);
  if (no !== null) return no;
  const kept = request.caller.early === true ? null : queue.takeKept(request, asked);
  if (kept !== null) return kept;
  const rule = request.unseen === true ? 'ask' : strictestRule(rules.policy, effectsOf(asked));
  if (rule === 'allow' && mayReadUnasked(parts, request.caller, asked)) return allowed(clock, 'policy', 'policy', null);
  if (asked.alwaysAsk) return null;
  // Of what is dangerous, only a command can be covered, by a rule for it.
  if (asked.effect === 'dangerous') return ruled(parts, request, asked);
  if (request.own === true && request.unseen !== true && isOwnFile(asked) && ownCounts(parts, request.caller))
    return allowed(clock, 'policy', 'own', null);
  const task = rules.policy.grants ? tasks.match(asked) : null;
  if (task !== null && isTrusted(parts, request.caller) && tasks.use(task.id, actsOf(asked)))
    return allowed(clock, 'grant', 'task', task.id);
  const given = granted(parts, request, asked);
  if (given !== null) return given;
  return rule === 'ask_once_per_session' && isRemembered(memory, asked) && isTrusted(parts, request.caller)
    ? allowed(clock, 'policy', 'session', null)
    : null;
}

const ruled = (parts: Parts, request: ApprovalRequest, asked: RequestFacts): Decision | null =>
  asked.command === undefined ? null : granted(parts, request, asked);

function granted(parts: Parts, { caller }: ApprovalRequest, asked: RequestFacts): Decision | null {
  const { clock, rules, grants } = parts;
  const grant = rules.policy.grants ? grants.match(asked) : null;
  if (grant === null || !isTrusted(parts, caller) || !grants.use(grant.id, asked.steps?.acts)) return null;
  return allowed(clock, 'grant', 'grant', grant.id);
}

/** No file, or one in the agent's folder: what a browser takes from there goes to a site. */
const isOwnFile = ({ file, folder, browser }: RequestFacts): boolean =>
  file === undefined || (!browser && isInFolder(folder, file));

/** Giving an agent a desktop of its own is a grant for what it starts there. */
export const ownCounts = (parts: Parts, caller: Caller): boolean =>
  parts.rules.policy.grants && isTrusted(parts, caller);

/** A command that only reads is as good as a grant: it needs a policy that has grants, and an agent that is known. */
const mayReadUnasked = (parts: Parts, caller: Caller, { command, alwaysAsk }: RequestFacts): boolean =>
  command?.reads !== true ||
  parts.rules.policy.effects.dangerous === 'allow' ||
  (parts.rules.policy.grants && !alwaysAsk && isTrusted(parts, caller));

/** By policy and memory alone: nobody is asked, and nothing that was given for other calls is used. */
export function decideUnasked(parts: Parts, asked: RequestFacts, caller: Caller): Decision {
  const { clock, rules, memory } = parts;
  const no = refusedBy(parts, asked);
  if (no !== null) return no;
  const rule = strictestRule(rules.policy, effectsOf(asked));
  if (rule === 'allow' && mayReadUnasked(parts, caller, asked)) return allowed(clock, 'policy', 'policy', null);
  const remembered = !asked.alwaysAsk && rule === 'ask_once_per_session' && isRemembered(memory, asked);
  if (remembered && isTrusted(parts, caller)) return allowed(clock, 'policy', 'session', null);
  return denied(clock, 'policy', 'policy', message('approval.not_asked'));
}

/** Asked anew for each use. */
export const isTrusted = ({ trust }: Parts, caller: Caller): boolean => trust.doubtOf(caller) === null;

/** A sequence needs each of its effects remembered. Nothing remembers a disclosure among acts. */
function isRemembered(memory: Memory, asked: RequestFacts): boolean {
  // Only a grant names the folder whose files it is for.
  if (asked.file !== undefined) return false;
  const others = effectsOf(asked).filter((effect) => !HARMLESS.has(effect));
  return others.every(
    (effect) => (effect !== 'disclose' || effect === asked.effect) && memory.has({ ...asked, effect }),
  );
}

function refusedBy({ clock, rules, pauses }: Parts, asked: RequestFacts): Denied | null {
  if (rules.closed) return denied(clock, 'stopped', 'host', message('approval.closing'));
  const paused = HARMLESS.has(asked.effect) ? null : pauses.holding(asked.agent.id);
  if (paused !== null) return denied(clock, 'paused', paused.by, paused.reason);
  const refused = refusalOf(rules.policy, asked);
  return refused === null ? null : denied(clock, 'policy', 'policy', refused);
}

/** Why the policy never allows this; null where it may allow it. */
export function refusalOf(
  policy: Policy,
  asked: { effect: Effect; app: RequestFacts['app']; steps?: RequestFacts['steps']; personOnly?: true | undefined },
): Message | null {
  const { app, steps } = asked;
  if (asked.personOnly) return null;
  const refused = effectsOf(asked).find((effect) => policy.effects[effect] === 'deny');
  if (refused !== undefined) return policyRefuses(policy.preset, refused);
  const closed = steps?.apps.find((id) => isExcluded(policy, id));
  if (closed !== undefined) return message('policy.excludes', { app: closed });
  if (app !== null && isExcludedApp(policy.excludedApps, app)) return message('policy.excludes', { app: app.name });
  return null;
}

function policyRefuses(preset: Policy['preset'], effect: Effect): Message {
  return message('policy.refuses', {
    preset: preset === 'custom' ? 'other' : preset,
    effect: effect === 'dangerous' ? 'other' : effect,
  });
}

function isRevoked(
  { pauses, rules, grants, tasks, settled, memory }: Parts,
  decision: Decision,
  caller: Caller,
): boolean {
  if (decision.kind === 'denied' || rules.closed || pauses.holding(caller.agent.id) !== null) return true;
  const { grantId } = decision;
  if (grantId !== null && (!rules.policy.grants || !(grants.live(grantId) || tasks.live(grantId)))) return true;
  const since = Date.parse(decision.at);
  const [narrowed, forgotten] = [!(since > rules.narrowedAt), !(since > memory.forgottenAt(caller.agent.id))];
  if (decision.approvalId === null) return narrowed || (decision.where === 'session' && forgotten);
  const card = settled.get(decision.approvalId);
  // The card is no longer kept, so whether the stricter policy refuses it is unknown.
  if (card === undefined) return narrowed;
  return rules.policy.effects[card.effect] === 'deny' || (card.effect === 'disclose' && forgotten);
}

export function allowed(clock: Clock, by: Allowed['by'], where: string, grantId: string | null): Allowed {
  return { kind: 'allowed', by, approvalId: null, grantId, where, at: clock.iso(), waitedMs: 0 };
}

function denied(clock: Clock, reason: Denied['reason'], by: string, why: Message): Denied {
  return { kind: 'denied', reason, by, approvalId: null, message: why, at: clock.iso(), waitedMs: 0 };
}
