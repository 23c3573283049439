/** Reading what an observation watches, and comparing two readings. */
import { delay } from '../../../base/poll.js';
import {
  compareElements,
  readElements,
  shapeOf,
  type ElementsSnapshot,
  type SnapshotOptions,
  comparableText,
  excerpt,
} from './elements.js';
import { watchesElements, type DetectedChange, type WatchRequest, windowNameOf, type ValueChange } from './model.js';
import { type App, type DesktopReader, type Window, DesktopError } from '../../../native/desktop.js';
import { isGone } from '../../pipeline/failures.js';
import { WireError } from '../../protocol/index.js';

export interface WatchSnapshot {
  apps: AppsSnapshot | null;
  windows: WindowsSnapshot | null;
  elements: ElementsSnapshot | null;
}

const REREAD_MS = 40;
const FRAME_MS = 16;
const MAX_SETTLE_MS = 600;

interface Previous {
  snapshot: WatchSnapshot | null;
  /** Whether a hint led to this reading. */
  hinted: boolean;
  /** How many hints have come so far. */
  hints(): number;
}

/**
 * Reads again until two readings are equal, for at most {@link MAX_SETTLE_MS}: a window may be moving, a list may be rebuilt.
 * Where the application told of a change, and of no other one during the reading, its elements are not read again.
 * `ms` is the time of the first reading.
 */
export async function readStableSnapshot(
  options: SnapshotOptions,
  request: WatchRequest,
  { snapshot: before, hinted, hints }: Previous,
  signal: AbortSignal,
): Promise<{ seen: WatchSnapshot; ms: number }> {
  const start = performance.now();
  let [last, from] = [before, hints()];
  let seen = await readSnapshot(options, request, before, signal);
  const ms = performance.now() - start;
  while (last !== null && keyOf(seen) !== keyOf(last) && performance.now() < start + MAX_SETTLE_MS) {
    const isTold = (hinted || hints() > from) && placesKeyOf(seen) === placesKeyOf(last);
    if (isTold && hints() === from) break;
    await delay(isTold ? FRAME_MS : REREAD_MS, signal);
    [last, from] = [seen, hints()];
    seen = await readSnapshot(options, request, before, signal);
  }
  return { seen, ms };
}

async function readSnapshot(
  options: SnapshotOptions,
  request: WatchRequest,
  before: WatchSnapshot | null,
  signal: AbortSignal,
): Promise<WatchSnapshot> {
  const { desktop, allWindows, isRunning } = options;
  const { types, scope } = request;
  return {
    apps: types.includes('application_changes')
      ? await readApps(desktop, isRunning, request, before?.apps ?? null, signal)
      : null,
    windows: types.includes('window_changes')
      ? await readWindows(desktop, allWindows, request, before?.windows ?? null, signal)
      : null,
    elements:
      watchesElements(request) && scope.app !== null ? await readElements(options, request, scope.app, signal) : null,
  };
}

const placesKeyOf = ({ apps, windows }: WatchSnapshot): string =>
  [apps === null ? '' : appsKey(apps), windows === null ? '' : windowsKey(windows)].join('\n');

const keyOf = (snapshot: WatchSnapshot): string =>
  [placesKeyOf(snapshot), snapshot.elements === null ? '' : shapeOf(snapshot.elements)].join('\n');

/** `agentId`: the agent that gets the events; references to elements are made for it. */
export function compareSnapshots(
  { references }: Pick<SnapshotOptions, 'references'>,
  agentId: string,
  before: WatchSnapshot,
  after: WatchSnapshot,
  request: WatchRequest,
): DetectedChange[] {
  const { app } = request.scope;
  return [
    ...(before.apps === null || after.apps === null ? [] : compareApps(before.apps, after.apps)),
    ...(before.windows === null || after.windows === null
      ? []
      : compareWindows(before.windows, after.windows, request)),
    ...(before.elements === null || after.elements === null || app === null
      ? []
      : compareElements(before.elements, after.elements, request, app, references(agentId))),
  ];
}

interface AppsSnapshot {
  byPid: ReadonlyMap<number, App>;
  /** Some are no longer listed, but their processes still run. */
  lingering: boolean;
}

