/** A person's answer to a card: the checks that it must pass, and what it changes. */
import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import { message, textOf, verbatim } from '../../messages/index.js';
import type { Grant, RuleKind, SeenCard } from '../protocol/index.js';
import { programOf } from './request-facts.js';
import { type Parts, settledMessage } from './parts.js';
import { refusalOf } from './decide.js';
import type { OpenCard } from './open-card.js';
import { refusal, type PersonAnswer, type ChangeResult } from './events.js';
import type { StoredGrantKind } from './choices.js';
import type { Clock } from './clock.js';

const MAX_MESSAGE = 4_000;

interface AnswerOptions {
  /** Answers within this time after a card appeared or changed are refused. */
  deadMs: number;
  /** A popover exists: dangerous requests and grants are decided there only. */
  popover: boolean;
  presses: Presses;
  /** Releases every key and button that is held down for an agent; false when there was none. */
  releaseHeld(): boolean;
}

/** Called for what follows from an answer. */
interface AnswerEffects {
  grantsChanged(): void;
  /** Called for the third denial within a minute. */
  thirdDenial(agentId: string): void;
  pressAgain(id: string): void;
}

export function createAnswer(parts: Parts, options: AnswerOptions, effects: AnswerEffects) {
  const { clock, queue, settled, log } = parts;
  const { presses } = options;

  function pressBegan(press: PressBegan): void {
    const open = queue.open();
    const isOpen = ({ id, digest }: SeenCard) => open.some(({ card }) => card.id === id && card.digest === digest);
    if (seenBy(press).every(isOpen)) presses.began(press, options.releaseHeld());
  }

  function answer(answer: PersonAnswer): ChangeResult {
    try {
      queue.sweep();
      const open = queue.open();
      const found = seenBy(answer).map((seen) => ({ seen, entry: open.find(({ card }) => card.id === seen.id) }));
      const gone = found.find(({ entry }) => entry === undefined);
      if (gone !== undefined) return ended(settled.get(gone.seen.id));
      const shown = found.flatMap(({ seen, entry }) => (entry === undefined ? [] : [{ seen, entry }]));
      const problem = problemOf(shown, answer);
      if (problem !== null) return problem;
      const entries = shown.map(({ entry }) => entry);
      if (answer.decision === 'allow') for (const entry of entries) allow(entry, answer);
      else deny(entries, answer);
      return { ok: true };
    } catch (thrown) {
      log(thrown);
      return refusal('failed', message('answer.failed', { why: textOf(thrown) }));
    }
  }

  /** Of several that were shown as one, a problem of one is a problem of all: what the person saw is not what they would decide. */
  function problemOf(shown: readonly { seen: SeenCard; entry: OpenCard }[], answer: PersonAnswer): ChangeResult | null {
    const entries = shown.map(({ entry }) => entry);
    if (entries.length > 1 && !areShownAsOne(entries, answer)) return refusal('stale', message('answer.changed'));
    for (const { seen, entry } of shown) {
      const problem =
        staleProblem(entry, { ...answer, ...seen }) ??
        (answer.decision === 'allow' ? allowProblem(entry, answer) : null);
      if (problem !== null) return problem;
    }
    return answer.decision === 'allow' ? pressProblem(entries, answer) : null;
  }

  function moreTime(id: string): ChangeResult {
    queue.sweep();
    const entry = queue.open().find(({ card }) => card.id === id);
    if (entry === undefined) return refusal('unknown_card', message('answer.unknown_request'));
    return queue.giveTime(entry) ? { ok: true } : refusal('no_more_time', message('answer.no_more_time'));
  }

  return {
    answer,
    /** A person on a paired page gives a request more time. */
    moreTime,
    /** A page reports that a press on Allow began. Held input is released at once, so that the next press can count. */
    pressBegan,
  };

  function staleProblem({ card, shownAt }: OpenCard, { digest, decision }: PersonAnswer): ChangeResult | null {
    if (decision !== 'allow' && decision !== 'deny') return refusal('failed', message('answer.neither'));
    if (digest !== card.digest) return refusal('stale', message('answer.changed'));
    if (clock.read() - shownAt < options.deadMs) return refusal('too_soon', message('answer.too_soon'));
    return null;
  }

  function allowProblem(entry: OpenCard, answer: PersonAnswer): ChangeResult | null {
    const { card, asked } = entry;
    const { where, grant = 'once' } = answer;
    if (where !== 'popover' && where !== 'page') return refusal('not_allowed_here', message('answer.needs_person'));
    if (card.agentEnded === true) return refusal('agent_ended', message('answer.agent_ended'));
    const paused = asked.personOnly ? null : parts.pauses.holding(asked.agent.id);
    if (paused !== null) return refusal('paused', message('answer.paused', { reason: paused.reason }));
    const refused = refusalOf(parts.rules.policy, asked);
    if (refused !== null) return refusal('policy', refused);
    const dangerous = asked.effect === 'dangerous';
    const lasts = grant !== 'once' || card.task !== undefined;
    if (card.task !== undefined && !parts.rules.policy.grants) return refusal('policy', message('task.not_here'));
    if (options.popover && where !== 'popover' && (dangerous || lasts))
      return refusal('popover_only', message('answer.popover_only'));
    const offered = parts.rules.policy.grants && card.grants.some(({ kind }) => kind === grant);
    if (grant !== 'once' && !offered) return refusal('grant_not_offered', message('answer.only_once'));
    return null;
  }

  /** An Allow must end a press that began on this card and page, with no input held or injected around it. */
  function pressProblem(entries: readonly OpenCard[], answer: PersonAnswer): ChangeResult | null {
    const press = presses.take(answer);
    if (press === null) return refusal('no_press', message('answer.no_press'));
    if (entries.some(({ shownAt }) => press.at - shownAt < options.deadMs))
      return refusal('too_soon', message('answer.too_soon'));
    if (answer.unseen === true) return refusal('unseen', message('answer.unseen'));
    if (answer.over !== undefined) return refusal('covered', message('answer.covered', { window: answer.over }));
    if (answer.moved === true) return refusal('moved', message('answer.moved'));
    const held = options.releaseHeld() || press.held;
    const injector = presses.disturbedBy(press, answer.otherDisplay === true ? ['agent'] : ['agent', 'program']);
    const by = held ? 'other' : injector;
    if (by === null) return null;
    effects.pressAgain(answer.id);
    return refusal('press_again', message('answer.input', { by }));
  }

  function allow(entry: OpenCard, answer: PersonAnswer): void {
    const { asked, card } = entry;
    const kind = answer.grant ?? 'once';
    const grant = kind === 'once' ? null : give(kind, entry);
    const { effects: rules } = parts.rules.policy;
    const remembers = grant === null && !asked.alwaysAsk && asked.file === undefined && !asked.personOnly;
    if (remembers && rules[asked.effect] === 'ask_once_per_session') parts.memory.add(asked);
    queue.settle(entry, {
      kind: 'allowed',
      by: 'person',
      approvalId: card.id,
      grantId: grant?.id ?? null,
      where: answer.where,
      who: answer.by,
      ...(card.task === undefined ? {} : { task: card.task.scope }),
      ...(card.desktops === true ? { desktop: answer.desktop ?? 'own' } : {}),
      ...timing(entry),
    });
    if (grant !== null) effects.grantsChanged();
  }

  function give(kind: StoredGrantKind | RuleKind, { asked }: OpenCard): Grant {
    return parts.grants.add(kind, asked);
  }

  /** One press is one denial, however many requests it is for. */
  function deny(entries: readonly OpenCard[], answer: PersonAnswer): void {
    const person = answer.where !== 'agent' && answer.where !== 'host';
    const [agent] = entries.flatMap(({ asked }) => (asked.personOnly ? [] : [asked.agent]));
    const isThird = person && agent !== undefined && parts.pauses.countDenial(programOf(agent));
    if (person) for (const { asked } of entries) parts.grants.deny(asked);
    for (const entry of entries) queue.settle(entry, { ...denialOf(entry, answer), ...timing(entry) });
    if (isThird) effects.thirdDenial(agent.id);
  }

  function timing({ card }: OpenCard): { at: string; waitedMs: number } {
    const time = clock.read();
    return { at: new Date(time).toISOString(), waitedMs: Math.max(0, time - Date.parse(card.createdAt)) };
  }
}

