/**
 * Cards that wait for a person. One for each agent, which may list several harmless requests: an identical call joins, another waits
 * its turn. A card whose callers have all gone stays until it expires, and what is decided then is kept for the next identical call, once.
 */
import { randomUUID } from 'node:crypto';
import { type RequestFacts, programOf } from './request-facts.js';
import type { Clock } from './clock.js';
import { sameSeen, type Seen, seenOf } from './card.js';
import { endOf, laterEnd } from './request-time.js';
import {
  storedOf,
  createOpenCard,
  keyOf,
  waitEndMode,
  abortReason,
  reviseCard,
  waitInTurn,
  waitOn,
  endTurns,
  type OpenCard,
  type Mode,
  type OnWaiting,
  type AskOutcome,
  type Waiter,
} from './open-card.js';
import type { KeptDecision, PersonDecision, StoredCard } from './store.js';
import { WireError, type Agent, type Card } from '../protocol/index.js';
import type { ApprovalRequest, FullView } from './request.js';
import type { CardEvent, Ending } from './events.js';
import { message } from '../../messages/index.js';
import { mayStandTogether, takesMore } from './together.js';

// Decisions made while no caller waited. The next identical call gets each once, until its card would have expired.

type KeptDecisions = ReturnType<typeof createKeptDecisions>;

function createKeptDecisions(clock: Clock, last: KeptDecision[]) {
  const all = new Map(last.map((one) => [one.key, one]));
  const expired = ({ card }: StoredCard) => clock.read() >= Date.parse(card.expiresAt);

  return {
    keep(card: StoredCard, decision: PersonDecision): void {
      if (!expired(card)) all.set(card.key, { ...storedOf(card), decision });
    },
    /** Removes and returns the decision; null for an Allow whose target has changed since. `saved` must have written the removal to disk when it returns. */
    take(key: string, seen: (card: StoredCard) => Seen, saved: () => void): PersonDecision | null {
      const one = all.get(key);
      if (one === undefined) return null;
      all.delete(key);
      saved();
      // A No stands whatever the target looks like now.
      const stands = one.decision.kind === 'denied' || sameSeen(one.seen, seen(one));
      return stands && !expired(one) ? one.decision : null;
    },
    has: (key: string): boolean => all.has(key),
    /** Removes kept permissions; refusals stay. */
    dropAllowed(which: (asked: RequestFacts) => boolean): void {
      for (const one of [...all.values()]) if (one.decision.kind === 'allowed' && which(one.asked)) all.delete(one.key);
    },
    withdraw(executionId: string): boolean {
      const one = [...all.values()].find((each) => each.executionIds.includes(executionId));
      return one !== undefined && all.delete(one.key);
    },
    /** True when something has expired. */
    sweep(): boolean {
      const over = [...all.values()].filter(expired);
      for (const one of over) all.delete(one.key);
      return over.length > 0;
    },
    list: (): KeptDecision[] => [...all.values()],
  };
}

export interface Queue {
  /** The person's decision; `again` when another call's card was settled and this request must be judged again. */
  ask(request: ApprovalRequest, asked: RequestFacts, onWaiting: OnWaiting, signal: AbortSignal): Promise<AskOutcome>;
  /** A decision kept for this call. It is removed from disk before it is returned; throws when that fails. */
  takeKept(request: ApprovalRequest, asked: RequestFacts): PersonDecision | null;
  /** Whether an identical call was decided while nobody waited; what it is about may have changed since. */
  hasKept(request: ApprovalRequest): boolean;
  /** Oldest first. */
  open(): OpenCard[];
  settle(entry: OpenCard, decision: PersonDecision): void;
  /** Shows it changed by the person; only an answer to what is shown then counts. */
  revise(entry: OpenCard, change: Pick<Card, 'task' | 'covers'>): void;
  /** Gives it more time; false where it has all that there is. */
  giveTime(entry: OpenCard): boolean;
  /** Ends cards without a decision by the person, and removes matching kept permissions. */
  end(which: (asked: RequestFacts) => boolean, ending: Ending): void;
  withdraw(executionId: string): boolean;
  /** Lets clocks stand or go on, ends expired cards, and marks those whose agent has ended. */
  sweep(): void;
  file(): { cards: StoredCard[]; kept: KeptDecision[] };
  /** Rejects all waiting calls; cards stay on disk. */
  detachAll(): void;
}

