/** One observation while it lives: looks, compares with what it saw last, numbers what happened, and ends. */
import type { App, ChangeHint } from '../../../native/desktop.js';
import type { Standing } from '../../pipeline/context.js';
import type { Plan } from '../../pipeline/plan.js';
import { createBuffer } from './buffer.js';
import type { Batch } from './buffer.js';
import { failureOf, whyOver } from './end.js';
import { watchesElements } from './model.js';
import type { Happening, ObservationInfo, PlainEvent, WatchedEvent, WatchState, Wish } from './model.js';
import { notesOf } from './notes.js';
import { createPace } from './pace.js';
import { compare, look } from './look.js';
import type { Seen } from './look.js';
import type { SightOptions } from './elements.js';

export interface Owner {
  agentId: string;
  /** Whether what the person allowed still counts; asked before each look and each delivery. */
  standing(): Standing;
  /** What the person was shown. */
  plan: Plan | null;
}

export interface WatchOptions extends SightOptions {
  /** Why nothing may be shown to any agent now; null when it may. */
  holding(): string | null;
  /** The person keeps agents out of this application. */
  excluded(app: App): boolean;
  /** Only so many look at a time. */
  lane<T>(work: () => Promise<T>): Promise<T>;
  /** How many observations are alive. */
  active(): number;
  /** Epoch milliseconds. */
  now(): number;
  tell(event: WatchedEvent): void;
  ended(event: PlainEvent): void;
}

export interface Watch {
  readonly wish: Wish;
  readonly owner: Owner;
  /** The first look, which nothing is told of. Rejects when there is nothing to watch; what does not answer yet is PENDING. */
  start(): Promise<void>;
  hint(hint: ChangeHint): void;
  info(expires: number | null): ObservationInfo;
  alive(): boolean;
  /** Why nothing is told now. */
  held(): string | null;
  read(after: number | null): Batch;
  end(state: Exclude<WatchState, 'PENDING' | 'ACTIVE'>, reason: string): void;
  /** Resolves when there is something new, or after `ms`. */
  news(ms: number, signal: AbortSignal): Promise<void>;
}

const LOOK_MS = 5000;
const MOST_AT_ONCE = 100;
const OVER: ReadonlySet<WatchState> = new Set(['COMPLETED', 'CANCELLED', 'FAILED']);

export function createWatch(name: string, wish: Wish, owner: Owner, options: WatchOptions): Watch {
  const created = new Date(options.now()).toISOString();
  const buffer = createBuffer();
  const stop = new AbortController();
  const waiting = new Set<() => void>();
  let state: WatchState = 'PENDING';
  let reason: string | null = null;
  let trouble: string | null = null;
  let seen: Seen | null = null;
  let cursor = 0;
  let started = performance.now();
  const pace = createPace(() => tryLook(), { intervalMs: wish.intervalMs, active: options.active });

  const alive = () => !OVER.has(state);
  const held = () => (owner.standing() === 'paused' ? 'The person has paused agents.' : options.holding());
  const wake = () => {
    for (const waiter of [...waiting]) waiter();
  };

  function end(to: WatchState, why: string): void {
    if (!alive()) return;
    state = to;
    reason = why;
    pace.stop();
    stop.abort();
    seen = null;
    const time = new Date(options.now()).toISOString();
    options.ended({ observation: name, time, kind: 'observation_ended', state, reason });
    wake();
  }

  /** False when it may not go on, or not now. */
  function mayLook(): boolean {
    if (owner.standing() === 'revoked') {
      buffer.clear();
      end('CANCELLED', 'The person took the permission back.');
    } else if (wish.place.app !== null && options.excluded(wish.place.app)) {
      buffer.clear();
      end('COMPLETED', 'The application is not open to agents any more.');
    }
    return alive() && held() === null;
  }

  async function seeing(): Promise<void> {
    started = performance.now();
    const before = seen;
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(LOOK_MS)]);
    const { seen: now, ms } = await look(options, wish, before, signal);
    // What was seen after the permission had gone is not used: the difference is told once it is back.
    if (!mayLook()) return;
    seen = now;
    trouble = null;
    const happened = before === null ? [] : compare(options, owner.agentId, before, now, wish);
    if (state === 'PENDING') state = 'ACTIVE';
    deliver(happened);
    const { why, unsure } = await whyOver(options, wish, now, stop.signal);
    pace.looked({ ms, found: happened.length > 0, again: unsure });
    if (why !== null) end('COMPLETED', why);
  }

  function deliver(happened: Happening[]): void {
    const time = new Date(options.now()).toISOString();
    for (const { kind, event, fields, changes, app } of happened) {
      const told = { observation: name, time, kind, ...(event === undefined ? {} : { event }), ...fields };
      const numbered = buffer.add({ ...told, ...(changes === undefined ? {} : { changes }) }, app);
      if (!options.excluded(app)) options.tell(numbered);
    }
    if (happened.length > 0) wake();
  }

  /** Never rejects. */
  async function tryLook(): Promise<void> {
    if (!mayLook()) return;
    try {
      await options.lane(seeing);
    } catch (thrown) {
      await failed(thrown);
    }
  }

  async function failed(thrown: unknown): Promise<void> {
    if (!alive()) return;
    const failure = await failureOf(options, wish, thrown, stop.signal);
    if (!alive()) return;
    if (failure.state !== null) return end(failure.state, failure.words);
    trouble = failure.words;
    pace.looked({ ms: performance.now() - started, found: false, again: true });
  }

  return {
    wish,
    owner,
    alive,
    held,
    end,
    async start() {
      try {
        await options.lane(seeing);
      } catch (thrown) {
        const failure = await failureOf(options, wish, thrown, stop.signal);
        if (!alive() || failure.state !== null || !failure.passing) throw thrown;
        trouble = failure.words;
      }
      if (alive()) pace.start();
    },
    hint({ kind, pid }) {
      const mine = pid === null || wish.place.app === null || pid === wish.place.app.pid;
      const wanted =
        watchesElements(wish) ||
        (kind === 'windows' && wish.types.includes('window_changes')) ||
        (kind === 'applications' && wish.types.includes('application_changes'));
      if (mine && wanted && alive()) pace.hint();
    },
    info: (expires) => ({
      name,
      state,
      types: [...wish.types],
      parent: wish.place.parent,
      created,
      poll_interval_ms: pace.interval(),
      last_sequence: buffer.last,
      expires: expires === null || !alive() ? null : new Date(expires).toISOString(),
      reason,
      notes: alive() ? notesOf(wish, { trouble, held: held(), interval: pace.interval(), seen }) : [],
    }),
    read(after) {
      const from = after ?? cursor;
      mayLook();
      if (held() !== null) return { events: [], dropped: 0, next: from, more: false };
      const batch = buffer.after(from, MOST_AT_ONCE, (app) => !options.excluded(app));
      cursor = batch.next;
      return batch;
    },
    news: (ms, signal) =>
      new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          waiting.delete(done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, ms);
        waiting.add(done);
        signal.addEventListener('abort', done, { once: true });
        if (signal.aborted || !alive()) done();
      }),
  };
}
