/** The life of one application: started or attached to, connected, asked for its tools, and connected to again until it is stopped. */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Welcome } from '../protocol/gabp.js';
import { type AppEvent, openAppConnection, type AppConnection } from './connection.js';
import { createEmitter } from '../../base/emitter.js';
import { delay } from '../../base/poll.js';
import { isRecord } from '../../base/type-guards.js';
import { formatEnglish, textOf } from '../../messages/index.js';
import { hasAttention, watchAttention, type AttentionWatch } from './attention.js';
import type { AppEntry } from './config.js';
import { launchApp, type LaunchDependencies, type Reachable, readBridgeFile, dial } from './launch.js';
import { listAppTools, type AppTool } from './tool-list.js';
import { plainWords } from '../protocol/characters.js';

// The latest events of an application, with how many are known to be lost. Numbers count in each channel, from whatever comes first.

interface KeptEvent extends AppEvent {
  /** Counts all events of the application, as they came. */
  position: number;
  at: string;
}

type EventLog = ReturnType<typeof createEventLog>;

const MAX_EVENTS = 500;
/** Characters of all kept payloads together. */
const MAX_CHARACTERS = 1_000_000;
const MAX_COUNTED_CHANNELS = 500;
/** Our own server's; the protocol has none. */
const REPLAY = 'replay';

export function createEventLog() {
  const news = createNews();
  const kept: (KeptEvent & { size: number })[] = [];
  const last = new Map<string, number>();
  let size = 0;
  let position = 0;
  let lost = 0;
  let fresh = new Set<string>();

  function drop(): void {
    const oldest = kept.shift();
    size -= oldest?.size ?? 0;
  }

  /** False for one that came before. */
  function count(channel: string, seq: number): boolean {
    const before = last.get(channel);
    const begins = before === undefined || !fresh.has(channel);
    fresh.add(channel);
    if (before !== undefined && !begins && seq <= before) return false;
    if (before !== undefined && !begins && seq > before + 1) lost += seq - before - 1;
    if (before !== undefined || last.size < MAX_COUNTED_CHANNELS) last.set(channel, seq);
    return true;
  }

  return {
    add({ channel, seq, payload }: AppEvent): void {
      if (seq !== null && !count(channel, seq)) return;
      const own = JSON.stringify(payload)?.length ?? 0;
      position += 1;
      if (own > MAX_CHARACTERS) return void (lost += 1);
      kept.push({ channel, seq, payload, position, at: new Date().toISOString(), size: own });
      size += own;
      while (kept.length > MAX_EVENTS || size > MAX_CHARACTERS) drop();
      news.add();
    },
    /** A new connection: numbers may begin anew. */
    reconnected: (): void => void (fresh = new Set()),
    /** What asks an application that keeps its events for those since the last one. */
    replay({ capabilities }: Welcome): { from?: Record<string, number> } {
      if (capabilities.extensions[REPLAY] === undefined || last.size === 0) return {};
      return { from: Object.fromEntries([...last].map(([channel, seq]) => [channel, seq + 1])) };
    },
    /** After `since`, oldest first. */
    read: (since: number, most: number, channel: string | null): KeptEvent[] =>
      kept
        .filter((one) => one.position > since && (channel === null || one.channel === channel))
        .slice(0, most)
        .map(({ size: _size, ...event }) => event),
    /** Known from gaps in their numbers. */
    lost: (): number => lost,
    /** Events have come; told once a second at most. */
    onNews: news.on,
    close: news.close,
  };
}

// Says that an application has sent events, and never more often than once a second, however many there are.

const INTERVAL_MS = 1_000;

export function createNews() {
  const told = createEmitter<void>(() => undefined);
  let timer: NodeJS.Timeout | null = null;
  let again = false;

  function tellNow(): void {
    again = false;
    timer = setTimeout(() => {
      timer = null;
      if (again) tellNow();
    }, INTERVAL_MS);
    timer.unref();
    told.emit();
  }

  return {
    on: told.on,
    /** An event has come. */
    add(): void {
      if (timer === null) tellNow();
      else again = true;
    },
    close(): void {
      if (timer !== null) clearTimeout(timer);
    },
  };
}

// What each agent was told of an application's resources, by a call that was allowed: only that is in its list of resources. Bounded.

export interface ToldResource {
  uri: string;
  name: string;
  description?: string | undefined;
  mime_type?: string | undefined;
}

type ToldResources = ReturnType<typeof createToldResources>;

const MAX_AGENTS = 50;
const MAX_RESOURCES = 100;

