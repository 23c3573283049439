/**
 * Approvals: who may do what without asking, what a person is asked, and what they gave. Comes in: the pipeline's requests
 * (the {@link Approver} port) and a person's answers from popover or paired page. Goes out: decisions, and events for pages.
 * Built by createHost. Whatever fails or is unclear in here means no.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createEmitter } from '../../base/emitter.js';
import type { Agent, Card, Effect, Grant, Status } from '../protocol/index.js';
import type { ApprovalRequest, Approver, Caller, Decision, FullView } from '../pipeline/ports.js';
import { createAnswer } from './answer.js';
import { createCard } from './card.js';
import { choicesFor } from './choices.js';
import { createClock } from './clock.js';
import type { Clock } from './clock.js';
import { createControl } from './control.js';
import type { Control, ControlEffects } from './control.js';
import { allowed, askPerson, createApprover, refusalOf } from './decide.js';
import type { Parts } from './decide.js';
import type { PersonAnswer, ChangeResult, CardEvent } from './events.js';
import { createGrantStore } from './grants.js';
import { createRequestHistory } from './history.js';
import { createDurableWriter } from './durable.js';
import type { DurableWriter } from './durable.js';
import { createMemory } from './memory.js';
import type { Remembered } from './memory.js';
import { createPauses } from './pauses.js';
import type { PausedAgent } from './pauses.js';
import type { Policy } from './policy.js';
import { createPresses } from './presses.js';
import type { Injector, PressBegan } from './presses.js';
import { createQueue } from './queue.js';
import type { Queue } from './queue.js';
import { createSettledCards } from './settled.js';
import { openStore } from './store.js';
import { createTimer } from './timer.js';
import { createTokens } from './tokens.js';
import type { TokenStore } from './tokens.js';
import { message } from '../../messages/index.js';

export * from './digest.js';
export type { PersonAnswer as Answer, ChangeResult as Answered, CardEvent, Where } from './events.js';
export { presetPolicy, shownPolicy, switchPreset, widens, withExcluded } from './policy.js';
export type { Policy } from './policy.js';
export { loadPolicy, savePolicy } from './policy-file.js';

export interface ApprovalsOptions {
  policy: Policy;
  /** Private folder for `approvals.json` and `grants.json`; made if missing. */
  stateDir: string;
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of running time; tests give their own. */
  running?(): number;
  /** A popover exists: dangerous requests and grants are decided there only. */
  popover: boolean;
  /** Lets go of every key and button that is held down for an agent; false when there was none. */
  releaseHeld(): boolean;
  /** The agent whose pause counts for this one; default itself. */
  pausedIdentityOf?(agentId: string): string;
  /** Who that is, where it is connected. */
  agentOf?(agentId: string): Agent | null;
  /** False once that program has ended; default true. */
  isRunning?(agent: Agent): boolean;
  /** Keeps a policy that a person changed for the next start; left out where it is for this one only. */
  savePolicy?(policy: Policy): void;
  log(message: string, thrown: unknown): void;
  /** How long a card waits. 5 minutes. */
  expiryMs?: number;
  /** How long a new or changed card takes no answer. 500 ms. */
  deadMs?: number;
}