/** An application that is no longer listed is kept while `isRunning`: it may have no window, or be hidden from agents. */
async function readApps(
  desktop: DesktopReader,
  isRunning: (app: App) => boolean,
  { scope }: WatchRequest,
  before: AppsSnapshot | null,
  signal: AbortSignal,
): Promise<AppsSnapshot> {
  const all = (await desktop.apps(signal)).filter(({ pid }) => scope.app === null || pid === scope.app.pid);
  const byPid = new Map(all.map((app) => [app.pid, app]));
  const lingering = [...(before?.byPid.values() ?? [])].filter((app) => !byPid.has(app.pid) && isRunning(app));
  for (const app of lingering) byPid.set(app.pid, { ...app, frontmost: false });
  return { byPid, lingering: lingering.length > 0 };
}

const appsKey = ({ byPid }: AppsSnapshot): string =>
  JSON.stringify([...byPid.values()].map(({ pid, frontmost }) => [pid, frontmost]).sort());

function compareApps(before: AppsSnapshot, after: AppsSnapshot): DetectedChange[] {
  const found: DetectedChange[] = [];
  // The kernel gives no start time for a process that is ending.
  const same = (one: App, other: App | undefined) =>
    other !== undefined && (one.startTime === other.startTime || one.startTime === '' || other.startTime === '');
  for (const [pid, app] of before.byPid) if (!same(app, after.byPid.get(pid))) found.push(appEvent(app, 'terminated'));
  for (const [pid, app] of after.byPid) {
    const was = before.byPid.get(pid);
    const known = same(app, was);
    if (!known) found.push(appEvent(app, 'launched'));
    const wasInFront = known && was?.frontmost === true;
    if (wasInFront !== app.frontmost) found.push(appEvent(app, app.frontmost ? 'activated' : 'deactivated'));
  }
  return found;
}

function appEvent(app: App, event: string): DetectedChange {
  const { pid, id, name } = app;
  return { kind: 'application_event', event, app, fields: { application: `applications/${pid}`, id, title: name } };
}

interface WindowsSnapshot {
  byId: ReadonlyMap<string, Window>;
  /** They still exist, but agents may no longer see them. */
  hidden: ReadonlySet<string>;
}

/** `allWindows` includes windows that agents may not see. */
async function readWindows(
  desktop: DesktopReader,
  allWindows: (signal: AbortSignal) => Promise<ReadonlyMap<string, number>>,
  { scope }: WatchRequest,
  before: WindowsSnapshot | null,
  signal: AbortSignal,
): Promise<WindowsSnapshot> {
  const inside = ({ id, app }: Window) =>
    (scope.app === null || app.pid === scope.app.pid) && (scope.windowId === null || id === scope.windowId);
  const all = (await desktop.windows(signal)).filter(inside);
  const byId = new Map(
    all.map((window) => [window.id, { ...withLastFrame(window, before), title: comparableText(window.title) }]),
  );
  const missing = [...(before?.byId.keys() ?? []), ...(before?.hidden ?? [])].filter((id) => !byId.has(id));
  const there = missing.length === 0 ? new Map<string, number>() : await allWindows(signal);
  return { byId, hidden: new Set(missing.filter((id) => there.has(id))) };
}

/** A minimised window has no place of its own: its last frame is kept for comparison. */
function withLastFrame(window: Window, before: WindowsSnapshot | null): Window {
  const was = before?.byId.get(window.id);
  return window.minimized && was !== undefined ? { ...window, frame: was.frame } : window;
}

const windowsKey = ({ byId, hidden }: WindowsSnapshot): string =>
  JSON.stringify([
    [...byId.values()].map(({ id, title, frame, minimized, focused }) => [id, title, frame, minimized, focused]).sort(),
    [...hidden],
  ]);

function compareWindows(
  before: WindowsSnapshot,
  after: WindowsSnapshot,
  { visibleOnly }: WatchRequest,
): DetectedChange[] {
  const found: DetectedChange[] = [];
  for (const [id, window] of before.byId)
    if (!after.byId.has(id)) found.push(windowEvent(window, after.hidden.has(id) ? 'hidden' : 'destroyed'));
  for (const [id, window] of after.byId) {
    const was = before.byId.get(id);
    if (was !== undefined) {
      if (!visibleOnly || !was.minimized || !window.minimized) found.push(...windowChanges(was, window));
      continue;
    }
    found.push(windowEvent(window, before.hidden.has(id) ? 'shown' : 'created'));
    if (window.focused) found.push(windowEvent(window, 'focused'));
  }
  return found;
}

