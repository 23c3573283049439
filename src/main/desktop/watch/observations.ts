import pLimit from 'p-limit';
import { randomBytes } from 'node:crypto';
import { createEmitter } from '../../../base/emitter.js';
import { WireError } from '../../protocol/index.js';
import type { ObservationInfo, PlainEvent, WatchedEvent, WatchRequest } from './model.js';
import { createWatch, type WatchOwner, type WatchOptions, type Watch } from './watch.js';
import { message } from '../../../messages/index.js';

export interface DeliveredEvent {
  /** The only agent that may get the event. */
  agentId: string;
  /** Without `observations/`. */
  observationId: string;
  /** A numbered event, or `observation_ended` with state and reason. */
  event: PlainEvent;
}

export interface PollResult {
  info: ObservationInfo;
  events: WatchedEvent[];
  dropped: number;
  next: number;
  more: boolean;
}

export interface Observations {
  /** Resolves after the first reading. Throws DESKTOP_HOST_NOT_READY `reason: too_many_observations`, or why the target cannot be read. */
  create(request: WatchRequest, owner: WatchOwner): Promise<ObservationInfo>;
  /** An active observation of this agent with the same request. */
  findEquivalent(agentId: string, request: WatchRequest): ObservationInfo | null;
  /** Throws DESKTOP_INVALID_REQUEST `reason: unknown_observation`, also for another agent's; so do the methods below. */
  get(agentId: string, name: string): ObservationInfo;
  cancel(agentId: string, name: string): ObservationInfo;
  owner(agentId: string, name: string): WatchOwner;
  /** Waits for events after `after` (default: the last batch), for the end of the observation, or for `timeoutMs`. */
  poll(
    agentId: string,
    name: string,
    how: { after: number | null; timeoutMs: number },
    signal: AbortSignal,
  ): Promise<PollResult>;
  /** Oldest first. */
  list(agentId: string): ObservationInfo[];
  activeCount(): number;
  onEvent(listener: (delivered: DeliveredEvent) => void): () => void;
  /** Ends observations that are not polled, or whose agent has disconnected. Also runs on a timer. */
  endUnused(): void;
  close(): void;
}

export interface ObservationsOptions extends Omit<WatchOptions, 'limit' | 'activeCount' | 'onEvent' | 'onEnded'> {
  isConnected(agentId: string): boolean;
  log(thrown: unknown): void;
}

const MAX_PER_AGENT = 16;
const MAX_TOTAL = 64;
const UNPOLLED_TTL_MS = 30 * 60_000;
const DISCONNECTED_TTL_MS = 60_000;
const SWEEP_INTERVAL_MS = 5000;
/** Pauses and lost permissions end without an event, so a waiting poll checks for them. */
const POLL_RECHECK_MS = 500;
const MAX_CONCURRENT_READS = 2;

/** Identifies a request; leaves out what may change about its application. */
const keyOf = ({ scope, ...rest }: WatchRequest): string =>
  JSON.stringify([scope.app?.pid, scope.app?.startTime, scope.windowId, scope.elementId, rest]);