function createToldResources() {
  const told = new LRUCache<string, readonly ToldResource[]>({ max: MAX_AGENTS });
  return {
    /** In place of what it was told before. */
    tell: (agentId: string, resources: readonly ToldResource[]): void =>
      void told.set(agentId, resources.slice(0, MAX_RESOURCES)),
    of: (agentId: string): readonly ToldResource[] => told.get(agentId) ?? [],
    clear: (): void => told.clear(),
  };
}

// The latest lines of an application and of its connection. What it wrote is kept without hidden characters.

const MAX_LINES = 200;
const MAX_LINE_CHARS = 500;

type AppLog = ReturnType<typeof createLog>;

function createLog() {
  const lines: { at: string; text: string }[] = [];
  return {
    add(line: string): void {
      lines.push({ at: new Date().toISOString(), text: plainWords(line, MAX_LINE_CHARS) });
      if (lines.length > MAX_LINES) lines.shift();
    },
    /** Oldest first. */
    lines: (): { at: string; text: string }[] => [...lines],
  };
}

/** An application that runs already. Its file is read for each connection, because a restart makes a new token. */
function attachTo(file: string, { processes }: Pick<LaunchDependencies, 'processes'>): Reachable {
  return {
    gone: new Promise(() => undefined),
    end: async () => undefined,
    async dial(signal) {
      const { token, launchId, address } = readBridgeFile(file);
      return { transport: await dial(address, processes, signal), token, launchId: launchId ?? randomUUID() };
    },
  };
}

const FIRST_MS = 250;
const MAX_MS = 30_000;
/** Each wait is up to this part shorter or longer, so that several applications do not return at once. */
const JITTER = 0.25;

/** How long to wait before trying again, after so many failures in a row. `random`: from 0 to 1. */
export function backoffMs(failures: number, random: number): number {
  const wait = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(failures, 30));
  return Math.round(wait * (1 + JITTER * (2 * random - 1)));
}

export type AppState = 'starting' | 'connected' | 'waiting' | 'stopped';

export interface RunningApp {
  readonly name: string;
  readonly entry: AppEntry;
  readonly log: AppLog;
  readonly events: EventLog;
  readonly told: ToldResources;
  state(): AppState;
  /** null while it is not connected. */
  connection(): AppConnection | null;
  /** What it said last that it can do; empty while it is not connected. */
  tools(): readonly AppTool[];
  readonly attention: Pick<AttentionWatch, 'now' | 'check'>;
  /** State, tools or attention have changed. */
  onChange(listener: () => void): () => void;
  /** Ends the connection, and the application where Chaperone started it. */
  stop(): Promise<void>;
}

export interface AppDependencies extends Omit<LaunchDependencies, 'onOutput'> {
  version: string;
  now(): number;
  /** From 0 to 1. */
  random(): number;
  /** Rejects with the signal's reason. */
  delay(ms: number, signal: AbortSignal): Promise<void>;
}

/** A connection that lasted this long was a good one: the next wait is a short one again. */
const GOOD_MS = 30_000;
const LIST_MS = 30_000;
/** Events that say that the list of tools may be another. */
const TOOLS_CHANGED: ReadonlySet<string> = new Set([
  'tools/changed',
  'tools/list_changed',
  'system/capabilities_changed',
]);
/** Its channels; what their events carry is not used, but asked for. */
const ATTENTION = /^attention\//;
const MAX_CHANNELS = 100;

export const realTime: Pick<AppDependencies, 'now' | 'random' | 'delay'> = {
  now: () => performance.now(),
  random: Math.random,
  delay,
};

