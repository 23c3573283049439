/** One observation: reads, compares with its last reading, numbers the changes, and ends. */
import { withFirstOf } from '../../../base/signal.js';
import type { App, ChangeHint } from '../../../native/desktop.js';
import type { ApprovalState } from '../../pipeline/context.js';
import type { Plan } from '../../approvals/plan.js';
import { createEventBuffer, type EventBatch } from './buffer.js';
import { failureOf, endReason } from './end.js';
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
import { createReadSchedule } from './schedule.js';
import { compareSnapshots, readStableSnapshot, type WatchSnapshot } from './snapshot.js';
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
