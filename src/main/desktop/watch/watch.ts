/** One observation: reads, compares with its last reading, numbers the changes, and ends. */
import { withFirstOf } from '../../../base/poll.js';
import type { App, ChangeHint } from '../../../native/desktop.js';
import type { ApprovalState } from '../../pipeline/context.js';
import type { Plan } from '../../approvals/plan.js';
import { failureOf, endReason, compareSnapshots, readStableSnapshot, type WatchSnapshot } from './snapshot.js';
import {
  watchesElements,
  type DetectedChange,
  type ObservationInfo,
  type PlainEvent,
  type WatchedEvent,
  type WatchState,
  type WatchRequest,
  INTERVAL_MS,
} from './model.js';
import type { SnapshotOptions } from './elements.js';

interface Facts {
  lastFailure: string | null;
  suspendedReason: string | null;
  interval: number;
  seen: WatchSnapshot | null;
}

/** What an agent should know about the limits of its observation. */
function notesOf(request: WatchRequest, { lastFailure, suspendedReason, interval, seen }: Facts): string[] {
  const { intervalMs, requestedIntervalMs, roles, types } = request;
  return [
    ...(requestedIntervalMs === intervalMs
      ? []
      : [
          `The interval is kept between ${INTERVAL_MS.min} and ${INTERVAL_MS.max} ms; ${requestedIntervalMs} was requested.`,
        ]),
    ...(interval > intervalMs ? [`Reading takes long, so it is repeated every ${interval} ms only.`] : []),
    ...(seen?.elements?.truncated === true
      ? ['Too large to read whole: added and removed elements are not reported. Watch one window or element.']
      : []),
    ...(roles.length > 0 && !watchesElements({ types }) ? ['`roles` has no effect: no elements are watched.'] : []),
    ...(lastFailure === null ? [] : [`The last reading failed: ${lastFailure}`]),
    ...(suspendedReason === null ? [] : [`No events are reported now: ${suspendedReason}`]),
  ];
}

/** Waiters that are resumed together: by `wake`, after their time, or when their signal is aborted. Never rejects. */
function createWakeups() {
  const waiters = new Set<() => void>();
  return {
    wake(): void {
      for (const waiter of [...waiters]) waiter();
    },
    next: (ms: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          waiters.delete(done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, ms);
        waiters.add(done);
        signal.addEventListener('abort', done, { once: true });
        if (signal.aborted) done();
      }),
  };
}

export interface WatchOwner {
  agentId: string;
  /** Checked before each reading and each delivery. */
  approvalState(): ApprovalState;
  /** The plan that was approved. */
  plan: Plan | null;
}

export interface WatchOptions extends SnapshotOptions {
  /** Why no agent may read the desktop now; null if it may. */
  suspendedReason(): string | null;
  /** The person keeps agents out of this application. */
  excluded(app: App): boolean;
  /** Limits concurrent readings. */
  limit<T>(work: () => Promise<T>): Promise<T>;
  activeCount(): number;
  /** Epoch milliseconds. */
  now(): number;
  onEvent(event: WatchedEvent): void;
  onEnded(event: PlainEvent): void;
}

export interface Watch {
  readonly request: WatchRequest;
  readonly owner: WatchOwner;
  /** First reading; reports nothing. Rejects if the target does not exist; stays PENDING if it does not answer yet. */
  start(): Promise<void>;
  hint(hint: ChangeHint): void;
  info(expires: number | null): ObservationInfo;
  alive(): boolean;
  /** Why no events are delivered now; null if they are. */
  suspendedReason(): string | null;
  read(after: number | null): EventBatch;
  end(state: Exclude<WatchState, 'PENDING' | 'ACTIVE'>, reason: string): void;
  /** Resolves when there are new events, or after `ms`. */
  waitForEvents(ms: number, signal: AbortSignal): Promise<void>;
}

const READ_TIMEOUT_MS = 5000;
const MAX_BATCH = 100;
const END_STATES: ReadonlySet<WatchState> = new Set(['COMPLETED', 'CANCELLED', 'FAILED']);

