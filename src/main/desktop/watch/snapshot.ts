/** Reading what an observation watches, and comparing two readings. */
import { delay } from '../../../base/poll.js';
import { appsKey, compareApps, readApps, type AppsSnapshot } from './applications.js';
import { compareElements, readElements, shapeOf, type ElementsSnapshot, type SnapshotOptions } from './elements.js';
import { watchesElements, type DetectedChange, type WatchRequest } from './model.js';
import { compareWindows, readWindows, windowsKey, type WindowsSnapshot } from './windows.js';

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
