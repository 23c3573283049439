/** An application that still starts: whoever names it waits, within limits, until it has a window and its elements can be read. An old process is never waited for. */
import type { Place } from './scope.js';
import { delay } from '../../../base/poll.js';
import { DesktopError } from '../../../native/desktop.js';
import type { DesktopReader } from '../../../native/desktop.js';
import { WireError } from '../../protocol/index.js';

/** Milliseconds since the process started; null where nothing tells. */
export type AgeOf = (pid: number) => number | null;

/** Older processes are taken for started. */
const YOUNG_MS = 30_000;
/** Programs without accessibility have windows and never elements. */
const WINDOW_WITHOUT_ELEMENTS_MS = 10_000;
const STEP_MS = 500;
const FIRST_NODES = { maxDepth: 1, maxNodes: 2, timeoutMs: 2000 };
const NOT_YET: ReadonlySet<string> = new Set(['not_found', 'not_responding', 'timeout', 'stale']);

/** What `look` finds, once the process that `parent` names has a window. */
export async function whenListed<T>(
  desktop: DesktopReader,
  ageOf: AgeOf,
  parent: string | undefined,
  look: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  for (let waited = false; ; waited = true) {
    try {
      return await look();
    } catch (thrown) {
      const pid = pidIn(parent);
      const age = pid === null || !isNoSuchPlace(thrown) ? null : ageOf(pid);
      if (age === null || (age > YOUNG_MS && !waited)) throw thrown;
      if (age > YOUNG_MS) throw stillStarting(`applications/${pid}`, age, 'has no window');
    }
    await changed(desktop, signal);
  }
}

/** The place, once its application shows elements. */
export async function whenStarted(
  desktop: DesktopReader,
  ageOf: AgeOf,
  parent: string | undefined,
  look: () => Promise<Place>,
  signal: AbortSignal,
): Promise<Place> {
  const place = await whenListed(desktop, ageOf, parent, look, signal);
  const { pid, name } = place.app;
  const end = performance.now() + WINDOW_WITHOUT_ELEMENTS_MS;
  for (let waited = false; ; waited = true) {
    const age = ageOf(pid);
    if (age === null || (age > YOUNG_MS && !waited) || (await hasElements(desktop, place, signal))) return place;
    if (age > YOUNG_MS || performance.now() >= end)
      throw stillStarting(`${name} (applications/${pid})`, age, 'shows no accessible elements');
    await changed(desktop, signal);
  }
}

async function hasElements(desktop: DesktopReader, { scope }: Place, signal: AbortSignal): Promise<boolean> {
  try {
    return (await desktop.tree(scope, FIRST_NODES, signal)).nodes.length > 1;
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof DesktopError && NOT_YET.has(thrown.code)) return false;
    throw thrown;
  }
}

/** Word of a change, or a while without any. */
async function changed(desktop: DesktopReader, signal: AbortSignal): Promise<void> {
  const told = new AbortController();
  const stop = desktop.onChange(() => told.abort());
  try {
    await delay(STEP_MS, AbortSignal.any([signal, told.signal]));
  } catch (thrown) {
    signal.throwIfAborted();
    if (!told.signal.aborted) throw thrown;
  } finally {
    stop();
  }
}

const isNoSuchPlace = (thrown: unknown): boolean =>
  thrown instanceof WireError && thrown.details['reason'] === 'no_such_place';

function pidIn(parent: string | undefined): number | null {
  const [, pid] = /^(?:applications\/)?(\d+)(?:\/|$)/.exec(parent ?? '') ?? [];
  return pid === undefined ? null : Number(pid);
}

const stillStarting = (name: string, age: number, lacks: string): WireError =>
  new WireError(
    'DESKTOP_ELEMENT_NOT_FOUND',
    `${name} started ${Math.round(age / 1000)} s ago and ${lacks} yet: it may still be starting.`,
    {
      reason: 'still_starting',
      next: 'Wait for it with wait_element (role or title, timeout), then make the same call again. Where nothing comes, use screenshots and the pointer.',
    },
  );
