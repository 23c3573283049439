/** The state that the modules of this folder share. Built once by `createApprovals`. */
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { message, type Message } from '../../messages/index.js';
import type { Effect, Agent } from '../protocol/index.js';
import type { CardEvent } from './events.js';
import type { PeerTrust } from '../../native/peer/index.js';
import { createCard } from './card.js';
import { choicesFor, mayBeAlways, whyAskedAnyway } from './choices.js';
import type { Clock } from './clock.js';
import { createDurableWriter } from './files.js';
import { createCommandRules, ruleChoices, withCommandRules, type GrantsAndRules } from './command-rules.js';
import { createGrantStore } from './grants.js';
import { createPauses, type Pauses, openStore } from './store.js';
import type { Policy } from './policy.js';
import { createQueue, type Queue } from './queue.js';
import type { Viewers } from './request-time.js';
import { isKnownProgram, type RequestFacts } from './request-facts.js';
import { createTaskStore, type TaskStore } from './tasks.js';
import { createTrust, type Trust } from './trust.js';

const MAX_CARDS = 500;

type ResolvedEvent = Extract<CardEvent, { kind: 'resolved' }>;

interface Settled {
  decision: 'allow' | 'deny';
  by: string;
  reason: ResolvedEvent['reason'];
  at: string;
  effect: Effect;
}

/** How the latest cards ended, for an answer that comes after another one. */
type SettledCards = ReturnType<typeof createSettledCards>;

function createSettledCards() {
  const all = new LRUCache<string, Settled>({ max: MAX_CARDS });
  return {
    add({ id, decision, by, reason, effect }: ResolvedEvent, at: string): void {
      all.set(id, { decision, by, reason, at, effect });
    },
    get: (id: string): Settled | undefined => all.get(id),
  };
}

export function settledMessage({ decision, by, reason, at }: Settled): Message {
  if (reason !== null && reason !== 'denied')
    return message('answer.ended', { how: reason === 'stopped' ? 'other' : reason, at });
  const where = by === 'page' || by === 'popover' ? by : 'other';
  return message('answer.settled', { decision: decision === 'allow' ? 'allow' : 'other', where, by, at });
}

export interface Parts {
  clock: Clock;
  /** The policy in force, and when it last became stricter in anything. */
  rules: { policy: Policy; narrowedAt: number; closed: boolean };
  tasks: TaskStore;
  grants: GrantsAndRules;
  trust: Trust;
  memory: Memory;
  history: RequestHistory;
  pauses: Pauses;
  queue: Queue;
  settled: SettledCards;
  log(thrown: unknown): void;
}

export interface PartsOptions {
  policy: Policy;
  /** Private folder for `approvals.json`, `grants.json` and `command-rules.json`; made if missing. */
  stateDir: string;
  /** How long a card waits. 5 minutes. */
  expiryMs?: number;
  /** Who can see requests; absent: somebody always can. */
  viewers?: Pick<Viewers, 'any' | 'onChange'>;
  /** The agent whose pause counts for this one; default itself. */
  pausedIdentityOf?(agentId: string): string;
  /** False once that program has ended; default true. */
  isRunning?(agent: Agent): boolean;
  /** What tells a program from another at its path, and who speaks over a connection; absent: paths have to do. */
  peers?: PeerTrust;
}

const EXPIRY_MS = 5 * 60_000;

export function createParts(options: PartsOptions, clock: Clock, log: Parts['log'], tell: (event: CardEvent) => void) {
  const { stateDir, expiryMs = EXPIRY_MS, viewers, pausedIdentityOf, isRunning = () => true, peers } = options;
  const trust = createTrust(peers);
  const grants = createGrants(stateDir, { clock, log, trust });
  const store = openStore(join(stateDir, 'approvals.json'), clock, log);
  const rules: Parts['rules'] = { policy: structuredClone(options.policy), narrowedAt: -Infinity, closed: false };
  const history = createRequestHistory(clock);
  const settled = createSettledCards();
  const pauses = createPauses(clock, store.last.pauses, pausedIdentityOf);
  const state = createDurableWriter(() => store.save({ ...queue.file(), pauses: pauses.file() }));
  const queue: Queue = createQueue({
    clock,
    expiryMs,
    areSeen: () => viewers?.any() ?? true,
    persist: state.write,
    log,
    last: store.last,
    build(request, asked, { id, createdAt, expiresAt }) {
      const { policy } = rules;
      const doubt = asked.personOnly ? null : trust.doubtOf(request.caller);
      const known = doubt === null && isKnownProgram(asked.agent);
      const remembered = policy.effects[asked.effect] === 'ask_once_per_session' && known;
      const given = { remembered, grants: policy.grants && doubt === null };
      return createCard(request, { id, createdAt, expiresAt, ...offer({ grants, history }, asked, given, doubt) });
    },
    tell(event) {
      if (event.kind === 'resolved') settled.add(event, clock.iso());
      tell(event);
    },
    created: (asked) => history.add(asked),
    isRunning,
  });
  const tasks = createTaskStore({ clock, isRunning, log });
  const parts: Parts = {
    clock,
    rules,
    grants,
    tasks,
    trust,
    memory: createMemory(),
    history,
    pauses,
    queue,
    settled,
    log,
  };
  return { parts, state };
}