export interface Approvals extends Approver, Control {
  /** Asks a person for what is no agent's act. No policy, grant, memory or phrase decides it; nothing of it is kept. Rejects with the signal's reason. */
  askPerson(
    request: ApprovalRequest,
    onWaiting: (card: { approvalId: string; expiresAt: string }) => void,
    signal: AbortSignal,
  ): Promise<Decision>;
  /** Never throws: a refused answer says why. */
  answer(answer: PersonAnswer): ChangeResult;
  /** A page reports that a press on Allow began; the time is this host's. */
  pressBegan(press: PressBegan): void;
  /** Input is being injected, or was: no Allow counts that is pressed around it. */
  injected(by: Injector): void;
  /** Oldest first. */
  cards(): Card[];
  /** Ids of the agents that have an open card and wait for it. */
  waitingAgents(): ReadonlySet<string>;
  /** What was seen for an open card, as long as that is kept; null where there is no such card. */
  fullViewOf(cardId: string): { digest: string; seen: ReturnType<FullView['read']> } | null;
  grants(): Grant[];
  policy(): Policy;
  /** What the status shows; null while agents may act. */
  shownPause(): Status['paused'];
  /** The pause of everybody; null while only single agents, or none, are paused. */
  pauseOfAll(): Status['paused'];
  isPaused(caller: Caller): boolean;
  /** The pause of this agent alone. */
  pauseOfAgent(agentId: string): Status['paused'];
  /** Who is paused alone and is none of these, nor held with one of them. */
  otherPausedAgents(agentIds: readonly string[]): PausedAgent[];
  /** What this agent need not be asked for again. */
  remembered(agentId: string): Remembered[];
  tokens: TokenStore;
  /** What a correct confirm phrase is worth for this request: a decision, or null (the policy has the person asked). */
  phrase(request: { agentId: string; effect: Effect; appId: string | null }): Decision | null;
  onCard(listener: (event: CardEvent) => void): () => void;
  onPause(listener: (paused: Status['paused']) => void): () => void;
  onGrants(listener: (grants: Grant[]) => void): () => void;
  onPolicy(listener: (policy: Policy) => void): () => void;
  /** What is remembered became less; more comes with a decision. */
  onMemoryCleared(listener: () => void): () => void;
  /** An Allow was refused because of injected or held input: keep the lane until it is pressed again. */
  onPressAgain(listener: (approvalId: string) => void): () => void;
  /** Ends what has expired. Runs by itself while anything is open. */
  sweep(): void;
  /** Callers go, cards stay on disk for the next host. */
  close(): void;
}

const EXPIRY_MS = 5 * 60_000;
const DEAD_MS = 500;

/** Throws when the state folder cannot be had. */
export function createApprovals(options: ApprovalsOptions): Approvals {
  mkdirSync(options.stateDir, { recursive: true, mode: 0o700 });
  const log = (thrown: unknown) => options.log('approvals', thrown);
  const clock = createClock(options.now, options.running);
  const events = createEvents(log);
  const { parts, state } = createParts(options, clock, log, (event) => {
    events.card.emit(event);
    timer.arm();
  });
  const { grants, queue, rules } = parts;
  grants.onUse(() => events.grants.emit(grants.list()));
  const policyFile = createDurableWriter(() => options.savePolicy?.(structuredClone(rules.policy)));
  const tokens = createTokens(clock);
  const tells = createTells(parts, events, policyFile, () => timer.arm());
  const control = createControl(parts, tokens, state.write, tells, (id) => options.agentOf?.(id) ?? null);
  const presses = createPresses(clock);
  const answering = createAnswer(
    parts,
    { ...options, presses, deadMs: options.deadMs ?? DEAD_MS },
    {
      grantsChanged() {
        events.grants.emit(grants.list());
        timer.arm();
      },
      thirdDenial: (agentId) =>
        void control.pause({
          on: true,
          by: 'host',
          where: 'host',
          agentId,
          reason: message('pause.three_denials'),
        }),
      pressAgain: (id) => events.pressAgain.emit(id),
    },
  );
  const sweep = () => {
    queue.sweep();
    if (grants.expire()) events.grants.emit(grants.list());
    for (const file of [state, policyFile]) file.retry();
  };
  const pending = () => queue.open().length + queue.file().kept.length + grants.list().length > 0;
  const timer = createTimer(sweep, log, () => pending() || state.isPending() || policyFile.isPending());
  timer.arm();

  return {
    ...createApprover(parts),
    ...control,
    askPerson: (request, onWaiting, signal) => askPerson(parts, request, onWaiting, signal),
    ...answering,
    injected: presses.injected,
    tokens,
    sweep,
    ...createReads(parts),
    ...listenersOf(events),
    close() {
      rules.closed = true;
      timer.stop();
      queue.detachAll();
      for (const file of [state, policyFile]) file.retry();
    },
  };
}

