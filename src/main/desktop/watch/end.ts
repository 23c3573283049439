/** Whether what is watched is over, and what a look that failed means. */
import { DesktopError } from '../../../native/desktop.js';
import { WireError } from '../../protocol/index.js';
import type { Wish } from './model.js';
import type { Seen } from './look.js';
import type { SightOptions } from './elements.js';

export interface Failure {
  /** null: it may be better next time. */
  state: 'COMPLETED' | 'FAILED' | null;
  /** Something that has not answered yet, rather than something wrong. */
  passing: boolean;
  words: string;
}

type Eyes = Pick<SightOptions, 'desktop' | 'alive'>;

const APP_OVER = 'The application has ended.';
const NOT_OPEN = 'It is not open to agents any more.';

/** After a look that worked, what was watched may be gone from it: then why. `unsure`: it may be ending just now. */
export async function whyOver(
  eyes: Eyes,
  wish: Wish,
  { apps, windows }: Seen,
  signal: AbortSignal,
): Promise<{ why: string | null; unsure: boolean }> {
  const { app, windowId } = wish.place;
  const lingering = apps?.lingering === true;
  if (app === null) return { why: null, unsure: lingering };
  if (windowId !== null && windows !== null && !windows.byId.has(windowId))
    return { why: windows.hidden.has(windowId) ? NOT_OPEN : 'The window is gone.', unsure: false };
  const missing = lingering || windows?.byId.size === 0 || apps?.byPid.has(app.pid) === false;
  if (!missing) return { why: null, unsure: false };
  const over = await appOver(eyes, wish, signal);
  return { why: over ? APP_OVER : null, unsure: !over };
}

/** An application without a window still runs. */
async function appOver({ desktop, alive }: Eyes, { place }: Wish, signal: AbortSignal): Promise<boolean> {
  const { app } = place;
  if (app === null) return false;
  const listed = (await desktop.apps(signal)).some(({ pid }) => pid === app.pid);
  return !listed && !alive(app);
}

export async function failureOf(eyes: Eyes, wish: Wish, thrown: unknown, signal: AbortSignal): Promise<Failure> {
  const words = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof DesktopError && thrown.code === 'lost') return { state: 'FAILED', passing: false, words };
  if (thrown instanceof WireError && thrown.details['reason'] === 'protected')
    return { state: 'COMPLETED', passing: false, words: NOT_OPEN };
  const missing = thrown instanceof DesktopError && (thrown.code === 'not_found' || thrown.code === 'stale');
  const over = missing ? await whatIsGone(eyes, wish, signal).catch(() => null) : null;
  if (over !== null) return { state: 'COMPLETED', passing: false, words: over };
  const late = thrown instanceof DesktopError && (thrown.code === 'not_responding' || thrown.code === 'timeout');
  const timedOut = thrown instanceof Error && thrown.name === 'TimeoutError';
  const passing = late || timedOut || thrown instanceof WireError;
  return { state: null, passing, words: timedOut ? 'The application does not answer.' : words };
}

async function whatIsGone(eyes: Eyes, wish: Wish, signal: AbortSignal): Promise<string | null> {
  const { windowId, elementId } = wish.place;
  if (await appOver(eyes, wish, signal)) return APP_OVER;
  if (windowId !== null && !(await eyes.desktop.windows(signal)).some(({ id }) => id === windowId))
    return 'The window is gone.';
  return elementId === null ? null : 'The element is gone.';
}
