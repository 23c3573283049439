/**
 * This folder: desktop operations that tools and bridge methods share (click, type, write, keys, watch). They get the run's context
 * and a target, and return what was done and what changed. They never ask the person: the pipeline has done that. This file: clicks.
 */
import type { DesktopActor, DesktopReader, Element, MouseButton, Point, Window } from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import type { Verification } from '../pipeline/action.js';
import type { RunContext } from '../pipeline/context.js';
import { assertUncovered } from '../pipeline/target/covering.js';
import { verifyEffect } from '../pipeline/verify/effect.js';
import { centre, nameOf } from '../pipeline/target/plans.js';
import { message } from '../../messages/index.js';

const PRESS = 'AXPress';

export const hasPressAction = (element: Element): boolean => element.actions.includes(PRESS);

/** Uses the accessibility action where there is one, else a synthetic click if the hit test agrees. */
export async function clickElement(
  ctx: RunContext,
  element: Element,
  signal: AbortSignal,
): Promise<{ method: 'accessibility' | 'pointer'; effect: Verification }> {
  const method =
    hasPressAction(element) && !(await isInOpenMenu(ctx.desktop, element, signal)) ? 'accessibility' : 'pointer';
  const act =
    method === 'accessibility'
      ? () => ctx.desktop.performAction(element.id, PRESS, signal)
      : () => clickFrame(ctx.desktop, element, signal, ctx.plan?.window ?? null);
  ctx.trace({ step: 'click', method, element: nameOf(element) });
  return { method, effect: await verifyEffect(ctx, act, signal) };
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

/** A synthetic click at its centre, if nothing covers it in `window` and the hit test agrees. */
export async function clickFrame(
  desktop: DesktopActor,
  element: Element,
  signal: AbortSignal,
  window: Window | null = null,
): Promise<void> {
  if (element.frame === null)
    throw new WireError('DESKTOP_UNSUPPORTED', message('error.not_pressable', { name: nameOf(element) }));
  const point = centre(element.frame);
  await assertUncovered(desktop, { window, element, point, name: nameOf(element) }, signal);
  const hit = await desktop.elementAt(point, signal);
  if (!(await isInside(desktop, hit, element, signal)))
    throw new WireError(
      'DESKTOP_TARGET_CHANGED',
      hit === null
        ? message('error.would_hit_nothing', { name: nameOf(element) })
        : message('error.would_hit', { name: nameOf(element), other: nameOf(hit) }),
      { reason: 'hit_test', point },
    );
  await clickAt(desktop, point, { button: 'left', count: 1 }, signal);
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