function windowChanges(was: Window, now: Window): DetectedChange[] {
  const { x, y, width, height } = was.frame;
  const moved = now.frame.x !== x || now.frame.y !== y;
  const resized = now.frame.width !== width || now.frame.height !== height;
  const frame = [{ attribute: 'frame', before: was.frame, after: now.frame }];
  const title = [{ attribute: 'title', before: excerpt(was.title), after: excerpt(now.title) }];
  const document = [{ attribute: 'document', before: was.documentUrl, after: now.documentUrl }];
  return [
    ...(was.minimized !== now.minimized ? [windowEvent(now, now.minimized ? 'minimized' : 'restored')] : []),
    ...(moved ? [windowEvent(now, 'moved', frame)] : []),
    ...(resized ? [windowEvent(now, 'resized', frame)] : []),
    ...(was.title !== now.title ? [windowEvent(now, 'title_changed', title)] : []),
    ...(was.documentUrl !== now.documentUrl ? [windowEvent(now, 'document_changed', document)] : []),
    ...(was.focused !== now.focused ? [windowEvent(now, now.focused ? 'focused' : 'unfocused')] : []),
  ];
}

function windowEvent(window: Window, event: string, changes?: ValueChange[]): DetectedChange {
  return {
    kind: 'window_event',
    event,
    app: window.app,
    fields: {
      window: windowNameOf(window),
      title: excerpt(window.title),
      ...(window.normal ? {} : { popup: true }),
    },
    ...(changes === undefined ? {} : { changes }),
  };
}

// Whether an observation has to end, and what a failed reading means for it.

interface ReadFailure {
  /** null: reading is tried again. */
  state: 'COMPLETED' | 'FAILED' | null;
  /** The application has not answered in time; nothing is wrong otherwise. */
  temporary: boolean;
  reason: string;
}

type ReadState = Pick<SnapshotOptions, 'desktop' | 'isRunning'>;

const APP_ENDED = 'The application has ended.';
const NO_LONGER_ACCESSIBLE = 'It is not open to agents any more.';

/** Why the observation ends after a successful reading, or null. `unsure`: the target may be ending at this moment. */
export async function endReason(
  state: ReadState,
  request: WatchRequest,
  { apps, windows }: WatchSnapshot,
  signal: AbortSignal,
): Promise<{ why: string | null; unsure: boolean }> {
  const { app, windowId } = request.scope;
  const lingering = apps?.lingering === true;
  if (app === null) return { why: null, unsure: lingering };
  if (windowId !== null && windows !== null && !windows.byId.has(windowId))
    return { why: windows.hidden.has(windowId) ? NO_LONGER_ACCESSIBLE : 'The window is gone.', unsure: false };
  const missing = lingering || windows?.byId.size === 0 || apps?.byPid.has(app.pid) === false;
  if (!missing) return { why: null, unsure: false };
  const ended = await hasAppEnded(state, request, signal);
  return { why: ended ? APP_ENDED : null, unsure: !ended };
}

/** An application without a window has not ended. */
async function hasAppEnded(
  { desktop, isRunning }: ReadState,
  { scope }: WatchRequest,
  signal: AbortSignal,
): Promise<boolean> {
  const { app } = scope;
  if (app === null) return false;
  const listed = (await desktop.apps(signal)).some(({ pid }) => pid === app.pid);
  return !listed && !isRunning(app);
}

export async function failureOf(
  state: ReadState,
  request: WatchRequest,
  thrown: unknown,
  signal: AbortSignal,
): Promise<ReadFailure> {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof DesktopError && thrown.code === 'lost')
    return { state: 'FAILED', temporary: false, reason: message };
  if (thrown instanceof WireError && thrown.details['reason'] === 'protected')
    return { state: 'COMPLETED', temporary: false, reason: NO_LONGER_ACCESSIBLE };
  const ended = isGone(thrown) ? await missingTarget(state, request, signal).catch(() => null) : null;
  if (ended !== null) return { state: 'COMPLETED', temporary: false, reason: ended };
  const slow = thrown instanceof DesktopError && (thrown.code === 'not_responding' || thrown.code === 'timeout');
  const timedOut = thrown instanceof Error && thrown.name === 'TimeoutError';
  const temporary = slow || timedOut || thrown instanceof WireError;
  return { state: null, temporary, reason: timedOut ? 'The application does not answer.' : message };
}

async function missingTarget(state: ReadState, request: WatchRequest, signal: AbortSignal): Promise<string | null> {
  const { windowId, elementId } = request.scope;
  if (await hasAppEnded(state, request, signal)) return APP_ENDED;
  if (windowId !== null && !(await state.desktop.windows(signal)).some(({ id }) => id === windowId))
    return 'The window is gone.';
  return elementId === null ? null : 'The element is gone.';
}