function ended(past: ReturnType<Parts['settled']['get']>): ChangeResult {
  if (past !== undefined) return refusal('settled', settledMessage(past));
  return refusal('unknown_card', message('answer.unknown_request'));
}

function denialOf({ card }: OpenCard, { where, by, message: words = '' }: PersonAnswer) {
  const said = words.slice(0, MAX_MESSAGE);
  const told = said.trim() === '' ? null : verbatim(said);
  return { kind: 'denied', reason: 'denied', by: where, who: by, approvalId: card.id, message: told } as const;
}

type ShownCards = SeenCard & { with?: readonly SeenCard[] | undefined };

/** All that was on the card, as the person saw it. */
const seenBy = ({ id, digest, with: others = [] }: ShownCards): SeenCard[] => [
  { id, digest },
  ...others.map((one) => ({ id: one.id, digest: one.digest })),
];

/** Of several, an Allow is for this one time: a choice of how long belongs to one request. */
function areShownAsOne(entries: readonly OpenCard[], { grant = 'once', desktop }: PersonAnswer): boolean {
  const groups = new Set(entries.map(({ card }) => card.group));
  return (
    !groups.has(undefined) &&
    groups.size === 1 &&
    new Set(entries).size === entries.length &&
    grant === 'once' &&
    desktop === undefined
  );
}

// Which press an Allow ends, and whether input was injected around it. All times are this host's, by a clock that never runs backwards.

/** A page reports that a person has begun to press Allow. */
export interface PressBegan {
  id: string;
  /** The others that were shown on the same card. */
  with?: readonly SeenCard[] | undefined;
  /** Digest of the card as the person saw it. */
  digest: string;
  /** The page's connection: an Allow must come over the same one. */
  connection: string;
}

/** Source of injected input: an agent of Chaperone, or another program's synthetic device. */
export type Injector = 'agent' | 'program';

interface Press {
  at: number;
  /** An agent held a key or button down when the press began. */
  held: boolean;
}

type Presses = ReturnType<typeof createPresses>;

const MAX_PAGES_PRESSING = 64;

export function createPresses({ read }: Pick<Clock, 'read'>, quietMs: number) {
  const presses = new LRUCache<string, PressBegan & Press>({ max: MAX_PAGES_PRESSING });
  const injectedAt = new Map<Injector, number>();

  return {
    began(press: PressBegan, held: boolean): void {
      presses.set(press.connection, { ...press, at: read(), held });
    },
    /** The press that this Allow ends. Each press is used once, whether or not the Allow counts. */
    take(answer: ShownCards & { connection?: string }): Press | null {
      const { connection } = answer;
      if (connection === undefined) return null;
      const press = presses.get(connection);
      presses.delete(connection);
      return press !== undefined && isDeepStrictEqual(seenBy(press), seenBy(answer)) ? press : null;
    },
    injected: (by: Injector): void => void injectedAt.set(by, read()),
    /** Who injected input since `quietMs` before the press began; null: nobody. */
    disturbedBy: ({ at }: Press, from: readonly Injector[]): Injector | null =>
      from.find((by) => (injectedAt.get(by) ?? -Infinity) > at - quietMs) ?? null,
  };
}
