import type { Desktop, Element, Window } from '../../../native/desktop.js';
import type { Verified } from '../../protocol/index.js';
import { printPixels, samePixels } from '../pixels.js';
import type { PixelPrint } from '../plan.js';
import { until } from '../waiting.js';
import { difference, onlyCloses } from './changes.js';
import type { Facts } from './changes.js';
import { quoted } from './quoting.js';

export interface Observed {
  effect: Verified;
  before: unknown;
  after: unknown;
}

const LIMITS = { maxDepth: 60, maxNodes: 1500, timeoutMs: 1500, visibleOnly: true };
const PATIENCE_MS = 700;
const PICTURE_AFTER_MS = 150;
const STEP_MS = 40;

/** Runs `act` and looks at what changed in the application: `confirmed` with the difference, or `no_change`; `unverified` where it could not be looked at. */
export async function observing(
  desktop: Desktop,
  window: Window | null,
  act: () => Promise<void>,
  signal: AbortSignal,
): Promise<Observed> {
  const shown = await picture(desktop, window, signal);
  const before = await facts(desktop, window, signal).catch(() => null);
  await act();
  if (before === null || window === null) return { effect: 'unverified', before: null, after: null };
  const seen = { effect: 'unverified' as Verified, before: [], after: [`${cut(window.title)} looks different`] };
  const began = performance.now();
  let last: PixelPrint | null = null;
  let closed: Observed | null = null;
  const look = async (): Promise<Observed | null> => {
    const now = await facts(desktop, window, signal).catch(() => null);
    const found = now === null ? null : difference(before, now);
    if (found !== null && found.before.length + found.after.length > 0) {
      const told: Observed = { effect: 'confirmed', ...found };
      if (!onlyCloses(found)) return told;
      closed = told;
      return null;
    }
    // Elements say more than a picture does, a little later.
    if (shown === null || performance.now() - began < PICTURE_AFTER_MS) return null;
    const next = await picture(desktop, window, signal);
    if (next === null || samePixels(shown, next)) return null;
    // What goes on moving may do so by itself, and proves nothing.
    if (last !== null && samePixels(last, next)) return { ...seen, effect: 'confirmed' };
    last = next;
    return null;
  };
  const found = (await until(look, PATIENCE_MS, STEP_MS, signal)) ?? closed;
  return found ?? (last === null ? { effect: 'no_change', before: [], after: [] } : seen);
}

/** For what elements do not tell: drawings, scrolled pages. */
async function picture(desktop: Desktop, window: Window | null, signal: AbortSignal): Promise<PixelPrint | null> {
  if (window === null) return null;
  const target = { kind: 'window', windowId: window.id } as const;
  return desktop.capture(target, signal).then(printPixels, () => null);
}

async function facts(desktop: Desktop, window: Window | null, signal: AbortSignal): Promise<Facts> {
  if (window === null) return new Map();
  const { pid } = window.app;
  const windows = (await desktop.windows(signal)).filter((one) => one.app.pid === pid);
  const lines = new Map(windows.map((one) => [`window ${one.id}`, `window ${cut(one.title)} ${place(one)}`]));
  if (windows.length === 0) return lines;
  const tree = await desktop.tree({ pid }, LIMITS, signal);
  for (const { element } of tree.nodes) lines.set(`${element.path.join('/')}`, line(element));
  return lines;
}

const place = ({ frame: { x, y, width, height }, minimized }: Window) =>
  `at (${x}, ${y}), ${width}×${height}${minimized ? ', minimised' : ''}`;

function line({ role, title, value, states }: Element): string {
  const marks = [
    states.enabled ? '' : 'disabled',
    states.focused ? 'focused' : '',
    states.checked === true ? 'checked' : '',
    states.selected === true ? 'selected' : '',
    states.expanded === true ? 'expanded' : '',
    states.visible ? '' : 'hidden',
  ].filter((mark) => mark !== '');
  const said = value === null || value === '' || value === title ? '' : `= ${cut(value)}`;
  return [role, title === '' ? '' : cut(title), said, ...marks].filter((part) => part !== '').join(' ');
}

/** Each on one line, as they are listed. */
const cut = (text: string) => quoted(text.length > 120 ? `${text.slice(0, 120)}…` : text);