export function createObservations(options: ObservationsOptions): Observations {
  const { desktop, now } = options;
  const delivered = createEmitter<DeliveredEvent>(options.log);
  const registry = createObservationRegistry(now);
  const limit = pLimit(MAX_CONCURRENT_READS);
  let stopListening: (() => void) | null = null;
  let timer: NodeJS.Timeout | null = null;

  const activeEntries = () => registry.all().filter(({ watch }) => watch.alive());

  /** Listens to the desktop only while an observation is active. */
  function updateSubscription(): void {
    registry.trim();
    const needed = activeEntries().length > 0;
    if (needed && stopListening === null) {
      stopListening = desktop.onChange((hint) => {
        for (const { watch } of activeEntries()) watch.hint(hint);
      });
      timer = setInterval(endUnused, SWEEP_INTERVAL_MS).unref();
    } else if (!needed && stopListening !== null) {
      stopListening();
      stopListening = null;
      if (timer !== null) clearInterval(timer);
      timer = null;
    }
  }

  function endUnused(): void {
    for (const entry of activeEntries()) {
      const { watch } = entry;
      entry.goneSince = options.isConnected(watch.owner.agentId) ? null : (entry.goneSince ?? now());
      if (now() >= entry.lastPolledAt + UNPOLLED_TTL_MS) watch.end('COMPLETED', 'It was not polled for 30 minutes.');
      else if (entry.goneSince !== null && now() >= entry.goneSince + DISCONNECTED_TTL_MS)
        watch.end('COMPLETED', 'Its agent has disconnected.');
    }
    registry.trim();
  }

  function assertCapacity(agentId: string): void {
    const ownCount = activeEntries().filter(({ watch }) => watch.owner.agentId === agentId).length;
    if (ownCount < MAX_PER_AGENT && activeEntries().length < MAX_TOTAL) return;
    throw new WireError('DESKTOP_HOST_NOT_READY', message('error.too_many_observations', { count: ownCount }), {
      reason: 'too_many_observations',
      most: MAX_PER_AGENT,
      next: 'End one with cancel_observation (list_observations names them).',
    });
  }

  function own(agentId: string, name: string): ObservationEntry {
    registry.trim();
    const found = registry.find(name.split('/').at(-1) ?? '');
    if (found !== null && found.watch.owner.agentId === agentId) return found;
    throw new WireError('DESKTOP_INVALID_REQUEST', message('error.no_such_observation', { name: name.slice(0, 100) }), {
      reason: 'unknown_observation',
      next: 'Use a name that create_observation gave, or see list_observations.',
    });
  }

  const infoOf = ({ watch, lastPolledAt }: ObservationEntry) => watch.info(lastPolledAt + UNPOLLED_TTL_MS);

  return {
    async create(request, owner) {
      endUnused();
      assertCapacity(owner.agentId);
      const id = registry.unusedId(() => randomBytes(4).toString('hex'));
      const watch = createWatch(`observations/${id}`, request, owner, {
        ...options,
        limit,
        activeCount: () => activeEntries().length,
        onEvent: (event) => delivered.emit({ agentId: owner.agentId, observationId: id, event }),
        onEnded(event) {
          delivered.emit({ agentId: owner.agentId, observationId: id, event });
          updateSubscription();
        },
      });
      const entry = registry.add(id, watch);
      updateSubscription();
      try {
        await watch.start();
      } catch (thrown) {
        watch.end('FAILED', 'There was nothing to watch.');
        registry.delete(id);
        throw thrown;
      }
      return infoOf(entry);
    },
    findEquivalent(agentId, request) {
      const found = activeEntries().find(
        ({ watch }) => watch.owner.agentId === agentId && keyOf(watch.request) === keyOf(request),
      );
      return found === undefined ? null : infoOf(found);
    },
    get: (agentId, name) => infoOf(own(agentId, name)),
    owner: (agentId, name) => own(agentId, name).watch.owner,
    cancel(agentId, name) {
      const entry = own(agentId, name);
      entry.watch.end('CANCELLED', 'You cancelled it.');
      return infoOf(entry);
    },
    async poll(agentId, name, { after, timeoutMs }, signal) {
      const entry = own(agentId, name);
      const { watch } = entry;
      const deadline = performance.now() + timeoutMs;
      for (;;) {
        entry.lastPolledAt = now();
        const batch = watch.read(after);
        const left = deadline - performance.now();
        if (batch.events.length > 0 || batch.dropped > 0 || left <= 0 || !watch.alive())
          return { ...batch, info: infoOf(entry) };
        await watch.waitForEvents(Math.min(left, POLL_RECHECK_MS), signal);
        signal.throwIfAborted();
      }
    },
    list(agentId) {
      registry.trim();
      return registry
        .all()
        .filter(({ watch }) => watch.owner.agentId === agentId)
        .map(infoOf);
    },
    activeCount: () => activeEntries().length,
    onEvent: delivered.on,
    endUnused,
    close() {
      for (const { watch } of activeEntries()) watch.end('CANCELLED', 'Chaperone is closing.');
      updateSubscription();
    },
  };
}

interface ObservationEntry {
  id: string;
  watch: Watch;
  /** Epoch milliseconds; at first the time of creation. */
  lastPolledAt: number;
  /** Since its agent lost its last connection. */
  goneSince: number | null;
  endedAt: number | null;
}

const ENDED_RETENTION_MS = 10 * 60_000;
const MAX_ENDED_PER_AGENT = 16;
const MAX_ENDED = 64;

/** Observations by id. Ended ones stay readable for {@link ENDED_RETENTION_MS}. */
function createObservationRegistry(now: () => number) {
  const entries = new Map<string, ObservationEntry>();

  const ended = () => [...entries.values()].filter(({ watch }) => !watch.alive());

  function removeOldEnded(): void {
    const counts = new Map<string, number>();
    let total = 0;
    // Latest end first.
    for (const entry of ended().sort((a, b) => (b.endedAt ?? Infinity) - (a.endedAt ?? Infinity))) {
      entry.endedAt ??= now();
      const { agentId } = entry.watch.owner;
      const own = (counts.get(agentId) ?? 0) + 1;
      counts.set(agentId, own);
      total += 1;
      const old = now() >= entry.endedAt + ENDED_RETENTION_MS;
      if (old || own > MAX_ENDED_PER_AGENT || total > MAX_ENDED) entries.delete(entry.id);
    }
  }

  return {
    unusedId(make: () => string): string {
      for (;;) {
        const id = make();
        if (!entries.has(id)) return id;
      }
    },
    add(id: string, watch: Watch): ObservationEntry {
      const entry: ObservationEntry = { id, watch, lastPolledAt: now(), goneSince: null, endedAt: null };
      entries.set(id, entry);
      return entry;
    },
    delete: (id: string): void => void entries.delete(id),
    find: (id: string): ObservationEntry | null => entries.get(id) ?? null,
    all: (): ObservationEntry[] => [...entries.values()],
    trim: removeOldEnded,
  };
}
