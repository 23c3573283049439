/**
 * Approvals: policy, grants, cards and the person's answers. Called by the pipeline (as {@link Approver}), by pages and
 * popover with answers, and by the host for pauses and stops. Never allows anything by accident: what fails, or is unclear, is denied.
 */
import { mkdirSync } from 'node:fs';
import { createEmitter } from '../../base/emitter.js';
import { type Grant, type Status, type Agent, type Card, type Effect, WireError } from '../protocol/index.js';
import { type ControlEffects, createControl, type Control } from './control.js';
import { type DurableWriter, createDurableWriter } from './files.js';
import type { CardEvent, ChangeResult, PersonAnswer } from './events.js';
import { type Parts, createParts, type PartsOptions, type Remembered } from './parts.js';
import type { Policy, Rule } from './policy.js';
import type { ApprovalRequest, Decision, Caller, FullView, Sight } from './request.js';
import { createAnswer, createPresses, type Injector, type PressBegan } from './answer.js';
import { createClock } from './clock.js';
import { askPerson, createApprover, allowed, decideUnasked, isTrusted, ownCounts, refusalOf } from './decide.js';
import type { OnWaiting } from './open-card.js';
import { createTaskControl, type TaskControl } from './task-control.js';
import { createTokens, type TokenStore } from './tokens.js';
import { message } from '../../messages/index.js';
import type { Plan } from './plan.js';
import type { PausedAgent } from './store.js';
import { disclosureFacts, isKnownProgram, type RequestFacts } from './request-facts.js';

// The events of approvals, and which change emits which.

type Events = ReturnType<typeof createApprovalEvents>;

function createApprovalEvents(log: Parts['log']) {
  return {
    card: createEmitter<CardEvent>(log),
    pause: createEmitter<Status['paused']>(log),
    grants: createEmitter<Grant[]>(log),
    policy: createEmitter<Policy>(log),
    memoryCleared: createEmitter<void>(log),
    pressAgain: createEmitter<string>(log),
  };
}

interface Listeners {
  onCard(listener: (event: CardEvent) => void): () => void;
  onPause(listener: (paused: Status['paused']) => void): () => void;
  onGrants(listener: (grants: Grant[]) => void): () => void;
  onPolicy(listener: (policy: Policy) => void): () => void;
  /** Something remembered was cleared. What is added comes with a decision and has no event of its own. */
  onMemoryCleared(listener: () => void): () => void;
  /** An Allow was refused because of injected or held input: keep the lane until it is pressed again. */
  onPressAgain(listener: (approvalId: string) => void): () => void;
}

const listenersOf = (events: Events): Listeners => ({
  onCard: events.card.on,
  onPause: events.pause.on,
  onGrants: events.grants.on,
  onPolicy: events.policy.on,
  onMemoryCleared: events.memoryCleared.on,
  onPressAgain: events.pressAgain.on,
});

