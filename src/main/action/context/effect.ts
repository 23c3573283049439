import type { Desktop, Element, Window } from '../../../native/desktop.js';
import type { Verified } from '../../protocol/index.js';
import { printPixels, samePixels } from '../pixels.js';
import type { PixelPrint, Plan } from '../plan.js';
import { until } from '../waiting.js';
import { difference, onlyCloses } from './changes.js';
import type { Facts } from './changes.js';
import { quoted } from './quoting.js';
import { createChangeWatch } from './restless.js';
import type { ChangeWatch } from './restless.js';

export interface Observed {
  effect: Verified;
  before: unknown;
  after: unknown;
}

const LIMITS = { maxDepth: 60, maxNodes: 1500, timeoutMs: 1500, visibleOnly: true };
const PATIENCE_MS = 700;
const PICTURE_AFTER_MS = 150;
const STEP_MS = 40;
/** A clock that shows seconds changes again within this time. */
const STILL_MS = 1100;
const STILL_STEP_MS = 100;

/**
 * Runs `act` and looks at what changed in the application: `confirmed` where the act explains the change, or where what
 * changed did so once and then stayed; `unverified` where it goes on changing by itself or could not be looked at; else `no_change`.
 */
export async function observing(
  desktop: Desktop,
  plan: Plan | null,
  act: () => Promise<void>,
  signal: AbortSignal,
): Promise<Observed> {
  const window = plan?.window ?? null;
  const shown = await picture(desktop, window, signal);
  const before = await facts(desktop, window, signal).catch(() => null);
  await act();
  if (before === null || window === null) return { effect: 'unverified', before: null, after: null };
  const watch = createChangeWatch(before, elementOf(plan));
  const elements = watchElements(desktop, window, { before, watch }, signal);
  const pixels = watchPicture(desktop, window, shown, signal);
  const began = performance.now();
  const look = async (): Promise<'elements' | 'picture' | null> => {
    if (await elements.look()) return 'elements';
    // Elements say more than a picture does, a little later.
    return performance.now() - began >= PICTURE_AFTER_MS && (await pixels.settled()) ? 'picture' : null;
  };
  const first = await until(look, PATIENCE_MS, STEP_MS, signal);
  if (first === 'elements') return elements.verdict();
  if (first === 'picture') return pixels.verdict();
  return elements.closed() ?? (pixels.changed() ? pixels.moving : { effect: 'no_change', before: [], after: [] });
}

interface Watched {
  before: Facts;
  watch: ChangeWatch;
}

function watchElements(desktop: Desktop, window: Window, { before, watch }: Watched, signal: AbortSignal) {
  const began = performance.now();
  let closed: Observed | null = null;
  let last = before;
  /** A menu closes before what its item opens comes: that is waited for. */
  const seen = async (): Promise<'explained' | 'changed' | null> => {
    const now = await facts(desktop, window, signal).catch(() => null);
    if (now === null) return null;
    watch.see(now, performance.now() - began);
    last = now;
    if (!watch.changed()) return null;
    if (!watch.explained()) return 'changed';
    const told = difference(before, now);
    if (!onlyCloses(told)) return 'explained';
    closed = { effect: 'confirmed', ...told };
    return null;
  };
  return {
    look: async () => (await seen()) !== null,
    closed: () => closed,
    async verdict(): Promise<Observed> {
      const isDecided = () => watch.explained() || !watch.undecided(STILL_MS, PATIENCE_MS);
      const more = async () => {
        if (!isDecided()) await seen();
        return isDecided() ? true : null;
      };
      await until(more, PATIENCE_MS + STILL_MS, STILL_STEP_MS, signal);
      if (watch.explained()) return { effect: 'confirmed', ...difference(before, last) };
      const settled = watch.settled(STILL_MS);
      const once = difference(settled.before, settled.after);
      if (once.before.length + once.after.length > 0) return { effect: 'confirmed', ...once };
      return { effect: 'unverified', ...difference(before, last) };
    },
  };
}

function watchPicture(desktop: Desktop, window: Window, shown: PixelPrint | null, signal: AbortSignal) {
  const moving: Observed = { effect: 'unverified', before: [], after: [`${cut(window.title)} looks different`] };
  let last: PixelPrint | null = null;
  return {
    moving,
    changed: () => last !== null,
    /** It looks different, and twice the same. */
    async settled(): Promise<boolean> {
      const next = shown === null ? null : await picture(desktop, window, signal);
      if (shown === null || next === null || samePixels(shown, next)) return false;
      const same = last !== null && samePixels(last, next);
      last = next;
      return same;
    },
    async verdict(): Promise<Observed> {
      const again = async () => {
        const next = await picture(desktop, window, signal);
        return next !== null && last !== null && samePixels(last, next) ? null : true;
      };
      const restless = await until(again, STILL_MS, STILL_STEP_MS, signal);
      return restless === null ? { ...moving, effect: 'confirmed' } : moving;
    },
  };
}

function elementOf(plan: Plan | null): Element | null {
  return plan !== null && 'element' in plan.target ? plan.target.element : null;
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
