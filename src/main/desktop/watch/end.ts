/** Whether an observation has to end, and what a failed reading means for it. */
import { DesktopError } from '../../../native/desktop.js';
import { isGone } from '../../pipeline/failures.js';
import { WireError } from '../../protocol/index.js';
import type { WatchRequest } from './model.js';
import type { Snapshot } from './snapshot.js';
import type { SnapshotOptions } from './elements.js';

export interface Failure {
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
  eyes: ReadState,
  wish: WatchRequest,
  { apps, windows }: Snapshot,
  signal: AbortSignal,
): Promise<{ why: string | null; unsure: boolean }> {
  const { app, windowId } = wish.place;
  const lingering = apps?.lingering === true;
  if (app === null) return { why: null, unsure: lingering };
  if (windowId !== null && windows !== null && !windows.byId.has(windowId))
    return { why: windows.hidden.has(windowId) ? NO_LONGER_ACCESSIBLE : 'The window is gone.', unsure: false };
  const missing = lingering || windows?.byId.size === 0 || apps?.byPid.has(app.pid) === false;
  if (!missing) return { why: null, unsure: false };
  const over = await hasAppEnded(eyes, wish, signal);
  return { why: over ? APP_ENDED : null, unsure: !over };
}

/** An application without a window has not ended. */
async function hasAppEnded(
  { desktop, isRunning: alive }: ReadState,
  { place }: WatchRequest,
  signal: AbortSignal,
): Promise<boolean> {
  const { app } = place;
  if (app === null) return false;
  const listed = (await desktop.apps(signal)).some(({ pid }) => pid === app.pid);
  return !listed && !alive(app);
}

export async function failureOf(
  eyes: ReadState,
  wish: WatchRequest,
  thrown: unknown,
  signal: AbortSignal,
): Promise<Failure> {
  const words = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof DesktopError && thrown.code === 'lost')
    return { state: 'FAILED', temporary: false, reason: words };
  if (thrown instanceof WireError && thrown.details['reason'] === 'protected')
    return { state: 'COMPLETED', temporary: false, reason: NO_LONGER_ACCESSIBLE };
  const over = isGone(thrown) ? await missingTarget(eyes, wish, signal).catch(() => null) : null;
  if (over !== null) return { state: 'COMPLETED', temporary: false, reason: over };
  const late = thrown instanceof DesktopError && (thrown.code === 'not_responding' || thrown.code === 'timeout');
  const timedOut = thrown instanceof Error && thrown.name === 'TimeoutError';
  const passing = late || timedOut || thrown instanceof WireError;
  return { state: null, temporary: passing, reason: timedOut ? 'The application does not answer.' : words };
}

async function missingTarget(eyes: ReadState, wish: WatchRequest, signal: AbortSignal): Promise<string | null> {
  const { windowId, elementId } = wish.place;
  if (await hasAppEnded(eyes, wish, signal)) return APP_ENDED;
  if (windowId !== null && !(await eyes.desktop.windows(signal)).some(({ id }) => id === windowId))
    return 'The window is gone.';
  return elementId === null ? null : 'The element is gone.';
}
