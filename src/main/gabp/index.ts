/**
 * The GABP client: Chaperone as the bridge of other applications and games. Comes in: `gabp-apps.json`, and whoever asks for one of
 * them. Goes out: their tools, which `calls/` runs as its own. Nothing is started or connected to that a person has not confirmed.
 */
import { join } from 'node:path';
import { createEmitter } from '../../base/emitter.js';
import { message, textOf, type Message } from '../../messages/index.js';
import { filesChanged } from '../pipeline/file-identity.js';
import type { Caller } from '../approvals/request.js';
import { WireError } from '../protocol/index.js';
import type { Tool } from '../tools/tool.js';
import { runApp, type AppDependencies, type AppState, type RunningApp, type ToldResource } from './app.js';
import { appTools } from './app-tools.js';
import {
  confirmEntry,
  entryPlace,
  type AskPerson,
  createConfirmations,
  entryDigest,
  type Confirmations,
} from './confirmations.js';
import { acknowledge, type Attention } from './attention.js';
import { connectedTo } from './tool-call.js';
import { readAppEntries, type AppEntry } from './config.js';
import { codeOf, type LaunchedCode } from './launched-code.js';

export { realTime } from './app.js';
export type { ToldResource } from './app.js';

export interface ShownApp {
  name: string;
  state: AppState | 'asking';
  kind: 'launch' | 'attach';
  /** The program, or the file that says where it listens. */
  place: string;
  start: AppEntry['start'];
  /** A person has confirmed the entry as it is in the file now. */
  confirmed: boolean;
  /** What it calls itself; null while it is not connected. */
  claim: string | null;
  tools: number;
  /** It has begun in this host, so that there is a log. */
  hasLog: boolean;
  /** What it wants seen before it is called again. */
  attention: Attention | null;
}

export interface GabpApps {
  /** Throws WireError where the file cannot be used. */
  list(): ShownApp[];
  /**
   * Asks the person where they have not confirmed the entry as it is, or, with `always`, in any case. Resolves once it is started;
   * `caller`: who asks. Rejects with WireError.
   */
  start(name: string, by: { caller: Caller; always: boolean }, signal: AbortSignal): Promise<void>;
  /** Rejects with WireError where it does not run. */
  stop(name: string, caller: Caller): Promise<void>;
  log(name: string): { at: string; text: string }[];
  /** Tells it that a person has seen this. Rejects with WireError where that is not what it wants seen now. */
  acknowledge(name: string, id: string, signal: AbortSignal): Promise<void>;
  /** Of all connected applications. */
  tools(): readonly Tool[];
  /** Resources of connected applications that this agent was told of. */
  toldResources(agentId: string): (ToldResource & { app: string })[];
  onToolsChanged(listener: () => void): () => void;
  /** This application has sent events since it was last told, which is once a second at most. */
  onNews(listener: (app: string) => void): () => void;
  onChange(listener: () => void): () => void;
  /** Starts those that are to start with the host; resolves when that has begun. */
  startAll(caller: Caller): void;
  /** Ends all connections and what was started. */
  close(): Promise<void>;
}

export interface GabpAppsOptions extends Omit<AppDependencies, 'folders'> {
  folders: AppDependencies['folders'] & { config: string };
  askPerson: AskPerson;
  /** Earlier confirmations do not count: whoever started this host chose the folders. */
  narrow: boolean;
  /** Names of Chaperone's own tools. */
  reserved: ReadonlySet<string>;
  assertNoOwnFile(given: unknown): void;
  /** Rejects when it is not on disk: then nothing is started. */
  record(line: ApplicationLine): Promise<void>;
  onError(thrown: unknown): void;
}

/** A line of the audit log. */
interface ApplicationLine {
  event: 'confirmed' | 'denied' | 'started' | 'stopped';
  name: string;
  digest: string;
  place: string;
  askedBy: Caller['peer'];
}

interface Running {
  app: RunningApp;
  digest: string;
  stopListening(): void;
}