export function createWatch(name: string, request: WatchRequest, owner: WatchOwner, options: WatchOptions): Watch {
  const created = new Date(options.now()).toISOString();
  const buffer = createEventBuffer();
  const stop = new AbortController();
  const wakeups = createWakeups();
  let state: WatchState = 'PENDING';
  let reason: string | null = null;
  const last: { failure: string | null; snapshot: WatchSnapshot | null } = { failure: null, snapshot: null };
  let cursor = 0;
  let started = performance.now();
  const schedule = createReadSchedule(() => tryRead(), { intervalMs: request.intervalMs, active: options.activeCount });

  const alive = () => !END_STATES.has(state);
  const suspendedReason = () => suspensionOf(owner, options);

  function end(to: WatchState, why: string): void {
    if (!alive()) return;
    state = to;
    reason = why;
    schedule.stop();
    stop.abort();
    last.snapshot = null;
    const time = new Date(options.now()).toISOString();
    options.onEnded({ observation: name, time, kind: 'observation_ended', state, reason });
    wakeups.wake();
  }

  /** Ends the observation if its approval was revoked or its application excluded. */
  function mayRead(): boolean {
    if (owner.approvalState() === 'revoked') {
      buffer.clear();
      end('CANCELLED', 'The person revoked the permission.');
    } else if (request.scope.app !== null && options.excluded(request.scope.app)) {
      buffer.clear();
      end('COMPLETED', 'The application is not open to agents any more.');
    }
    return alive() && suspendedReason() === null;
  }

  async function readAndDeliver(): Promise<void> {
    started = performance.now();
    const before = last.snapshot;
    const known = { snapshot: before, hinted: schedule.isHinted(), hints: schedule.hints };
    const limits = [stop.signal, AbortSignal.timeout(READ_TIMEOUT_MS)];
    const { seen: now, ms } = await withFirstOf(limits, new AbortController(), (signal) =>
      readStableSnapshot(options, request, known, signal),
    );
    // A reading made after the permission went is discarded; the change is reported once it is back.
    if (!mayRead()) return;
    last.snapshot = now;
    last.failure = null;
    const happened = before === null ? [] : compareSnapshots(options, owner.agentId, before, now, request);
    if (state === 'PENDING') state = 'ACTIVE';
    deliver({ name, options, buffer, wakeups }, happened);
    const { why, unsure } = await endReason(options, request, now, stop.signal);
    schedule.completed({ ms, found: happened.length > 0, again: unsure });
    if (why !== null) end('COMPLETED', why);
  }

  /** Never rejects. */
  async function tryRead(): Promise<void> {
    if (!mayRead()) return;
    try {
      await options.limit(readAndDeliver);
    } catch (thrown) {
      await onReadFailed(thrown);
    }
  }

  async function onReadFailed(thrown: unknown): Promise<void> {
    if (!alive()) return;
    const failure = await failureOf(options, request, thrown, stop.signal);
    if (!alive()) return;
    if (failure.state !== null) return end(failure.state, failure.reason);
    last.failure = failure.reason;
    schedule.completed({ ms: performance.now() - started, found: false, again: true });
  }

  return {
    request,
    owner,
    alive,
    suspendedReason,
    end,
    async start() {
      try {
        await options.limit(readAndDeliver);
      } catch (thrown) {
        const failure = await failureOf(options, request, thrown, stop.signal);
        if (!alive() || failure.state !== null || !failure.temporary) throw thrown;
        last.failure = failure.reason;
      }
      if (alive()) schedule.start();
    },
    hint({ kind, pid, isLaidOut = false }) {
      const mine = pid === null || request.scope.app === null || pid === request.scope.app.pid;
      const wanted =
        watchesElements(request) ||
        (kind === 'windows' && request.types.includes('window_changes')) ||
        (kind === 'applications' && request.types.includes('application_changes'));
      if (mine && wanted && alive()) schedule.hint(isLaidOut);
    },
    info: (expires) => ({
      name,
      state,
      types: [...request.types],
      parent: request.scope.parent,
      created,
      poll_interval_ms: schedule.interval(),
      last_sequence: buffer.last,
      expires: expires === null || !alive() ? null : new Date(expires).toISOString(),
      reason,
      notes: alive()
        ? notesOf(request, {
            lastFailure: last.failure,
            suspendedReason: suspendedReason(),
            interval: schedule.interval(),
            seen: last.snapshot,
          })
        : [],
    }),
    read(after) {
      const from = after ?? cursor;
      mayRead();
      if (suspendedReason() !== null) return { events: [], dropped: 0, next: from, more: false };
      const batch = buffer.after(from, MAX_BATCH, (app) => !options.excluded(app));
      cursor = batch.next;
      return batch;
    },
    waitForEvents: (ms, signal) => (alive() ? wakeups.next(ms, signal) : Promise.resolve()),
  };
}

