/** Reading what an observation watches, and comparing two readings. */
import { delay } from '../../../base/poll.js';
import { appsKey, compareApps, readApps } from './applications.js';
import type { AppsSnapshot } from './applications.js';
import { compareElements, readElements, shapeOf } from './elements.js';
import type { ElementsSnapshot, SnapshotOptions } from './elements.js';
import { watchesElements } from './model.js';
import type { DetectedChange, WatchRequest } from './model.js';
import { compareWindows, readWindows, windowsKey } from './windows.js';
import type { WindowsSnapshot } from './windows.js';

export interface Snapshot {
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
  wish: WatchRequest,
  before: Snapshot | null,
  signal: AbortSignal,
): Promise<{ seen: Snapshot; ms: number }> {
  const start = performance.now();
  let seen = await readSnapshot(options, wish, before, signal);
  const ms = performance.now() - start;
  if (before === null || keyOf(seen) === keyOf(before)) return { seen, ms };
  while (performance.now() < start + MAX_SETTLE_MS) {
    await delay(REREAD_MS, signal);
    const again = await readSnapshot(options, wish, before, signal);
    const same = keyOf(again) === keyOf(seen);
    seen = again;
    if (same) break;
  }
  return { seen, ms };
}

async function readSnapshot(
  options: SnapshotOptions,
  wish: WatchRequest,
  before: Snapshot | null,
  signal: AbortSignal,
): Promise<Snapshot> {
  const { desktop, allWindows: exist, isRunning: alive } = options;
  const { types, place } = wish;
  return {
    apps: types.includes('application_changes')
      ? await readApps(desktop, alive, wish, before?.apps ?? null, signal)
      : null,
    windows: types.includes('window_changes')
      ? await readWindows(desktop, exist, wish, before?.windows ?? null, signal)
      : null,
    elements: watchesElements(wish) && place.app !== null ? await readElements(options, wish, place.app, signal) : null,
  };
}

const keyOf = ({ apps, windows, elements }: Snapshot): string =>
  [
    apps === null ? '' : appsKey(apps),
    windows === null ? '' : windowsKey(windows),
    elements === null ? '' : shapeOf(elements),
  ].join('\n');

/** `agentId`: the agent that gets the events; references to elements are made for it. */
export function compareSnapshots(
  { references }: Pick<SnapshotOptions, 'references'>,
  agentId: string,
  before: Snapshot,
  after: Snapshot,
  wish: WatchRequest,
): DetectedChange[] {
  const { app } = wish.place;
  return [
    ...(before.apps === null || after.apps === null ? [] : compareApps(before.apps, after.apps)),
    ...(before.windows === null || after.windows === null ? [] : compareWindows(before.windows, after.windows, wish)),
    ...(before.elements === null || after.elements === null || app === null
      ? []
      : compareElements(before.elements, after.elements, wish, app, references(agentId))),
  ];
}
