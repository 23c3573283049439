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
const MAX_SETTLE_MS = 600;

/**
 * Reads again until two readings are equal, for at most {@link MAX_SETTLE_MS}: a window may be moving, a list may be rebuilt.
 * `ms` is the time of the first reading.
 */
export async function readStableSnapshot(
  options: SnapshotOptions,
  request: WatchRequest,
  before: WatchSnapshot | null,
  signal: AbortSignal,
): Promise<{ seen: WatchSnapshot; ms: number }> {
  const start = performance.now();
  let seen = await readSnapshot(options, request, before, signal);
  const ms = performance.now() - start;
  if (before === null || keyOf(seen) === keyOf(before)) return { seen, ms };
  while (performance.now() < start + MAX_SETTLE_MS) {
    await delay(REREAD_MS, signal);
    const again = await readSnapshot(options, request, before, signal);
    const same = keyOf(again) === keyOf(seen);
    seen = again;
    if (same) break;
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

const keyOf = ({ apps, windows, elements }: WatchSnapshot): string =>
  [
    apps === null ? '' : appsKey(apps),
    windows === null ? '' : windowsKey(windows),
    elements === null ? '' : shapeOf(elements),
  ].join('\n');

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
