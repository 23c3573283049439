import pLimit from 'p-limit';
import { randomBytes } from 'node:crypto';
import { createEmitter } from '../../../base/emitter.js';
import { WireError } from '../../protocol/index.js';
import type { ObservationInfo, PlainEvent, WatchedEvent, Wish } from './model.js';
import { createShelf } from './registry.js';
import type { Shelved } from './registry.js';
import { createWatch } from './watch.js';
import type { Owner, WatchOptions } from './watch.js';

export interface Delivered {
  /** The agent whose observation it is; nobody else may be told. */
  agentId: string;
  /** Without `observations/`. */
  observationId: string;
  /** A numbered event, or `observation_ended` with state and reason. */
  event: PlainEvent;
}

export interface Polled {
  info: ObservationInfo;
  events: WatchedEvent[];
  dropped: number;
  next: number;
  more: boolean;
}

export interface Observations {
  /** Takes the first look, then resolves. Throws DESKTOP_HOST_NOT_READY `reason: too_many_observations`, or why nothing can be watched there. */
  create(wish: Wish, owner: Owner): Promise<ObservationInfo>;
  /** The living observation of this agent that does the same, if there is one. */
  same(agentId: string, wish: Wish): ObservationInfo | null;
  /** These throw DESKTOP_INVALID_REQUEST `reason: unknown_observation`; another agent's is unknown. */
  get(agentId: string, name: string): ObservationInfo;
  cancel(agentId: string, name: string): ObservationInfo;
  owner(agentId: string, name: string): Owner;
  /** Waits for what comes after `after` (default: after what was given last), for the end, or until the time is over. */
  poll(
    agentId: string,
    name: string,
    how: { after: number | null; timeoutMs: number },
    signal: AbortSignal,
  ): Promise<Polled>;
  /** Oldest first. */
  list(agentId: string): ObservationInfo[];
  active(): number;
  onEvent(listener: (delivered: Delivered) => void): () => void;
  /** Ends what has not been asked for, or whose agent has gone. Runs by itself while anything is watched. */
  sweep(): void;
  close(): void;
}

export interface ObservationsOptions extends Omit<WatchOptions, 'lane' | 'active' | 'tell' | 'ended'> {
  /** The agent has a connection. */
  present(agentId: string): boolean;
  log(thrown: unknown): void;
}

const MOST_OF_AN_AGENT = 16;
const MOST = 64;
const TTL_MS = 30 * 60_000;
const GONE_MS = 60_000;
const SWEEP_MS = 5000;
/** A lost permission or a pause ends while a call waits without a word of it. */
const GLANCE_MS = 500;
const LOOKING = 2;

/** Without what of the application changes meanwhile. */
const keyOf = ({ place, ...rest }: Wish): string =>
  JSON.stringify([place.app?.pid, place.app?.startTime, place.windowId, place.elementId, rest]);

export function createObservations(options: ObservationsOptions): Observations {
  const { desktop, now } = options;
  const delivered = createEmitter<Delivered>(options.log);
  const shelf = createShelf(now);
  const lane = pLimit(LOOKING);
  let deaf: (() => void) | null = null;
  let timer: NodeJS.Timeout | null = null;

  const living = () => shelf.all().filter(({ watch }) => watch.alive());

  /** Listens to the desktop exactly while something is watched. */
  function adjust(): void {
    shelf.trim();
    const needed = living().length > 0;
    if (needed && deaf === null) {
      deaf = desktop.onChange((hint) => {
        for (const { watch } of living()) watch.hint(hint);
      });
      timer = setInterval(sweep, SWEEP_MS).unref();
    } else if (!needed && deaf !== null) {
      deaf();
      deaf = null;
      if (timer !== null) clearInterval(timer);
      timer = null;
    }
  }

  function sweep(): void {
    for (const entry of living()) {
      const { watch } = entry;
      entry.goneSince = options.present(watch.owner.agentId) ? null : (entry.goneSince ?? now());
      if (now() >= entry.asked + TTL_MS) watch.end('COMPLETED', 'Nobody has asked for its events for 30 minutes.');
      else if (entry.goneSince !== null && now() >= entry.goneSince + GONE_MS)
        watch.end('COMPLETED', 'Its agent has gone.');
    }
    shelf.trim();
  }

  function assertRoom(agentId: string): void {
    const own = living().filter(({ watch }) => watch.owner.agentId === agentId).length;
    if (own < MOST_OF_AN_AGENT && living().length < MOST) return;
    throw new WireError('DESKTOP_HOST_NOT_READY', `No more can be watched: ${own} observations of yours are alive.`, {
      reason: 'too_many_observations',
      most: MOST_OF_AN_AGENT,
      next: 'End one with cancel_observation (list_observations names them).',
    });
  }

  function own(agentId: string, name: string): Shelved {
    shelf.trim();
    const found = shelf.find(name.split('/').at(-1) ?? '');
    if (found !== null && found.watch.owner.agentId === agentId) return found;
    throw new WireError('DESKTOP_INVALID_REQUEST', `There is no observation ${name.slice(0, 100)} of yours.`, {
      reason: 'unknown_observation',
      next: 'Use a name that create_observation gave, or see list_observations.',
    });
  }

  const infoOf = ({ watch, asked }: Shelved) => watch.info(asked + TTL_MS);

  return {
    async create(wish, owner) {
      sweep();
      assertRoom(owner.agentId);
      const id = shelf.freeId(() => randomBytes(4).toString('hex'));
      const watch = createWatch(`observations/${id}`, wish, owner, {
        ...options,
        lane,
        active: () => living().length,
        tell: (event) => delivered.emit({ agentId: owner.agentId, observationId: id, event }),
        ended(event) {
          delivered.emit({ agentId: owner.agentId, observationId: id, event });
          adjust();
        },
      });
      const entry = shelf.put(id, watch);
      adjust();
      try {
        await watch.start();
      } catch (thrown) {
        watch.end('FAILED', 'There was nothing to watch.');
        shelf.drop(id);
        throw thrown;
      }
      return infoOf(entry);
    },
    same(agentId, wish) {
      const found = living().find(({ watch }) => watch.owner.agentId === agentId && keyOf(watch.wish) === keyOf(wish));
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
        entry.asked = now();
        const batch = watch.read(after);
        const left = deadline - performance.now();
        if (batch.events.length > 0 || batch.dropped > 0 || left <= 0 || !watch.alive())
          return { ...batch, info: infoOf(entry) };
        await watch.news(Math.min(left, GLANCE_MS), signal);
        signal.throwIfAborted();
      }
    },
    list(agentId) {
      shelf.trim();
      return shelf
        .all()
        .filter(({ watch }) => watch.owner.agentId === agentId)
        .map(infoOf);
    },
    active: () => living().length,
    onEvent: delivered.on,
    sweep,
    close() {
      for (const { watch } of living()) watch.end('CANCELLED', 'Chaperone is closing.');
      adjust();
    },
  };
}
