import type { Desktop, Element, MouseButton, Point } from '../../../native/desktop.js';
import { WireError } from '../../protocol/index.js';
import type { RunContext } from '../context.js';
import { observing } from './effect.js';
import { centre, nameOf } from './plans.js';

const PRESS = 'AXPress';
const FREE = async () => {};

export const pressable = (element: Element): boolean => element.actions.includes(PRESS);

/** The accessibility action where there is one, else a synthetic click if the hit test agrees. Says which, and reports what changed. */
export async function clickElement(
  ctx: RunContext,
  element: Element,
  signal: AbortSignal,
): Promise<'accessibility' | 'pointer'> {
  const method = pressable(element) ? 'accessibility' : 'pointer';
  const act =
    method === 'accessibility'
      ? () => ctx.desktop.performAction(element.id, PRESS, signal)
      : () => clickFrame(ctx.desktop, element, signal);
  ctx.trace({ step: 'click', method, element: nameOf(element) });
  const seen = await observing(ctx.desktop, ctx.plan?.window ?? null, act, signal);
  ctx.verified(seen.effect, seen.before, seen.after);
  return method;
}

async function clickFrame(desktop: Desktop, element: Element, signal: AbortSignal): Promise<void> {
  if (element.frame === null)
    throw new WireError(
      'DESKTOP_UNSUPPORTED',
      `“${nameOf(element)}” can neither be pressed nor has it a place on screen.`,
    );
  const point = centre(element.frame);
  const hit = await desktop.elementAt(point, signal);
  const above = hit === null ? [] : [hit, ...(await desktop.ancestors(hit.id, signal))];
  if (!above.some((one) => one.id === element.id))
    throw new WireError(
      'DESKTOP_TARGET_CHANGED',
      `A click at the middle of “${nameOf(element)}” would hit ${hit === null ? 'nothing' : `“${nameOf(hit)}”`}.`,
      { reason: 'hit_test', point },
    );
  await clickAt(desktop, point, { button: 'left', count: 1 }, signal);
}

export async function clickAt(
  desktop: Desktop,
  point: Point,
  how: { button: MouseButton; count: number },
  signal: AbortSignal,
): Promise<void> {
  await desktop.movePointer(point, signal);
  for (let done = 0; done < how.count; done += 1) {
    await desktop.button(how.button, true, FREE, signal);
    await desktop.button(how.button, false, FREE, signal);
  }
}