interface QueueParts {
  clock: Clock;
  expiryMs: number;
  /** Whether anybody can see requests now. */
  areSeen(): boolean;
  /** Throws when the request cannot be shown. */
  build(request: ApprovalRequest, asked: RequestFacts, fixed: Pick<Card, 'id' | 'createdAt' | 'expiresAt'>): Card;
  /** Throws when it is not on disk. */
  persist(): void;
  tell(event: CardEvent): void;
  /** Called for each new card. */
  created(asked: RequestFacts): void;
  /** False once the agent's process has ended. */
  isRunning(agent: Agent): boolean;
  log(thrown: unknown): void;
  last: { cards: StoredCard[]; kept: KeptDecision[] };
}

/** Most open cards, of one program and in total: nobody reads more, and each has a picture on disk and in every page. */
const MAX_OPEN = { ofProgram: 50, inAll: 100 };

type Entries = Map<string, OpenCard>;

export function createQueue(parts: QueueParts): Queue {
  const { clock, build, persist, tell, isRunning, log, last } = parts;
  const entries = entriesOf(last.cards, clock.read());
  const kept = createKeptDecisions(clock, last.kept);
  const ends = createEnds(parts, persistOrLog);
  const { create, addTo } = createOpening(parts, entries);

  function persistOrLog(): void {
    try {
      persist();
    } catch (thrown) {
      log(thrown);
    }
  }

  /** The open card for an identical call, updated to the new request if no other call waits for the old one; null for another request. */
  function join(entry: OpenCard, request: ApprovalRequest, asked: RequestFacts): OpenCard | null {
    const built = build(request, asked, entry.card);
    const { group } = entry.card;
    const fresh = group === undefined ? built : grouped(request, asked, built, group);
    const seen = seenOf(request, fresh);
    if (sameSeen(entry.seen, seen)) {
      entry.card = { ...entry.card, executionId: request.executionId, orphaned: false };
      if (!entry.fullView?.read()) entry.fullView = request.fullView ?? null;
      keepFullViews(entries);
      return entry;
    }
    if (entry.waiters.size > 0) return null;
    Object.assign(entry, { card: fresh, asked, seen, fullView: request.fullView ?? null, shownAt: clock.read() });
    keepFullViews(entries);
    persistOrLog();
    return entry;
  }

  async function ask(request: ApprovalRequest, asked: RequestFacts, onWaiting: OnWaiting, signal: AbortSignal) {
    const own = [...entries.values()].filter((one) => one.asked.agent.id === asked.agent.id);
    const ahead = own.find(({ key }) => key === keyOf(request)) ?? own[0];
    const identical = ahead?.key === keyOf(request);
    const joined = ahead === undefined ? null : identical ? join(ahead, request, asked) : addTo(own, request, asked);
    if (ahead !== undefined && joined === null) return waitInTurn(ahead, signal);
    const entry = joined ?? create(request, asked);
    const outcome = await waitOn(entry, request.executionId, signal, {
      joined: () => tell({ kind: identical ? 'changed' : 'requested', card: structuredClone(entry.card) }),
      waiting() {
        if (entries.has(entry.card.id)) onWaiting({ approvalId: entry.card.id, expiresAt: entry.card.expiresAt });
      },
      left: (mode) => left(entry, mode),
    });
    return signal.aborted ? tooLate({ kept, persistOrLog }, entry, outcome, signal) : outcome;
  }

  function left(entry: OpenCard, mode: Mode): void {
    if (entry.waiters.size > 0 || !entries.has(entry.card.id)) return;
    if (mode === 'withdraw') return close(entry, { reason: 'withdrawn', by: 'agent', message: null });
    const agentEnded = isRunning(entry.card.agent) ? {} : { agentEnded: true };
    entry.card = { ...entry.card, orphaned: true, ...agentEnded };
    tell({ kind: 'changed', card: structuredClone(entry.card) });
  }

  /** One Allow is for one act: of several identical waiting calls the newest gets it, and the others are asked again. A denial is for all. */
  function settle(entry: OpenCard, decision: PersonDecision): void {
    const waiters = remove(entries, entry);
    const newest = waiters.at(-1);
    if (newest === undefined) kept.keep(entry, decision);
    persistOrLog();
    const denied = decision.kind === 'denied';
    for (const waiter of waiters) waiter.settle(denied || waiter === newest ? { ...decision } : 'again');
    tell({
      kind: 'resolved',
      id: entry.card.id,
      executionId: entry.card.executionId,
      effect: entry.card.effect,
      decision: denied ? 'deny' : 'allow',
      by: denied ? decision.by : decision.where,
      reason: denied ? 'denied' : null,
      message: denied ? decision.message : null,
      ...(newest === undefined ? { late: decision } : {}),
    });
    endTurns(entry);
  }

  function close(entry: OpenCard, { reason, by, message }: Ending): void {
    const waiters = remove(entries, entry);
    persistOrLog();
    const { id, executionId, effect } = entry.card;
    const outcome = {
      kind: 'denied',
      reason: reason === 'withdrawn' ? 'denied' : reason,
      by,
      approvalId: id,
      message,
      at: clock.iso(),
      waitedMs: 0,
    } as const;
    for (const waiter of waiters) waiter.settle({ ...outcome });
    const shown = reason === 'policy' ? 'denied' : reason;
    tell({ kind: 'resolved', id, executionId, effect, decision: 'deny', by, reason: shown, message });
    endTurns(entry);
  }

  function withdraw(executionId: string): boolean {
    const entry = [...entries.values()].find((each) => each.executionIds.includes(executionId));
    if (entry === undefined) {
      const found = kept.withdraw(executionId);
      if (found) persistOrLog();
      return found;
    }
    for (const waiter of [...entry.waiters]) if (waiter.executionId === executionId) waiter.leave('withdraw');
    left(entry, 'withdraw');
    return true;
  }

  return {
    ask,
    settle,
    giveTime: ends.give,
    revise(entry, change) {
      reviseCard(entry, change, clock.read());
      persistOrLog();
      tell({ kind: 'changed', card: structuredClone(entry.card) });
    },
    withdraw,
    takeKept: (request, asked) =>
      kept.take(keyOf(request), ({ card }) => seenOf(request, build(request, asked, card)), persist),
    hasKept: (request) => kept.has(keyOf(request)),
    open: () => [...entries.values()],
    end(which, ending) {
      kept.dropAllowed(which);
      for (const entry of [...entries.values()]) if (which(entry.asked)) close(entry, ending);
      persistOrLog();
    },
    sweep() {
      for (const entry of ends.due([...entries.values()]))
        close(entry, { reason: 'timeout', by: 'host', message: null });
      noteEndedAgents(entries, parts);
      if (kept.sweep()) persistOrLog();
    },
    file: () => ({ cards: [...entries.values()].map(storedOf), kept: kept.list() }),
    detachAll() {
      for (const entry of entries.values()) for (const waiter of [...entry.waiters]) waiter.leave('detach');
      for (const entry of entries.values()) endTurns(entry);
    },
  };
}

