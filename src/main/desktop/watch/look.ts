/** One look at what an observation watches, and what two looks differ in. */
import { pause } from '../../pipeline/pause.js';
import { appsKey, compareApps, seeApps } from './applications.js';
import type { AppsSeen } from './applications.js';
import { compareElements, seeElements, shapeOf } from './elements.js';
import type { ElementsSeen, SightOptions } from './elements.js';
import { watchesElements } from './model.js';
import type { Happening, Wish } from './model.js';
import { compareWindows, seeWindows, windowsKey } from './windows.js';
import type { WindowsSeen } from './windows.js';

export interface Seen {
  apps: AppsSeen | null;
  windows: WindowsSeen | null;
  elements: ElementsSeen | null;
}

const STEP_MS = 40;
const LONGEST_MS = 600;

/**
 * What is on its way (a window that is dragged or just opens, a list that is rebuilt) is looked at until it is the same twice.
 * `ms` is what one reading took.
 */
export async function look(
  options: SightOptions,
  wish: Wish,
  before: Seen | null,
  signal: AbortSignal,
): Promise<{ seen: Seen; ms: number }> {
  const start = performance.now();
  let seen = await once(options, wish, before, signal);
  const ms = performance.now() - start;
  if (before === null || keyOf(seen) === keyOf(before)) return { seen, ms };
  while (performance.now() < start + LONGEST_MS) {
    await pause(STEP_MS, signal);
    const again = await once(options, wish, before, signal);
    const same = keyOf(again) === keyOf(seen);
    seen = again;
    if (same) break;
  }
  return { seen, ms };
}

async function once(options: SightOptions, wish: Wish, before: Seen | null, signal: AbortSignal): Promise<Seen> {
  const { desktop, exist, alive } = options;
  const { types, place } = wish;
  return {
    apps: types.includes('application_changes')
      ? await seeApps(desktop, alive, wish, before?.apps ?? null, signal)
      : null,
    windows: types.includes('window_changes')
      ? await seeWindows(desktop, exist, wish, before?.windows ?? null, signal)
      : null,
    elements: watchesElements(wish) && place.app !== null ? await seeElements(options, wish, place.app, signal) : null,
  };
}

const keyOf = ({ apps, windows, elements }: Seen): string =>
  [
    apps === null ? '' : appsKey(apps),
    windows === null ? '' : windowsKey(windows),
    elements === null ? '' : shapeOf(elements),
  ].join('\n');

/** `agentId` is who is told. */
export function compare(
  { references }: Pick<SightOptions, 'references'>,
  agentId: string,
  before: Seen,
  after: Seen,
  wish: Wish,
): Happening[] {
  const { app } = wish.place;
  return [
    ...(before.apps === null || after.apps === null ? [] : compareApps(before.apps, after.apps)),
    ...(before.windows === null || after.windows === null ? [] : compareWindows(before.windows, after.windows, wish)),
    ...(before.elements === null || after.elements === null || app === null
      ? []
      : compareElements(before.elements, after.elements, wish, app, references(agentId))),
  ];
}
