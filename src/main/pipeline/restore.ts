/** What stands between an approval and its act: the plan's window and focus are restored, and what is there now is compared with what was approved. */
import { englishTitle, WireError } from '../protocol/index.js';
import { DesktopError } from '../../native/desktop.js';
import type { DesktopActs, DesktopReader, Window } from '../../native/desktop.js';
import type { BoundAction } from './action.js';
import type { PlanContext } from './context.js';
import { covered } from './target/covering.js';
import { centre } from './target/plans.js';
import { drift, namesItself, pixelDrift, targetChanged } from './compare.js';
import { assertSameContent } from './consequence/index.js';
import { withPixels } from './capture.js';
import type { Plan, PlanTarget } from './plan.js';
import type { Decision } from './ports.js';
import { delay } from '../../base/poll.js';

const SETTLE_MS = 1500;
const SETTLE_STEP_MS = 60;
/** A caret blinks: on a slow machine too it is seen both ways before it is told apart from another look. */
const FEWEST_LOOKS = 10;

/** Decided without anybody looking at this request's picture. */
const UNSEEN: ReadonlySet<string> = new Set(['policy', 'grant', 'phrase']);

/**
 * A person decides by the picture they are shown. Where policy or a grant decided, what the target is and is called has to
 * stay; what it shows may change, as in an application that paints late.
 */
export function asDecided(plan: Plan, decision: Decision): Plan {
  if (decision.kind !== 'allowed' || !UNSEEN.has(decision.by)) return plan;
  const pixels = isNamed(plan.target) ? null : plan.pixels;
  if (plan.steps === undefined) return { ...plan, pixels };
  const steps = plan.steps.map((step) => ({ ...step, plan: step.plan && asDecided(step.plan, decision) }));
  return { ...plan, pixels, steps };
}

function isNamed(target: PlanTarget): boolean {
  return (
    (target.kind === 'element' || target.kind === 'point' || target.kind === 'focus') && namesItself(target.element)
  );
}

export type Focusing = Pick<DesktopActs, 'focusWindow' | 'focusElement'>;

/** Restores, and resolves to the plan to compare with from here on. */
export async function restorePlanWindow(
  desktop: DesktopReader,
  focusing: Focusing,
  plan: Plan,
  signal: AbortSignal,
): Promise<Plan> {
  const sleeping = await isAsShown(desktop, plan, signal);
  await restore(desktop, focusing, plan, signal);
  return sleeping ? { ...plan, pixels: null } : plan;
}

/**
 * Many applications paint a window anew once it has the focus, so what was shown without it cannot look the same then. Where
 * the target looks as it was shown until that very moment, what it is and is called decides from here on.
 */
async function isAsShown(desktop: DesktopReader, plan: Plan, signal: AbortSignal): Promise<boolean> {
  const { window, target, pixels, needsFocus } = plan;
  if (!needsFocus || pixels === null || window === null || window.focused) return false;
  if (!isNamed(target)) return false;
  const now = (await desktop.windows(signal)).find(({ id }) => id === window.id);
  if (now === undefined || now.focused || !now.visible) return false;
  return !pixelDrift(plan, (await withPixels(desktop, plan, signal)).plan);
}

export async function restore(
  desktop: DesktopReader,
  focusing: Focusing,
  plan: Plan | null,
  signal: AbortSignal,
): Promise<void> {
  if (plan === null || plan.window === null || !plan.needsFocus) return;
  const { id } = plan.window;
  const gone = () => targetChanged([{ what: 'window', approved: plan.window?.title, now: null }]);
  const windows = await desktop.windows(signal);
  const now = windows.find((window) => window.id === id);
  if (now === undefined) throw gone();
  if ((!now.focused || windows[0]?.id !== id) && !(await isReachable(desktop, plan.target, now, signal)))
    await focusOf(focusing, now, signal);
  if (plan.target.kind !== 'focus' || plan.target.element === null) return;
  const focused = await desktop.focusedElement(signal);
  if (focused?.id !== plan.target.element.id) await focusing.focusElement(plan.target.element.id, signal);
}