export function createGabpApps(options: GabpAppsOptions): GabpApps {
  const file = join(options.folders.config, 'gabp-apps.json');
  const confirmations = openConfirmations(options);
  const running = new Map<string, Running>();
  /** Asked about, and those whose line is being written. */
  const [asking, starting] = [new Set<string>(), new Set<string>()];
  const { changes, toolsChanged, news } = createEmitters(options.onError);
  const closing = new AbortController();
  const record = lineWriter(options);
  let tools: readonly Tool[] = [];

  function update(): void {
    const next = [...running.values()].flatMap(({ app, digest }) => appTools({ ...options, app, digest }));
    const changed = published(next) !== published(tools);
    tools = next;
    changes.emit();
    if (changed) toolsChanged.emit();
  }

  async function confirm(name: string, entry: AppEntry, caller: Caller, code: LaunchedCode, signal: AbortSignal) {
    if (asking.has(name)) throw refusal('asked_already', message('apps.asked_already', { app: name }));
    asking.add(name);
    changes.emit();
    try {
      const changed = confirmations.has(name, entry) ? confirmations.changed(name, code.files) : [];
      const { untold } = code;
      const agreed = await confirmEntry(options.askPerson, { name, entry, file, caller, changed, untold }, signal);
      await record(agreed ? 'confirmed' : 'denied', name, entry, caller);
      if (!agreed) throw refusal('denied', message('apps.not_confirmed', { app: name }));
      await assertSameCode(entry, code, options.env);
      confirmations.add(name, entry, code.files);
    } finally {
      asking.delete(name);
      changes.emit();
    }
  }

  async function start(
    name: string,
    { caller, always }: { caller: Caller; always: boolean },
    given: AbortSignal,
  ): Promise<void> {
    const signal = AbortSignal.any([given, closing.signal]);
    const entry = entries().get(name);
    if (entry === undefined) throw refusal('unknown_app', message('apps.unknown', { app: name, file }));
    const code = await codeOf(entry, options.env);
    if (always || !confirmations.stands(name, entry, code)) await confirm(name, entry, caller, code, signal);
    signal.throwIfAborted();
    const before = running.get(name);
    if (starting.has(name) || (before !== undefined && before.app.state() !== 'stopped'))
      throw refusal('runs_already', message('apps.runs_already', { app: name }));
    starting.add(name);
    await record('started', name, entry, caller)
      .then(() => assertSameCode(entry, code, options.env))
      .finally(() => starting.delete(name));
    signal.throwIfAborted();
    before?.stopListening();
    const app = runApp(name, entry, options);
    const stopListening = listenTo(app, update, news.emit);
    running.set(name, { app, digest: entryDigest(name, entry), stopListening });
    update();
  }

  return {
    list: () => [...entries()].map(([name, entry]) => shown(name, entry)),
    start,
    async stop(name, caller) {
      const app = find(name);
      await app.stop();
      update();
      await record('stopped', name, app.entry, caller);
    },
    log: (name) => find(name).log.lines(),
    acknowledge: async (name, id, signal) => acknowledgeOrThrow(find(name), id, signal),
    tools: () => tools,
    toldResources: (agentId) => [...running.values()].flatMap(({ app }) => toldOf(app, agentId)),
    onToolsChanged: toolsChanged.on,
    onNews: news.on,
    onChange: changes.on,
    startAll(caller) {
      for (const [name, entry] of entriesOrNone())
        if (entry.start === 'auto') start(name, { caller, always: false }, closing.signal).catch(options.onError);
    },
    async close() {
      closing.abort(new Error('the host is closing'));
      await Promise.allSettled([...running.values()].map(({ app }) => app.stop()));
    },
  };

  function entries(): Map<string, AppEntry> {
    try {
      return readAppEntries(file);
    } catch (thrown) {
      throw new WireError('DESKTOP_INVALID_REQUEST', textOf(thrown), {
        reason: 'bad_apps_file',
        next: 'Correct the file, then ask again.',
      });
    }
  }

  function entriesOrNone(): Map<string, AppEntry> {
    try {
      return entries();
    } catch (thrown) {
      options.onError(thrown);
      return new Map();
    }
  }

  function find(name: string): RunningApp {
    const found = running.get(name);
    if (found === undefined) throw refusal('not_running', message('apps.not_running', { app: name }));
    return found.app;
  }

  function shown(name: string, entry: AppEntry): ShownApp {
    const app = running.get(name)?.app;
    const { launch, start: when } = entry;
    return {
      name,
      state: asking.has(name) ? 'asking' : (app?.state() ?? 'stopped'),
      kind: launch === undefined ? 'attach' : 'launch',
      place: entryPlace(entry),
      start: when,
      confirmed: confirmations.has(name, entry),
      claim: app?.connection()?.welcome.claim ?? null,
      tools: app?.tools().length ?? 0,
      hasLog: app !== undefined,
      attention: app?.attention.now() ?? null,
    };
  }
}

/** Also where something was put beside it. */
async function assertSameCode(entry: AppEntry, code: LaunchedCode, env: GabpAppsOptions['env']): Promise<void> {
  if (JSON.stringify(await codeOf(entry, env)) !== JSON.stringify(code))
    throw filesChanged(code.files.map(({ path }) => path));
}

const createEmitters = (onError: GabpAppsOptions['onError']) => ({
  changes: createEmitter<void>(onError),
  toolsChanged: createEmitter<void>(onError),
  news: createEmitter<string>(onError),
});

function listenTo(app: RunningApp, onChange: () => void, onNews: (name: string) => void): () => void {
  const stops = [app.onChange(onChange), app.events.onNews(() => onNews(app.name))];
  return () => stops.forEach((stop) => stop());
}

const toldOf = ({ told, name }: RunningApp, agentId: string) => told.of(agentId).map((one) => ({ ...one, app: name }));

function openConfirmations({ narrow, folders, onError }: GabpAppsOptions): Confirmations {
  return createConfirmations(narrow ? null : join(folders.state, 'gabp-apps-confirmed.json'), onError);
}

const lineWriter =
  (options: Pick<GabpAppsOptions, 'record'>) =>
  (event: ApplicationLine['event'], name: string, entry: AppEntry, { peer }: Caller): Promise<void> =>
    options.record({ event, name, digest: entryDigest(name, entry), place: entryPlace(entry), askedBy: peer });

/** Everything that a list of tools would show. */
const published = (tools: readonly Tool[]): string =>
  JSON.stringify(
    tools.map(({ action }) => [action.name, action.title, action.description, action.effect, action.publishedInput]),
  );

const refusal = (reason: string, text: Message): WireError =>
  new WireError('DESKTOP_INVALID_REQUEST', text, { reason });

async function acknowledgeOrThrow(app: RunningApp, id: string, signal: AbortSignal): Promise<void> {
  const known = await acknowledge(connectedTo(app), id, signal).catch((thrown: unknown) => {
    throw signal.aborted ? thrown : notAcknowledged(app.name);
  });
  // For the page; that this was acknowledged, or not, stays so.
  await app.attention.check(signal).catch(() => null);
  if (!known) throw notAcknowledged(app.name);
}

const notAcknowledged = (app: string): WireError =>
  refusal('not_acknowledged', message('apps.not_acknowledged', { app }));