/** Makes cards, and shows them alone or with those that are open. */
function createOpening({ clock, expiryMs, build, persist, created }: QueueParts, entries: Entries) {
  function make(request: ApprovalRequest, asked: RequestFacts, at: number, group?: string): Card {
    assertRoom(entries, asked);
    const [createdAt, expiresAt] = [new Date(at).toISOString(), new Date(at + expiryMs).toISOString()];
    const id = randomUUID();
    return grouped(request, asked, build(request, asked, { id, createdAt, expiresAt }), group ?? id);
  }

  function open(card: Card, request: ApprovalRequest, asked: RequestFacts, at: number): OpenCard {
    const { executionId, fullView = null } = request;
    const stored = { key: keyOf(request), card, asked, seen: seenOf(request, card), executionIds: [executionId] };
    const entry = createOpenCard(stored, at, fullView);
    entries.set(card.id, entry);
    try {
      persist();
    } catch (thrown) {
      entries.delete(card.id);
      throw thrown;
    }
    keepFullViews(entries);
    return entry;
  }

  function create(request: ApprovalRequest, asked: RequestFacts): OpenCard {
    const time = clock.read();
    const entry = open(make(request, asked, time), request, asked, time);
    created(asked);
    return entry;
  }

  /** Shown with the open cards of its agent, as one request; null: it waits its turn. */
  function addTo(own: readonly OpenCard[], request: ApprovalRequest, asked: RequestFacts): OpenCard | null {
    const time = clock.read();
    if (!takesMore(own, time)) return null;
    const card = make(request, asked, time, own[0]?.card.group);
    if (card.group === undefined) return null;
    const entry = open(card, request, asked, time);
    // What they are shown on has changed, so its buttons are dead again.
    for (const one of own) one.shownAt = time;
    return entry;
  }

  return { create, addTo };
}