type Events = ReturnType<typeof createEvents>;

function createEvents(log: Parts['log']) {
  return {
    card: createEmitter<CardEvent>(log),
    pause: createEmitter<Status['paused']>(log),
    grants: createEmitter<Grant[]>(log),
    policy: createEmitter<Policy>(log),
    forgot: createEmitter<void>(log),
    pressAgain: createEmitter<string>(log),
  };
}

const listenersOf = (events: Events) => ({
  onCard: events.card.on,
  onPause: events.pause.on,
  onGrants: events.grants.on,
  onPolicy: events.policy.on,
  onMemoryCleared: events.forgot.on,
  onPressAgain: events.pressAgain.on,
});

function createTells(parts: Parts, events: Events, policyFile: DurableWriter, armTimer: () => void): ControlEffects {
  const { grants, pauses, rules, log } = parts;
  return {
    pausesChanged() {
      events.pause.emit(pauses.shown());
      armTimer();
    },
    grantsChanged: () => events.grants.emit(grants.list()),
    memoryCleared: () => events.forgot.emit(),
    policyChanged() {
      events.policy.emit(structuredClone(rules.policy));
      try {
        policyFile.write();
      } catch (thrown) {
        log(thrown);
        armTimer();
      }
    },
  };
}

function createReads(parts: Parts) {
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
    shownPause: () => pauses.shown(),
    pauseOfAll: () => pauses.ofAll(),
    isPaused: ({ agent }) => pauses.holding(agent.id) !== null,
    pauseOfAgent: pauses.ofAgent,
    otherPausedAgents: pauses.others,
    remembered: parts.memory.of,
    phrase: (request) => acceptedPhrase(parts, request),
  } satisfies Partial<Approvals>;
}

function createParts(options: ApprovalsOptions, clock: Clock, log: Parts['log'], tell: (event: CardEvent) => void) {
  const { stateDir, expiryMs, pausedIdentityOf: standsFor, isRunning = () => true } = options;
  const store = openStore(join(stateDir, 'approvals.json'), clock, log);
  const rules: Parts['rules'] = { policy: structuredClone(options.policy), narrowedAt: -Infinity, closed: false };
  const [history, settled, pauses] = [
    createRequestHistory(clock),
    createSettledCards(),
    createPauses(clock, store.last.pauses, standsFor),
  ];
  const state = createDurableWriter(() => store.save({ ...queue.file(), pauses: pauses.file() }));
  const queue: Queue = createQueue({
    clock,
    expiryMs: expiryMs ?? EXPIRY_MS,
    persist: state.write,
    log,
    last: store.last,
    build(request, asked, { id, createdAt, expiresAt }) {
      const { policy } = rules;
      const remembered = policy.effects[asked.effect] === 'ask_once_per_session';
      const grants = choicesFor(asked, history.ofAgent(asked.agent.id), { remembered, grants: policy.grants });
      return createCard(request, { id, createdAt, expiresAt, grants });
    },
    tell(event) {
      if (event.kind === 'resolved') settled.add(event, clock.iso());
      tell(event);
    },
    created: (asked) => history.add(asked),
    isRunning,
  });
  const grants = createGrantStore({ file: join(stateDir, 'grants.json'), clock, log });
  const parts: Parts = { clock, rules, grants, memory: createMemory(), history, pauses, queue, settled, log };
  return { parts, state };
}

function acceptedPhrase(
  { clock, rules, pauses }: Parts,
  { agentId, effect, appId }: { agentId: string; effect: Effect; appId: string | null },
): Decision | null {
  const app = appId === null ? null : { id: appId, name: appId };
  if (rules.policy.confirmPhrase !== 'accept' || effect === 'dangerous' || rules.closed) return null;
  if (pauses.holding(agentId) !== null || refusalOf(rules.policy, { effect, app }) !== null) return null;
  return allowed(clock, 'phrase', 'phrase', null);
}