const createGrants = (stateDir: string, { trust, ...shared }: Pick<Parts, 'clock' | 'log' | 'trust'>): GrantsAndRules =>
  withCommandRules(
    createGrantStore({ file: join(stateDir, 'grants.json'), ...shared, trust }),
    createCommandRules({ file: join(stateDir, 'command-rules.json'), ...shared }),
  );

/** The grants that a card offers, and what the person must know of those that it does not. */
function offer(
  { grants, history }: Pick<Parts, 'grants' | 'history'>,
  asked: RequestFacts,
  policy: { remembered: boolean; grants: boolean },
  doubt: Message | null,
) {
  const noAlways = policy.grants && mayBeAlways(asked) ? grants.noAlways(asked) : null;
  const past = history.ofAgent(asked.agent.id);
  const given = choicesFor(asked, past, { ...policy, always: noAlways === null });
  const choices = [...given, ...(policy.grants ? ruleChoices(asked) : [])];
  const replaced = policy.grants ? grants.replaced(asked) : null;
  const anyway = policy.grants ? whyAskedAnyway(grants.ofAgent(asked), asked) : null;
  const changed = replaced === null ? [] : [message('note.program_replaced', { agent: asked.agent.name })];
  return {
    grants: choices,
    moreNotes: [...(doubt === null ? [] : [doubt]), ...changed, ...(anyway === null ? [] : [anyway])],
    ...(noAlways === null || choices.length < 2 ? {} : { noAlways }),
  };
}

const HOUR_MS = 3_600_000;
const MAX_REQUESTS = 500;

/** Requests of the last hour that a person was asked, so that a card can say what a grant would have saved them. */
type RequestHistory = ReturnType<typeof createRequestHistory>;

function createRequestHistory(clock: Clock) {
  let all: { at: number; asked: RequestFacts }[] = [];
  const recent = () => all.filter(({ at }) => at > clock.read() - HOUR_MS).slice(-MAX_REQUESTS);
  return {
    add(asked: RequestFacts): void {
      all = [...recent(), { at: clock.read(), asked }];
    },
    ofAgent: (agentId: string): RequestFacts[] =>
      recent().flatMap(({ asked }) => (asked.agent.id === agentId ? [asked] : [])),
  };
}

const MAX_REMEMBERED = 10_000;

/** `what`: `screen`, `area:<x,y,width,height>`, `titles`, `app:<id>`, `action:<tool>` or `any`. */
export interface Remembered {
  effect: Effect;
  what: string;
}

/**
 * What the person allowed under ask_once_per_session, by agent and effect, and for disclosure also by application. The whole screen
 * covers its areas, every application and titles, an application also titles, and nothing what is outside the screen, such as the
 * clipboard. Never dangerous acts.
 */
export type Memory = ReturnType<typeof createMemory>;

function createMemory() {
  const known = new Map<string, Remembered & { agentId: string }>();
  const forgotten = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  const key = ({ agent, effect, memory, app }: RequestFacts) =>
    JSON.stringify([agent.id, effect, memory, memory.startsWith('app:') ? (app?.program ?? null) : null]);
  return {
    has: (asked: RequestFacts): boolean =>
      asked.effect !== 'dangerous' &&
      ((asked.app?.program !== '' && known.has(key(asked))) ||
        (isShown(asked) && known.has(key({ ...asked, memory: 'screen' })))),
    add(asked: RequestFacts): void {
      if (asked.effect === 'dangerous') return;
      if (known.size >= MAX_REMEMBERED) known.clear();
      const parts = isOfApp(asked) ? [asked, { ...asked, memory: 'titles' }] : [asked];
      for (const one of parts) known.set(key(one), { agentId: one.agent.id, effect: one.effect, what: one.memory });
    },
    of: (agentId: string): Remembered[] =>
      [...known.values()].filter((one) => one.agentId === agentId).map(({ effect, what }) => ({ effect, what })),
    /** Returns false where nothing was remembered. Decisions made before `at` no longer count. */
    forget(agentId: string, at: number): boolean {
      const before = known.size;
      forgotten.set(agentId, at);
      for (const [one, remembered] of known) if (remembered.agentId === agentId) known.delete(one);
      return known.size < before;
    },
    /** When this agent's memory was last cleared. */
    forgottenAt: (agentId: string): number => forgotten.get(agentId) ?? -Infinity,
    clear: (): void => known.clear(),
  };
}

/** Who sees an application finds it by the titles of windows; the request says so. */
const isOfApp = ({ effect, memory }: RequestFacts) => effect === 'disclose' && memory.startsWith('app:');

const SHOWN = /^(app:|area:|titles$)/;

const isShown = ({ effect, memory }: RequestFacts) => effect === 'disclose' && SHOWN.test(memory);