/** Menus and popups are given no focus by a window manager; the pointer reaches them as long as nothing lies over them. */
async function isReachable(desktop: DesktopReader, target: PlanTarget, window: Window, signal: AbortSignal) {
  if (window.normal || (target.kind !== 'point' && target.kind !== 'element')) return false;
  const frame = target.kind === 'point' ? { ...target.point, width: 1, height: 1 } : target.element.frame;
  return frame !== null && (await desktop.windowAt(centre(frame), signal))?.id === window.id;
}

async function focusOf(focusing: Pick<DesktopActs, 'focusWindow'>, window: Window, signal: AbortSignal): Promise<void> {
  try {
    await focusing.focusWindow(window.id, signal);
  } catch (thrown) {
    if (window.normal || !(thrown instanceof DesktopError) || thrown.code !== 'failed') throw thrown;
    throw new WireError(
      'DESKTOP_UNSUPPORTED',
      `Nothing was done: a popup of ${window.app.name} cannot get the focus.`,
      {
        reason: 'no_focus',
        next: 'Click what shows of it with click or click_element; keys go to the window that opened it.',
      },
    );
  }
}

/** Resolves again and compares; pixels get a moment to settle, because regaining focus repaints a window. */
export async function compared(
  bound: BoundAction,
  ctx: PlanContext,
  plan: Plan,
  signal: AbortSignal,
  { differences = drift, content = true }: { differences?: typeof drift; content?: boolean } = {},
): Promise<Plan> {
  const giveUp = performance.now() + SETTLE_MS;
  for (let looks = 1; ; looks += 1) {
    const resolved = await resolveAgain(bound, { ...ctx, approved: plan }, signal);
    const fresh = plan.pixels === null ? resolved : (await withPixels(ctx.desktop, resolved, signal)).plan;
    const drifts = differences(plan, fresh);
    if (drifts.length > 0) throw coverAt(plan, fresh) ?? targetChanged(drifts);
    if (content) assertSameContent(plan, fresh);
    if (!pixelDrift(plan, fresh)) return fresh;
    if (looks >= FEWEST_LOOKS && performance.now() > giveUp)
      throw targetChanged([{ what: 'pixels', approved: englishTitle(bound.subject), now: 'different' }]);
    await delay(SETTLE_STEP_MS, signal);
  }
}

/** At the approved point lies another window now. */
function coverAt({ target, window, subject }: Plan, fresh: Plan): WireError | null {
  if (target.kind !== 'point' || window === null || fresh.window === null || fresh.window.id === window.id) return null;
  return covered(target.element === null ? null : subject.target, fresh.window, target.point);
}

/** What was approved and cannot be found any more has changed; other failures stay what they are. */
async function resolveAgain(bound: BoundAction, ctx: PlanContext, signal: AbortSignal): Promise<Plan> {
  if (bound.plan === null) throw new WireError('DESKTOP_INTERNAL_ERROR', 'A plan without a way to resolve it again.');
  try {
    return await bound.plan(ctx, signal);
  } catch (thrown) {
    if (signal.aborted || !isGone(thrown)) throw thrown;
    throw targetChanged([
      { what: 'target', approved: bound.subject.target, now: thrown instanceof Error ? thrown.message : null },
    ]);
  }
}

export function isGone(thrown: unknown): boolean {
  return (
    (thrown instanceof WireError && thrown.code === 'DESKTOP_ELEMENT_NOT_FOUND') ||
    (thrown instanceof Error && 'code' in thrown && (thrown.code === 'stale' || thrown.code === 'not_found'))
  );
}

/** Several fit: waiting for one more does not help. */
export const isAmbiguous = (thrown: unknown): boolean =>
  thrown instanceof WireError && thrown.details['reason'] === 'ambiguous';