export function runApp(name: string, entry: AppEntry, deps: AppDependencies): RunningApp {
  const stopping = new AbortController();
  const [log, events, told] = [createLog(), createEventLog(), createToldResources()];
  const changes = createEmitter<void>(() => undefined);
  let state: AppState = 'starting';
  let connection: AppConnection | null = null;
  let tools: readonly AppTool[] = [];
  const attention = watchAttention(() => connection, changes.emit);

  function set(next: AppState, now: AppConnection | null = null, listed: readonly AppTool[] = []): void {
    if (now !== connection) {
      attention.clear();
      told.clear();
    }
    [state, connection, tools] = [next, now, listed];
    changes.emit();
  }

  async function serve(opened: AppConnection, signal: AbortSignal): Promise<void> {
    const limit = { timeoutMs: LIST_MS, signal };
    const list = async (): Promise<void> => {
      const listed = await listAppTools(opened, entry, limit);
      if (listed.dropped > 0) log.add(`${listed.dropped} tools are not usable`);
      if (!signal.aborted) set('connected', opened, listed.tools);
    };
    const onError = (thrown: unknown): void => log.add(wordsOf(thrown));
    const again = onceAtATime(list, onError);
    const look = onceAtATime(async () => void (await attention.check(signal)), onError);
    opened.onEvent((event) => {
      events.add(event);
      if (TOOLS_CHANGED.has(event.channel)) again();
      if (ATTENTION.test(event.channel)) look();
    });
    events.reconnected();
    await list();
    log.add(`connected: ${opened.welcome.claim}`);
    await subscribe(opened, limit);
    if (hasAttention(opened)) look();
  }

  async function subscribe({ welcome, request }: AppConnection, limit: Parameters<AppConnection['request']>[2]) {
    const channels = [...new Set(welcome.capabilities.events)].slice(0, MAX_CHANNELS);
    if (channels.length === 0) return;
    try {
      const left = leftOut(channels, await request('events/subscribe', { channels, ...events.replay(welcome) }, limit));
      if (left.length > 0) log.add(`tells nothing of ${left.join(', ')}`);
    } catch (thrown) {
      log.add(wordsOf(thrown));
    }
  }

  /** One connection, from its beginning to its end. Resolves with how long it lasted. */
  async function connectOnce(reachable: Reachable): Promise<number> {
    const ending = new AbortController();
    const signal = AbortSignal.any([stopping.signal, ending.signal]);
    const { transport, token, launchId } = await reachable.dial(signal);
    const opened = await openAppConnection(transport, { token, launchId, version: deps.version, signal });
    const since = deps.now();
    const close = (): void => opened.close('stopped');
    stopping.signal.addEventListener('abort', close, { once: true });
    try {
      await serve(opened, signal);
    } catch (thrown) {
      opened.close('no list of tools');
      throw thrown;
    } finally {
      const reason = await opened.closed;
      if (reason !== null) log.add(reason);
      stopping.signal.removeEventListener('abort', close);
      ending.abort();
    }
    return deps.now() - since;
  }

  async function keepConnected(reachable: Reachable): Promise<void> {
    let gone = false;
    void reachable.gone.then((status) => {
      gone = true;
      log.add(`ended: ${status}`);
    });
    for (let failures = 0; !stopping.signal.aborted && !gone; failures++) {
      try {
        const lasted = await connectOnce(reachable);
        if (lasted >= GOOD_MS) failures = 0;
      } catch (thrown) {
        if (!stopping.signal.aborted) log.add(wordsOf(thrown));
      }
      if (stopping.signal.aborted) return;
      set('waiting');
      const wait = deps.delay(backoffMs(failures, deps.random()), stopping.signal);
      await Promise.race([wait.catch(() => undefined), reachable.gone]);
    }
  }

  async function live(): Promise<void> {
    const { launch, attach } = entry;
    const onOutput = (line: string): void => log.add(line);
    const reachable =
      launch === undefined
        ? attachTo(attach?.bridgeFile ?? '', deps)
        : await launchApp(name, launch, { ...deps, onOutput });
    try {
      await keepConnected(reachable);
    } finally {
      events.close();
      await reachable.end();
    }
  }

  const ended = live()
    .catch((thrown: unknown) => log.add(wordsOf(thrown)))
    .finally(() => set('stopped'));

  return {
    name,
    entry,
    log,
    events,
    told,
    state: () => state,
    connection: () => connection,
    tools: () => tools,
    attention,
    onChange: changes.on,
    async stop() {
      stopping.abort(new Error('stopped'));
      await ended;
    },
  };
}

/** For the log, which holds what applications say as well. */
const wordsOf = (thrown: unknown): string => formatEnglish(textOf(thrown));

/** Channels that it announced and did not subscribe. One that says nothing of them is believed. */
function leftOut(channels: readonly string[], answer: unknown): string[] {
  const { subscribed } = isRecord(answer) ? answer : {};
  return Array.isArray(subscribed) ? channels.filter((channel) => !subscribed.includes(channel)) : [];
}

/** Runs `work`; asked again meanwhile, once more after it. */
function onceAtATime(work: () => Promise<void>, onError: (thrown: unknown) => void): () => void {
  let running = false;
  let wanted = false;
  return function ask(): void {
    if (running) {
      wanted = true;
      return;
    }
    running = true;
    work()
      .catch(onError)
      .finally(() => {
        running = false;
        if (!wanted) return;
        wanted = false;
        ask();
      });
  };
}
