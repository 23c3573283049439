/** Waits, within limits, until a starting application has a window and readable elements. Never waits for an older process. */
import type { Place } from './scope.js';
import { delay } from '../../../base/poll.js';
import { DesktopError, hasEnded, type DesktopReader } from '../../../native/desktop.js';
import { WireError } from '../../protocol/index.js';
import type { HidingReader } from '../masked.js';
import { message } from '../../../messages/index.js';

/** Milliseconds since the process started; null where unknown. */
export type AgeOf = (pid: number) => number | null;

/** Older processes count as started. */
const MAX_STARTUP_MS = 30_000;
/** Programs without accessibility have windows but never elements. */
const ELEMENTS_TIMEOUT_MS = 10_000;
const POLL_MS = 500;
const FIRST_NODES = { maxDepth: 1, maxNodes: 2, timeoutMs: 2000 };
const NOT_YET: ReadonlySet<string> = new Set(['not_found', 'timeout', 'stale']);

/** The result of `look` once the process that `parent` names has a window. */
export async function waitUntilListed<T>(
  desktop: HidingReader,
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
      if (age === null || (age > MAX_STARTUP_MS && !waited)) throw thrown;
      const patient = pid !== null && desktop.maySpendTimeOn(pid);
      if (age > MAX_STARTUP_MS || !patient)
        throw stillStartingError(`applications/${pid}`, age, 'error.starting_no_window');
      if (pid !== null && !waited && (await isHidden(desktop, pid, signal))) throw thrown;
    }
    await waitForChange(desktop, signal);
  }
}

/** The place once its application has elements. One that shows nothing but hidden windows has none to wait for. */
export async function waitUntilStarted(
  desktop: HidingReader,
  ageOf: AgeOf,
  parent: string | undefined,
  look: () => Promise<Place>,
  signal: AbortSignal,
): Promise<Place> {
  const place = await waitUntilListed(desktop, ageOf, parent, look, signal);
  const { pid, name } = place.app;
  const end = performance.now() + ELEMENTS_TIMEOUT_MS;
  for (let waited = false; ; waited = true) {
    const age = ageOf(pid);
    if (age === null || (age > MAX_STARTUP_MS && !waited)) return place;
    const found = await hasElements(desktop, place, signal);
    if (found === true || (await desktop.isAllHidden(pid, signal))) return place;
    if (age > MAX_STARTUP_MS || performance.now() >= end || !desktop.maySpendTimeOn(pid)) {
      if (found instanceof DesktopError) throw found;
      throw stillStartingError(`${name} (applications/${pid})`, age, 'error.starting_no_elements');
    }
    await waitForChange(desktop, signal);
  }
}

/** Hidden applications are never listed: waiting for them would be in vain. */
async function isHidden(desktop: DesktopReader, pid: number, signal: AbortSignal): Promise<boolean> {
  try {
    await desktop.tree({ pid }, FIRST_NODES, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    return thrown instanceof WireError && thrown.details['reason'] === 'protected';
  }
  return false;
}

/** An error where the application does not answer: then it is not known. True also where it will never have any. */
async function hasElements(
  desktop: DesktopReader,
  { scope }: Place,
  signal: AbortSignal,
): Promise<boolean | DesktopError> {
  try {
    return (await desktop.tree(scope, FIRST_NODES, signal)).nodes.length > 1;
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof DesktopError && thrown.code === 'not_responding') return thrown;
    if (hasEnded(thrown) || (thrown instanceof DesktopError && thrown.details['reason'] === 'no_toolkit')) return true;
    if (thrown instanceof DesktopError && NOT_YET.has(thrown.code)) return false;
    throw thrown;
  }
}

/** Resolves at the next change of the desktop, at the latest after POLL_MS. */
async function waitForChange(desktop: DesktopReader, signal: AbortSignal): Promise<void> {
  const changeSeen = new AbortController();
  const stop = desktop.onChange(() => changeSeen.abort());
  try {
    await delay(POLL_MS, AbortSignal.any([signal, changeSeen.signal]));
  } catch (thrown) {
    signal.throwIfAborted();
    if (!changeSeen.signal.aborted) throw thrown;
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

const stillStartingError = (
  app: string,
  age: number,
  code: 'error.starting_no_window' | 'error.starting_no_elements',
): WireError =>
  new WireError('DESKTOP_ELEMENT_NOT_FOUND', message(code, { app, seconds: Math.round(age / 1000) }), {
    reason: 'still_starting',
    next: 'Wait for it with wait_element (role or title, timeout), then make the same call again. Where nothing comes, use screenshots and the pointer.',
  });