function suspensionOf(owner: WatchOwner, options: WatchOptions): string | null {
  return owner.approvalState() === 'paused' ? 'The person has paused agents.' : options.suspendedReason();
}

interface Delivery {
  name: string;
  options: WatchOptions;
  buffer: ReturnType<typeof createEventBuffer>;
  wakeups: ReturnType<typeof createWakeups>;
}

function deliver({ name, options, buffer, wakeups }: Delivery, happened: DetectedChange[]): void {
  const time = new Date(options.now()).toISOString();
  for (const { kind, event, fields, changes, app } of happened) {
    const plain = { observation: name, time, kind, ...(event === undefined ? {} : { event }), ...fields };
    const numbered = buffer.add({ ...plain, ...(changes === undefined ? {} : { changes }) }, app);
    if (!options.excluded(app)) options.onEvent(numbered);
  }
  if (happened.length > 0) wakeups.wake();
}

interface EventBatch {
  events: WatchedEvent[];
  /** Events that are no longer kept, or that the agent may no longer see. */
  dropped: number;
  /** Pass as `after` next time. */
  next: number;
  /** More events are available now. */
  more: boolean;
}

interface BufferedEvent {
  event: WatchedEvent;
  app: App;
  size: number;
}

interface EventBuffer {
  /** Returns the event with its sequence number. */
  add(event: PlainEvent, app: App): WatchedEvent;
  /** Events after this number whose application is still `open`. */
  after(sequence: number, most: number, open: (app: App) => boolean): EventBatch;
  readonly last: number;
  clear(): void;
}

const MAX_EVENTS = 500;
const MAX_CHARACTERS = 500_000;

/** The latest events. The oldest are dropped at the limits, and readers get the number of dropped events. */
function createEventBuffer(): EventBuffer {
  let kept: BufferedEvent[] = [];
  let size = 0;
  let last = 0;

  function trim(): void {
    while (kept.length > MAX_EVENTS || (size > MAX_CHARACTERS && kept.length > 1)) size -= kept.shift()?.size ?? 0;
  }

  return {
    add(event, app) {
      last += 1;
      const numbered = { ...event, sequence: last };
      const own = JSON.stringify(numbered).length;
      kept.push({ event: numbered, app, size: own });
      size += own;
      trim();
      return numbered;
    },
    after(sequence, most, open) {
      const from = Math.min(Math.max(0, sequence), last);
      const asked = kept.filter(({ event }) => event.sequence > from);
      const visible = asked.filter(({ app }) => open(app)).slice(0, most);
      const more = asked.filter(({ app }) => open(app)).length > visible.length;
      const next = more ? (visible.at(-1)?.event.sequence ?? from) : last;
      return { events: visible.map(({ event }) => event), dropped: next - from - visible.length, next, more };
    },
    get last() {
      return last;
    },
    clear() {
      kept = [];
      size = 0;
    },
  };
}

