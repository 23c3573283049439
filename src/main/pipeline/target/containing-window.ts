import { contains } from '../../../base/rect.js';
import type { DesktopReader, Element, Rect, Window } from '../../../native/desktop.js';

/** Rounding and thin borders, in points. */
const SAME_FRAME_TOLERANCE = 4;
const SAME_FRAME = 4;
const SAME_TITLE = 2;
const ROOT_LIMITS = { maxDepth: 0, maxNodes: 1, timeoutMs: 1000 };
const POPUP_ITEMS: ReadonlySet<string> = new Set(['AXMenuItem', 'AXMenu']);

/**
 * The window that shows an element: the popup it is in, else the window at the root of its tree. Never simply the topmost window
 * of the application, which may be a tooltip. null where the window is unknown.
 */
export async function containingWindow(
  desktop: DesktopReader,
  windows: readonly Window[],
  element: Element,
  ancestors: readonly Element[],
  signal: AbortSignal,
): Promise<Window | null> {
  const inner = windows.flatMap((window) => (window.inside ?? []).map(({ app }) => ({ ...window, app })));
  const own = [...windows, ...inner].filter(({ app }) => app.pid === element.pid);
  const popup = own.find((window) => isPopupOf(window, element, ancestors));
  if (popup !== undefined) return popup;
  const normal = own.filter((window) => window.normal);
  const root = [element, ...ancestors].findLast(({ role }) => role === 'AXWindow' || role === 'AXSheet');
  if (root === undefined) return onlyOne(normal, element);
  const scored = own.map((window) => ({ window, score: similarity(window, root) }));
  const best = Math.max(...scored.map(({ score }) => score));
  const likely = scored.filter(({ score }) => score === best).map(({ window }) => window);
  if (best < SAME_TITLE) return onlyOne(normal, element);
  if (likely.length === 1) return likely[0] ?? null;
  return (await pairedWith(desktop, root, likely, signal)) ?? onlyOne(likely, element);
}

/** A normal window wins over a popup of the same title: toolkits give tooltips the title of the application. */
function similarity(window: Window, root: Element): number {
  const frame = root.frame !== null && isNear(root.frame, window.frame) ? SAME_FRAME : 0;
  const score = frame + (window.title === root.title ? SAME_TITLE : 0);
  return score > 0 && window.normal ? score + 1 : score;
}

/** An open menu or list is a window of its own, often missing in the tree. */
function isPopupOf(window: Window, element: Element, ancestors: readonly Element[]): boolean {
  if (window.normal || !window.visible || element.frame === null || !holds(window.frame, element.frame)) return false;
  if (POPUP_ITEMS.has(element.role)) return true;
  return ancestors.some(({ frame, role }) => role === 'AXMenu' || (frame !== null && isNear(frame, window.frame)));
}

/** The window that the backend pairs with this accessible root. */
async function pairedWith(
  desktop: DesktopReader,
  root: Element,
  windows: readonly Window[],
  signal: AbortSignal,
): Promise<Window | null> {
  for (const window of windows) {
    const scope = { pid: window.app.pid, windowId: window.id };
    const tree = await desktop.tree(scope, ROOT_LIMITS, signal).catch(() => null);
    signal.throwIfAborted();
    if (tree?.nodes[0]?.element.id === root.id) return window;
  }
  return null;
}

function onlyOne(windows: readonly Window[], { frame }: Element): Window | null {
  if (windows.length === 1) return windows[0] ?? null;
  return windows.find((window) => frame !== null && holds(window.frame, frame)) ?? null;
}

function holds(outer: Rect, inner: Rect): boolean {
  const last = { x: inner.x + inner.width - 1, y: inner.y + inner.height - 1 };
  return contains(outer, inner) && contains(outer, last);
}

function isNear(one: Rect, other: Rect): boolean {
  const near = (a: number, b: number) => Math.abs(a - b) <= SAME_FRAME_TOLERANCE;
  return near(one.x, other.x) && near(one.y, other.y) && near(one.width, other.width) && near(one.height, other.height);
}
