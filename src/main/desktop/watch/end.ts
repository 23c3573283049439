/** Whether an observation has to end, and what a failed reading means for it. */
import { DesktopError } from '../../../native/desktop.js';
import { isGone } from '../../pipeline/failures.js';
import { WireError } from '../../protocol/index.js';
import type { WatchRequest } from './model.js';
import type { WatchSnapshot } from './snapshot.js';
import type { SnapshotOptions } from './elements.js';

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