/** Of the last host: nobody waits for them any more. */
const entriesOf = (stored: readonly StoredCard[], at: number): Entries =>
  new Map(stored.map((one) => [one.card.id, createOpenCard({ ...one, card: { ...one.card, orphaned: true } }, at)]));

/** Changes when requests end, and tells pages and callers. */
function createEnds({ clock, expiryMs, areSeen, tell }: QueueParts, persistOrLog: () => void) {
  function move(entry: OpenCard, end: number): void {
    entry.heldSince = null;
    const expiresAt = new Date(end).toISOString();
    if (expiresAt === entry.card.expiresAt) return;
    entry.card = { ...entry.card, expiresAt };
    persistOrLog();
    tell({ kind: 'changed', card: structuredClone(entry.card) });
    for (const waiter of [...entry.waiters]) waiter.tell();
  }

  /** A page that asks to be paired is asked about for as long as it says. */
  function watch(entry: OpenCard, time: number, seen: boolean): void {
    if (!seen && !entry.asked.personOnly) entry.heldSince ??= time;
    else if (entry.heldSince !== null) move(entry, endOf(entry, time, expiryMs));
  }

  return {
    /** Lets clocks stand or go on. Returns what has ended. */
    due(all: readonly OpenCard[]): OpenCard[] {
      const [time, seen] = [clock.read(), areSeen()];
      for (const entry of all) watch(entry, time, seen);
      return all.filter((entry) => time >= endOf(entry, time, expiryMs));
    },
    give(entry: OpenCard): boolean {
      const end = laterEnd(endOf(entry, clock.read(), expiryMs), entry.card);
      if (end !== null) move(entry, end);
      return end !== null;
    },
  };
}

/** The card with the group that it is shown in; without one where it has to stand alone. */
const grouped = (request: ApprovalRequest, asked: RequestFacts, card: Card, group: string): Card =>
  mayStandTogether(request, asked, card) ? { ...card, group } : card;

const keepFullViews = (entries: Entries) => disposeOldest([...entries.values()].map(({ fullView }) => fullView));

function assertRoom(entries: Entries, { agent }: RequestFacts): void {
  const own = [...entries.values()].filter((entry) => programOf(entry.asked.agent) === programOf(agent)).length;
  if (entries.size >= MAX_OPEN.inAll || own >= MAX_OPEN.ofProgram)
    throw new WireError('DESKTOP_HOST_NOT_READY', message('error.too_many_requests', { count: entries.size }), {
      reason: 'too_many_requests',
      next: 'Ask again when the person has answered some of them.',
    });
}

/** The caller disconnected while the decision was made: the decision is kept as for a caller that had left before. */
function tooLate(
  { kept, persistOrLog }: { kept: KeptDecisions; persistOrLog(): void },
  entry: OpenCard,
  outcome: AskOutcome,
  signal: AbortSignal,
): never {
  if (
    outcome !== 'again' &&
    outcome.kind === 'allowed' &&
    outcome.approvalId !== null &&
    waitEndMode(signal) === 'detach'
  ) {
    kept.keep(entry, { ...outcome, by: 'person', approvalId: outcome.approvalId, who: outcome.who ?? '' });
    persistOrLog();
  }
  throw abortReason(signal);
}

function noteEndedAgents(entries: Entries, { isRunning, tell }: QueueParts): void {
  for (const entry of entries.values()) {
    if (!entry.card.orphaned || entry.card.agentEnded === true || isRunning(entry.card.agent)) continue;
    entry.card = { ...entry.card, agentEnded: true };
    tell({ kind: 'changed', card: structuredClone(entry.card) });
  }
}

function remove(entries: Entries, entry: OpenCard): Waiter[] {
  const waiters = [...entry.waiters];
  entries.delete(entry.card.id);
  entry.waiters.clear();
  return waiters;
}

// Captures shown on open cards. They are kept in memory only, up to a total size.

const MAX_TOTAL_BYTES = 128 * 1024 * 1024;

/** `views`: oldest first. Disposes of the oldest ones beyond `maxBytes`; the newest is always kept. */
export function disposeOldest(views: readonly (FullView | null)[], maxBytes = MAX_TOTAL_BYTES): void {
  let left = maxBytes;
  views.toReversed().forEach((view, age) => {
    left -= view?.read()?.capture.rgb.length ?? 0;
    if (left < 0 && age > 0) view?.dispose();
  });
}