function createControlEffects(
  { grants, pauses, rules, log }: Parts,
  events: Events,
  policyFile: DurableWriter,
  armTimer: () => void,
): ControlEffects {
  return {
    pausesChanged() {
      events.pause.emit(pauses.shown());
      armTimer();
    },
    grantsChanged: () => events.grants.emit(grants.list()),
    memoryCleared: () => events.memoryCleared.emit(),
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

export { isFileManager } from './choices.js';
export * from './digest.js';
export type { CardEvent, ChangeResult, PersonAnswer, Where } from './events.js';
export { presetPolicy, shownPolicy, switchPreset, widens, withExcluded, type Policy } from './policy.js';
export { loadPolicy, savePolicy } from './policy.js';
export { createViewers, type Viewers } from './request-time.js';

export interface ApprovalsOptions extends PartsOptions {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of running time; tests give their own. */
  running?(): number;
  /** A popover exists: dangerous requests and grants are decided there only. */
  popover: boolean;
  /** Releases every key and button that is held down for an agent; false when there was none. */
  releaseHeld(): boolean;
  /** The agent with this id, where it is connected. */
  agentOf?(agentId: string): Agent | null;
  /** Saves a policy that a person changed, for the next start; absent where the change is for this run only. */
  savePolicy?(policy: Policy): void;
  log(message: string, thrown: unknown): void;
  pressLimits?: PressLimits;
}

/** Milliseconds. */
export interface PressLimits {
  /** How long a new or changed card takes no answer. */
  deadMs: number;
  /** How long before a press on Allow no input may have been injected. */
  quietMs: number;
}

/** What the pipeline calls. */
export type Approver = ReturnType<typeof createApprover> & Pick<ApprovalReads, 'sight'>;

export interface Approvals extends Approver, Control, ApprovalReads, Listeners {
  /** Asks a person about something that is not an agent's act. No policy, grant, memory or phrase decides it, and nothing of it is kept. Rejects with the signal's reason. */
  askPerson(request: ApprovalRequest, onWaiting: OnWaiting, signal: AbortSignal): Promise<Decision>;
  /** Never throws: a refused answer says why. */
  answer(answer: PersonAnswer): ChangeResult;
  /** A person gives a request more time. */
  moreTime(id: string): ChangeResult;
  /** A page reports that a press on Allow began; the time is this host's. */
  pressBegan(press: PressBegan): void;
  /** Input was injected: an Allow that is pressed around this time does not count. */
  injected(by: Injector): void;
  tokens: TokenStore;
  tasks: TaskControl;
  /** Ends what has expired. Runs by itself while anything is open. */
  sweep(): void;
  /** Rejects all waiting calls; cards stay on disk for the next host. */
  close(): void;
}

const PRESS_LIMITS: PressLimits = { deadMs: 500, quietMs: 1_000 };

/** Throws when the state folder cannot be made. */
export function createApprovals({ pressLimits = PRESS_LIMITS, ...options }: ApprovalsOptions): Approvals {
  mkdirSync(options.stateDir, { recursive: true, mode: 0o700 });
  const log = (thrown: unknown) => options.log('approvals', thrown);
  const clock = createClock(options.now, options.running);
  const events = createApprovalEvents(log);
  const { parts, state } = createParts(options, clock, log, (event) => {
    events.card.emit(event);
    timer.arm();
  });
  const { grants, queue, rules } = parts;
  grants.onUse(() => events.grants.emit(grants.list()));
  const policyFile = createDurableWriter(() => options.savePolicy?.(structuredClone(rules.policy)));
  const tokens = createTokens(clock);
  const effects = createControlEffects(parts, events, policyFile, () => timer.arm());
  const control = createControl(parts, tokens, state.write, effects, (id) => options.agentOf?.(id) ?? null);
  const presses = createPresses(clock, pressLimits.quietMs);
  const answering = createAnswer(
    parts,
    { ...options, presses, deadMs: pressLimits.deadMs },
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
    expire(parts, events);
    for (const file of [state, policyFile]) file.retry();
  };
  const timer = createTimer(sweep, log, () => isWaiting(parts, state, policyFile), options.viewers);
  timer.arm();

  return {
    ...createApprover(parts),
    ...control,
    askPerson: (request, onWaiting, signal) => askPerson(parts, request, onWaiting, signal),
    ...answering,
    injected: presses.injected,
    tokens,
    tasks: createTaskControl(parts, () => timer.arm()),
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

/** Whether anything can expire, or is not on disk yet. */
const isWaiting = ({ queue, grants, tasks }: Parts, ...files: Pick<DurableWriter, 'isPending'>[]): boolean =>
  files.some((file) => file.isPending()) ||
  queue.open().length + queue.file().kept.length + grants.list().length + tasks.count() > 0;

function expire(
  { queue, grants, tasks }: Parts,
  events: Pick<ReturnType<typeof createApprovalEvents>, 'grants'>,
): void {
  queue.sweep();
  if (grants.expire()) events.grants.emit(grants.list());
  tasks.sweep();
}

const SWEEP_MS = 500;

/** Runs only while something can expire, and when it changes who sees requests; does not keep the process alive. */
function createTimer(
  tick: () => void,
  log: (thrown: unknown) => void,
  needed: () => boolean,
  viewers: PartsOptions['viewers'],
) {
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  const stop = () => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  const run = () => {
    try {
      tick();
      if (!needed()) stop();
    } catch (thrown) {
      log(thrown);
    }
  };
  const stopViewing = viewers?.onChange(run);
  return {
    arm() {
      if (timer === null && !stopped && needed()) timer = setInterval(run, SWEEP_MS).unref();
    },
    stop() {
      stopped = true;
      stopViewing?.();
      stop();
    },
  };
}

// The state of approvals for status, pages and the bridge. Reading changes nothing.

interface ApprovalReads {
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
  /** Whether this caller may see now, without anybody being asked, what a disclosure of this plan would show; `never`: the policy refuses it. `own`: it is of what the agent started on a desktop of its own. */
  sight(caller: Caller, shown: Plan, own?: boolean): Sight;
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

function createReads(parts: Parts): ApprovalReads {
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
    sight: (caller, shown, own = false) => sightOf(parts, disclosureFacts(caller, shown), caller, own),
    async mayReadTitles(caller) {
      await parts.trust.look(caller);
      return decideUnasked(parts, titlesFor(caller), caller).kind === 'allowed';
    },
    phrase: (request) => acceptedPhrase(parts, request),
  };
}

/** By policy, by what the person allowed for the session, or by a grant that lasts: a counted one is for single calls. */
function sightOf(parts: Parts, asked: RequestFacts, caller: Caller, own: boolean): Sight {
  const { rules, grants, tasks, memory } = parts;
  const { policy } = rules;
  if (rules.closed || refusalOf(policy, asked) !== null) return 'never';
  const rule = policy.effects.disclose;
  if (rule === 'allow') return 'sees';
  if (asked.alwaysAsk) return 'asks';
  if (own && ownCounts(parts, caller)) return 'sees';
  const granted = policy.grants && (grants.match(asked)?.usesLeft === null || tasks.match(asked) !== null);
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

/** Denies a card in its current version: where it cannot be seen, a person may deny anything. Null where no such card is open. */
export function denyCard(
  { cards, answer }: Pick<Approvals, 'cards' | 'answer'>,
  denial: Pick<PersonAnswer, 'id' | 'by' | 'where' | 'message'>,
): ChangeResult | null {
  const card = cards().find(({ id }) => id === denial.id);
  return card === undefined ? null : answer({ ...denial, digest: card.digest, decision: 'deny' });
}

/** `chaperone approvals deny`, and an agent that withdraws its own. */
export function denyById(approvals: Pick<Approvals, 'cards' | 'answer'>) {
  return ({
    message: words,
    ...by
  }: Pick<PersonAnswer, 'id' | 'by' | 'where'> & { message?: string | undefined }): void => {
    const answered = denyCard(approvals, { ...by, ...(words === undefined ? {} : { message: words }) });
    if (answered === null)
      throw new WireError('DESKTOP_INVALID_REQUEST', message('error.no_such_request', { id: JSON.stringify(by.id) }), {
        reason: 'unknown_card',
        next: '`chaperone approvals` lists what waits, each with its id.',
      });
    if (!answered.ok) throw new WireError('DESKTOP_INVALID_REQUEST', answered.message, { reason: answered.code });
  };
}
