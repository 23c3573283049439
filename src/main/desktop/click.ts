/**
 * This folder: desktop operations that tools and bridge methods share (click, type, write, keys, watch). They get the run's context
 * and a target, and return what was done and what changed. They never ask the person: the pipeline has done that. This file: clicks.
 */
import {
  DesktopError,
  type DesktopActor,
  type DesktopReader,
  type Element,
  type MouseButton,
  type Point,
  type Rect,
  type Window,
} from '../../native/desktop.js';
import { stillHiddenError } from '../pipeline/target/scroll-into-view.js';
import { contains, intersect } from '../../base/rect.js';
import { poll } from '../../base/poll.js';
import { WireError } from '../protocol/index.js';
import type { Verification } from '../pipeline/action.js';
import type { RunContext } from '../pipeline/context.js';
import { isDrawn } from '../pipeline/consequence/recognise.js';
import { coverAt } from '../pipeline/target/scope.js';
import { verifyEffect } from '../pipeline/verify/effect.js';
import { centre, nameOf } from '../pipeline/target/plans.js';
import { message } from '../../messages/index.js';

const PRESS = 'AXPress';
const INTO_VIEW_MS = 800;
const STEP_MS = 20;

export const hasPressAction = (element: Element): boolean => element.actions.includes(PRESS);

/** Uses the accessibility action where there is one, else a synthetic click if the hit test agrees. */
export async function clickElement(
  ctx: RunContext,
  element: Element,
  signal: AbortSignal,
): Promise<{ method: 'accessibility' | 'pointer'; effect: Verification }> {
  const shown = isItem(ctx.desktop, element) ? await shownItem(ctx.desktop, element, signal) : null;
  const byPointer = shown !== null || (await isInOpenMenu(ctx.desktop, element, signal));
  const method = hasPressAction(element) && !byPointer ? 'accessibility' : 'pointer';
  const act =
    method === 'accessibility'
      ? () => ctx.desktop.performAction(element.id, PRESS, signal)
      : () => clickFrame(ctx.desktop, shown ?? element, signal, ctx.plan?.window ?? null);
  ctx.trace({ step: 'click', method, element: nameOf(element) });
  return { method, effect: await verifyEffect(ctx, act, signal) };
}

/** What toolkits on Linux call the press of a row or cell opens it (GTK) or selects it without a click (Qt). */
const isItem = ({ platform }: DesktopReader, { role }: Element): boolean =>
  platform === 'linux' && (role === 'AXRow' || role === 'AXCell');

/** Lists that do not scroll to a row on request do so where it gets the focus. */
async function shownItem(desktop: DesktopActor, element: Element, signal: AbortSignal): Promise<Element> {
  if (element.states.visible && element.frame !== null) return element;
  await desktop.focusElement(element.id, signal).catch((thrown: unknown) => {
    if (!(thrown instanceof DesktopError)) throw thrown;
  });
  const look = async () => {
    const now = await desktop.element(element.id, signal);
    return now.states.visible && now.frame !== null ? now : null;
  };
  const shown = await poll(look, INTO_VIEW_MS, signal, STEP_MS);
  if (shown === null) throw stillHiddenError(element);
  return shown;
}

/**
 * A visible menu item on Linux is clicked: pressed through accessibility, GTK 3 runs the item's dialog inside the press and answers
 * neither accessibility nor input until it closes.
 */
async function isInOpenMenu(desktop: DesktopReader, element: Element, signal: AbortSignal): Promise<boolean> {
  if (desktop.platform !== 'linux' || element.role !== 'AXMenuItem' || element.frame === null) return false;
  if (!element.states.visible) return false;
  return isInside(desktop, await desktop.elementAt(centre(element.frame), signal), element, signal);
}

/** Whether the hit element is `element` or a descendant. */
async function isInside(
  desktop: DesktopReader,
  hit: Element | null,
  element: Element,
  signal: AbortSignal,
): Promise<boolean> {
  const above = hit === null ? [] : [hit, ...(await desktop.ancestors(hit.id, signal))];
  return above.some((one) => isSameElement(one, element));
}

/**
 * Whether the hit is an ancestor of `element` in which it shows at that point. Some toolkits find no rows of a list, and name the pane;
 * had anything else been found there, it would be the hit.
 */
async function isAround(
  desktop: DesktopReader,
  { hit, element, point }: { hit: Element | null; element: Element; point: Point },
  signal: AbortSignal,
): Promise<boolean> {
  // What an area that draws itself shows there is not known.
  if (hit === null || !element.states.visible || isDrawn(hit)) return false;
  const above = await desktop.ancestors(element.id, signal);
  const at = above.findIndex((one) => isSameElement(one, hit));
  return at >= 0 && above.slice(0, at).every(({ frame }) => frame === null || contains(frame, point));
}

