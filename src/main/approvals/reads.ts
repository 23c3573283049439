/** The state of approvals for status, pages and the bridge. Reading changes nothing. */
import type { Card, Effect, Grant, Status } from '../protocol/index.js';
import type { Plan } from '../pipeline/plan.js';
import type { Caller, Decision, FullView, Sight } from '../pipeline/ports.js';
import { allowed, decideUnasked, isTrusted, refusalOf } from './decide.js';
import type { Remembered } from './memory.js';
import type { Parts } from './parts.js';
import type { PausedAgent } from './pauses.js';
import type { Policy, Rule } from './policy.js';
import { disclosureFacts, isKnownProgram, type RequestFacts } from './request-facts.js';

export interface ApprovalReads {
  /** Open cards, oldest first. */
  cards(): Card[];
  /** Ids of the agents that have an open card and wait for it. */
  waitingAgents(): ReadonlySet<string>;
  /** The full capture behind an open card, as long as it is kept; null where there is no such card. */
  fullViewOf(cardId: string): { digest: string; seen: ReturnType<FullView['read']> } | null;
  grants(): Grant[];
  policy(): Policy;
  ruleFor(effect: Effect): Rule;
  /** The same set until the policy changes. */
  excludedApps(): ReadonlySet<string>;
  /** The pause that the status shows; null while agents may act. */
  shownPause(): Status['paused'];
  /** The pause of all agents; null while only single agents, or none, are paused. */
  pauseOfAll(): Status['paused'];
  isPaused(caller: Caller): boolean;
  /** This agent's own pause. */
  pauseOfAgent(agentId: string): Status['paused'];
  /** Agents with a pause of their own, except these and those that share a pause with one of them. */
  otherPausedAgents(agentIds: readonly string[]): PausedAgent[];
  /** What is remembered for this agent under ask_once_per_session. */
  remembered(agentId: string): Remembered[];
  sight(caller: Caller, shown: Plan): Sight;
  /** Whether this agent may read which applications and windows are open without the person being asked. */
  mayReadTitles(caller: Caller): Promise<boolean>;
  /** The decision that a correct confirm phrase stands for; null where the policy has the person asked. */
  phrase(request: PhraseRequest): Decision | null;
}

interface PhraseRequest {
  agentId: string;
  effect: Effect;
  appId: string | null;
}

export function createReads(parts: Parts): ApprovalReads {
  const { grants, pauses, queue, rules } = parts;
  return {
    cards: () => queue.open().map(({ card }) => structuredClone(card)),
    waitingAgents: () => new Set(queue.open().flatMap(({ card }) => (card.orphaned ? [] : [card.agent.id]))),
    fullViewOf(id) {
      const entry = queue.open().find(({ card }) => card.id === id);
      return entry === undefined ? null : { digest: entry.card.digest, seen: entry.fullView?.read() ?? null };
    },
    grants: () => grants.list(),
    policy: () => structuredClone(rules.policy),
    ruleFor: (effect) => rules.policy.effects[effect],
    excludedApps: createExcludedApps(rules),
    shownPause: () => pauses.shown(),
    pauseOfAll: () => pauses.ofAll(),
    isPaused: ({ agent }) => pauses.holding(agent.id) !== null,
    pauseOfAgent: pauses.ofAgent,
    otherPausedAgents: pauses.others,
    remembered: parts.memory.of,
    sight: (caller, shown) => sightOf(parts, disclosureFacts(caller, shown), caller),
    async mayReadTitles(caller) {
      await parts.trust.look(caller);
      return decideUnasked(parts, titlesFor(caller), caller).kind === 'allowed';
    },
    phrase: (request) => acceptedPhrase(parts, request),
  };
}

/** By policy, by what the person allowed for the session, or by a grant that lasts: a counted one is for single calls. */
function sightOf(parts: Parts, asked: RequestFacts, caller: Caller): Sight {
  const { rules, grants, memory } = parts;
  const { policy } = rules;
  if (rules.closed || refusalOf(policy, asked) !== null) return 'never';
  const rule = policy.effects.disclose;
  if (rule === 'allow') return 'sees';
  if (asked.alwaysAsk) return 'asks';
  const granted = policy.grants && grants.match(asked)?.usesLeft === null;
  const given = granted || (rule === 'ask_once_per_session' && memory.has(asked));
  return given && isTrusted(parts, caller) ? 'sees' : 'asks';
}

const titlesFor = ({ agent }: Caller): RequestFacts => ({
  ...{ agent, effect: 'disclose', app: null, origin: null, browser: false, memory: 'titles' },
  alwaysAsk: !isKnownProgram(agent),
});

function createExcludedApps(rules: Parts['rules']): () => ReadonlySet<string> {
  let known: { policy: Policy; ids: ReadonlySet<string> } | null = null;
  return () => {
    const { policy } = rules;
    if (known?.policy !== policy) known = { policy, ids: new Set(policy.excludedApps) };
    return known.ids;
  };
}

function acceptedPhrase({ clock, rules, pauses }: Parts, { agentId, effect, appId }: PhraseRequest): Decision | null {
  const app = appId === null ? null : { id: appId, name: appId };
  if (rules.policy.confirmPhrase !== 'accept' || effect === 'dangerous' || rules.closed) return null;
  if (pauses.holding(agentId) !== null || refusalOf(rules.policy, { effect, app }) !== null) return null;
  return allowed(clock, 'phrase', 'phrase', null);
}