/** When to read: a frame after a hint, else every interval. Reading takes a bounded share of the time, except for a few readings in a row, and hints without changes slow it down. */
export interface ReadSchedule {
  start(): void;
  /** `isLaidOut`: a reading need not wait for the next frame. */
  hint(isLaidOut?: boolean): void;
  /** After each reading. `found`: there were changes; `again`: read again soon (it failed, or the target may be ending). */
  completed(took: { ms: number; found: boolean; again: boolean }): void;
  /** Whether a hint led to the reading that runs. */
  isHinted(): boolean;
  /** How many hints have come so far. */
  hints(): number;
  /** Milliseconds between readings without a hint, at present. */
  interval(): number;
  stop(): void;
}

/** A frame: what has just changed is laid out by then. */
const AFTER_HINT_MS = 16;
const MAX_REST_MS = 30_000;
/** Rest after a reading, as a multiple of its duration, for each active observation. */
const REST_PER_READ = 3;
/** After a hint, rests are put off while they are no longer than this together. */
const MAX_OWED_REST_MS = 1000;
const MAX_DOUBLINGS = 9;
/** Hints do not arrive at once after the start: these readings cover the gap. */
const INITIAL_READS_MS = [300, 1500];
const RETRY_MS = { first: 150, max: 10_000 };

export function createReadSchedule(
  read: () => Promise<void>,
  options: { intervalMs: number; active(): number },
): ReadSchedule {
  let timer: NodeJS.Timeout | null = null;
  let at = Infinity;
  let lastReadAt = 0;
  const initialReads = [...INITIAL_READS_MS];
  let lastReadMs = 0;
  let restOwedUntil = 0;
  let readsWithoutChange = 0;
  let soonReads = 0;
  let hints = 0;
  let hinted = false;
  let wasHinted = false;
  let reading = false;
  let stopped = false;

  const minRestMs = () => Math.min(MAX_REST_MS, lastReadMs * REST_PER_READ * Math.max(1, options.active()));
  const retryMs = () =>
    soonReads === 0 ? Infinity : Math.min(RETRY_MS.max, RETRY_MS.first * 2 ** Math.min(soonReads, MAX_DOUBLINGS));
  const interval = () => Math.round(Math.max(options.intervalMs, minRestMs()));
  const nextReadMs = () => Math.max(minRestMs(), Math.min(interval(), retryMs(), initialReads.shift() ?? Infinity));
  const restAfterHintMs = () => {
    const owed = restOwedUntil - lastReadAt - MAX_OWED_REST_MS;
    return Math.min(interval(), Math.max(owed, AFTER_HINT_MS * 2 ** Math.min(readsWithoutChange, MAX_DOUBLINGS)));
  };

  function arm(when: number): void {
    if (stopped || (timer !== null && when >= at)) return;
    if (timer !== null) clearTimeout(timer);
    at = when;
    timer = setTimeout(() => void tick(), Math.max(0, when - performance.now())).unref();
  }

  async function tick(): Promise<void> {
    timer = null;
    reading = true;
    wasHinted = hinted;
    hinted = false;
    await read();
    reading = false;
    // A whole interval without a hint: the next hint counts fully again.
    if (!wasHinted) readsWithoutChange = 0;
    lastReadAt = performance.now();
    restOwedUntil = Math.max(lastReadAt, restOwedUntil) + minRestMs();
    arm(lastReadAt + (hinted ? restAfterHintMs() : nextReadMs()));
  }

  return {
    start: () => arm(performance.now() + nextReadMs()),
    hint(isLaidOut = false) {
      hints += 1;
      hinted = true;
      const earliest = performance.now() + (isLaidOut ? 0 : AFTER_HINT_MS);
      if (timer !== null && !reading) arm(Math.max(earliest, lastReadAt + restAfterHintMs()));
    },
    completed({ ms, found, again }) {
      lastReadMs = ms;
      readsWithoutChange = found ? 0 : readsWithoutChange + 1;
      soonReads = again ? soonReads + 1 : 0;
    },
    isHinted: () => wasHinted,
    hints: () => hints,
    interval,
    stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