/** A synthetic click where it shows, if nothing covers it in `window` and the hit test agrees. */
export async function clickFrame(
  desktop: DesktopActor,
  element: Element,
  signal: AbortSignal,
  window: Window | null = null,
): Promise<void> {
  if (element.frame === null)
    throw new WireError('DESKTOP_UNSUPPORTED', message('error.not_pressable', { name: nameOf(element) }));
  const middle = isItem(desktop, element)
    ? await besideScrollBar(desktop, element, await ownPoint(desktop, element, element.frame, signal), signal)
    : centre(element.frame);
  const refused = await refusalAt(desktop, { window, element, point: middle }, signal);
  if (refused === null) return clickAt(desktop, middle, { button: 'left', count: 1 }, signal);
  // Only a part of it may show: the rest is off the screen, or scrolled away.
  const shown = await shownPart(desktop, element, element.frame, signal);
  if (shown === null || contains(shown, middle)) throw refused;
  const point = centre(shown);
  if ((await refusalAt(desktop, { window, element, point }, signal)) !== null) throw refused;
  await clickAt(desktop, point, { button: 'left', count: 1 }, signal);
}

/** The frame of an open row of a tree may have the rows below it inside, and one of them in the middle. Its own line is at the top. */
async function ownPoint(desktop: DesktopReader, row: Element, frame: Rect, signal: AbortSignal): Promise<Point> {
  const middle = centre(frame);
  const hit = await desktop.elementAt(middle, signal);
  const above = hit === null ? [] : [hit, ...(await desktop.ancestors(hit.id, signal))];
  const at = above.findIndex((one) => isSameElement(one, row));
  const line = above.slice(0, Math.max(at, 0)).find(({ role }) => role === row.role)?.frame;
  return line == null ? middle : { x: middle.x, y: frame.y + Math.floor(Math.min(line.height, frame.height) / 2) };
}

/** As wide as they get; Qt tells nothing of those of its lists and tables, and its cells lie below them. */
const SCROLL_BAR = 18;
const TABLES: ReadonlySet<string> = new Set(['AXTable', 'AXOutline', 'AXList']);

async function besideScrollBar(
  desktop: DesktopReader,
  { id, frame }: Element,
  point: Point,
  signal: AbortSignal,
): Promise<Point> {
  const table = (await desktop.ancestors(id, signal)).find(({ role }) => TABLES.has(role))?.frame ?? null;
  if (table === null || frame === null) return point;
  const inner = { ...table, width: table.width - SCROLL_BAR, height: table.height - SCROLL_BAR };
  const part = intersect(frame, inner);
  if (part === null || contains(part, point)) return point;
  return { x: Math.min(point.x, centre(part).x), y: Math.min(point.y, centre(part).y) };
}

/** Why a click at `point` would not reach `element`; null where it would. */
async function refusalAt(
  desktop: DesktopReader,
  { window, element, point }: { window: Window | null; element: Element; point: Point },
  signal: AbortSignal,
): Promise<WireError | null> {
  const cover = await coverAt(desktop, { window, element, point, name: nameOf(element) }, signal);
  if (cover !== null) return cover;
  const hit = await desktop.elementAt(point, signal);
  if ((await isInside(desktop, hit, element, signal)) || (await isAround(desktop, { hit, element, point }, signal)))
    return null;
  return new WireError(
    'DESKTOP_TARGET_CHANGED',
    hit === null
      ? message('error.would_hit_nothing', { name: nameOf(element) })
      : message('error.would_hit', { name: nameOf(element), other: nameOf(hit) }),
    { reason: 'hit_test', point },
  );
}

/** Within a display and all that the element lies in; null where nothing of it is. Ancestors that lie elsewhere do not count. */
async function shownPart(
  desktop: DesktopReader,
  { id }: Element,
  frame: Rect,
  signal: AbortSignal,
): Promise<Rect | null> {
  const area = ({ width, height }: Rect): number => width * height;
  const [shown] = (await desktop.displays(signal))
    .flatMap((display) => intersect(frame, display.frame) ?? [])
    .toSorted((one, other) => area(other) - area(one));
  if (shown === undefined) return null;
  const around = await desktop.ancestors(id, signal);
  return around.reduce((part, { frame: outer }) => (outer && intersect(part, outer)) ?? part, shown);
}

/** By id; some toolkits give rows new ids at every listing, so identical facts count as well. */
function isSameElement(one: Element, element: Element): boolean {
  const facts = ({ pid, role, title, path, frame }: Element) => JSON.stringify([pid, role, title, path, frame]);
  return one.id === element.id || facts(one) === facts(element);
}

export async function clickAt(
  desktop: DesktopActor,
  point: Point,
  { button, count, modifiers = [] }: { button: MouseButton; count: number; modifiers?: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  await desktop.movePointer(point, signal);
  await withKeys(desktop, modifiers, signal, async () => {
    for (let done = 0; done < count; done += 1) {
      await desktop.button(button, true, signal);
      await desktop.button(button, false, signal);
    }
  });
}

export async function pressKey(desktop: DesktopActor, key: string, signal: AbortSignal): Promise<void> {
  await desktop.key(key, true, signal);
  await desktop.key(key, false, signal);
}

/** Runs `work` with keys down. After a failure the pipeline releases them. */
export async function withKeys(
  desktop: DesktopActor,
  keys: readonly string[],
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  for (const key of keys) await desktop.key(key, true, signal);
  await work();
  for (const key of keys.toReversed()) await desktop.key(key, false, signal);
}
