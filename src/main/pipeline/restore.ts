/** Between approval and act: restores the plan's window and focus, and compares the desktop with the approved plan. */
import { englishTitle, WireError, type Effect } from '../protocol/index.js';
import { DesktopError, type DesktopActs, type DesktopReader, type Element, type Window } from '../../native/desktop.js';
import { isNotFound, nothingDone } from './failures.js';
import type { BoundAction } from './action.js';
import type { PlanContext } from './context.js';
import type { HidingReader } from './masked.js';
import { coveredError } from './target/scope.js';
import { centre, nameOf } from './target/plans.js';
import { planDrift, isIdentifiable, pixelDrift, targetChanged } from './compare.js';
import { assertSameContent, effectOf } from './consequence/index.js';
import { fingerprintPlan } from './capture.js';
import type { Plan, PlanTarget } from '../approvals/plan.js';
import type { Decision } from '../approvals/request.js';
import { delay } from '../../base/poll.js';
import { message } from '../../messages/index.js';
import { scrollIntoView, stillHiddenError } from './target/scroll-into-view.js';
import { createRunContext, planContextOf } from './run-context.js';
import type { CallState } from './dependencies.js';

const SETTLE_MS = 1500;
const SETTLE_POLL_MS = 60;
/** A blinking caret must be seen in both states even on a slow machine. */
const MIN_COMPARISONS = 10;

/** Decisions that nobody made by looking at this request's picture. */
const DECIDED_WITHOUT_PICTURE: ReadonlySet<string> = new Set(['policy', 'grant', 'phrase']);

/**
 * Drops the pixels of identifiable targets where no person saw the picture, and the titles around them where the policy alone
 * decided: the target's identity is compared, but content and titles may change, as in an application that is still loading.
 */
export function withoutUnseen(given: Plan, decision: Decision): Plan {
  if (decision.kind !== 'allowed' || !DECIDED_WITHOUT_PICTURE.has(decision.by)) return given;
  const plan: Plan = decision.by === 'policy' ? { ...given, titlesUnseen: true } : given;
  const pixels = isNamed(plan.target) ? null : plan.pixels;
  if (plan.steps === undefined) return { ...plan, pixels };
  const steps = plan.steps.map((step) => ({ ...step, plan: step.plan && withoutUnseen(step.plan, decision) }));
  return { ...plan, pixels, steps };
}

/** Pixels of such a plan are compared only where a person saw its picture. */
export const needsPixelsForPersonOnly = ({ target, steps }: Plan): boolean => steps === undefined && isNamed(target);

function isNamed(target: PlanTarget): boolean {
  return (
    (target.kind === 'element' || target.kind === 'point' || target.kind === 'focus') && isIdentifiable(target.element)
  );
}

type FocusActs = Pick<DesktopActs, 'focusWindow' | 'focusElement'>;

interface Restored {
  /** To compare with from here on. */
  plan: Plan;
  /** The desktop for that comparison. */
  desktop: HidingReader;
}

/** Restores window and focus. */
export async function restorePlanWindow(
  desktop: HidingReader,
  focusing: FocusActs,
  plan: Plan,
  signal: AbortSignal,
): Promise<Restored> {
  const unchangedWithoutFocus = await looksAsApproved(desktop, plan, signal);
  const focused = await restore(desktop, focusing, plan, signal);
  return {
    plan: unchangedWithoutFocus ? { ...plan, pixels: null } : plan,
    desktop: focused === null ? desktop : withFocusRead(desktop, focused),
  };
}

/** The desktop with the focus as it was just read; asked again, it reads it again. */
function withFocusRead(desktop: HidingReader, focused: Element): HidingReader {
  let read: Element | null = focused;
  return {
    ...desktop,
    async focusedElement(signal) {
      const known = read;
      read = null;
      return known ?? desktop.focusedElement(signal);
    },
  };
}

/**
 * Many applications repaint a window when it gets the focus. True where the target looks as approved right before that: its
 * pixels are then not compared again afterwards, only its identity.
 */
async function looksAsApproved(desktop: DesktopReader, plan: Plan, signal: AbortSignal): Promise<boolean> {
  const { window, target, pixels, needsFocus } = plan;
  if (!needsFocus || pixels === null || window === null || window.focused) return false;
  if (!isNamed(target)) return false;
  const now = (await desktop.windows(signal)).find(({ id }) => id === window.id);
  if (now === undefined || now.focused || !now.visible) return false;
  return !pixelDrift(plan, (await fingerprintPlan(desktop, plan, signal)).plan);
}

/** Returns the planned element where it was read to have the focus, after which nothing was done. */
export async function restore(
  desktop: HidingReader,
  focusing: FocusActs,
  plan: Plan | null,
  signal: AbortSignal,
): Promise<Element | null> {
  if (plan === null || plan.window === null || !plan.needsFocus) return null;
  const { id } = plan.window;
  const gone = () => targetChanged([{ part: 'window', approved: plan.window?.title, now: null }]);
  const windows = await desktop.windows(signal);
  const now = windows.find((window) => window.id === id);
  if (now === undefined) throw gone();
  if ((!now.focused || windows[0]?.id !== id) && !(await isReachable(desktop, plan.target, now, signal)))
    await focusOrExplain(focusing, now, signal);
  if (plan.target.kind !== 'focus' || plan.target.element === null) return null;
  const focused = await desktop.focusedElement(signal);
  if (focused?.id === plan.target.element.id) return focused;
  await focusing.focusElement(plan.target.element.id, signal);
  return null;
}

/** Window managers do not focus menus and popups; the pointer reaches them unless they are covered. */
async function isReachable(desktop: DesktopReader, target: PlanTarget, window: Window, signal: AbortSignal) {
  if (window.normal || (target.kind !== 'point' && target.kind !== 'element')) return false;
  const frame = target.kind === 'point' ? { ...target.point, width: 1, height: 1 } : target.element.frame;
  return frame !== null && (await desktop.windowAt(centre(frame), signal))?.id === window.id;
}

async function focusOrExplain(
  focusing: Pick<DesktopActs, 'focusWindow'>,
  window: Window,
  signal: AbortSignal,
): Promise<void> {
  try {
    await focusing.focusWindow(window.id, signal);
  } catch (thrown) {
    if (window.normal || !(thrown instanceof DesktopError) || thrown.code !== 'failed') throw thrown;
    throw new WireError('DESKTOP_UNSUPPORTED', nothingDone(message('error.popup_no_focus', { app: window.app.name })), {
      reason: 'no_focus',
      next: 'Click a visible part of it with click or click_element; keys go to the window that opened it.',
    });
  }
}

/**
 * Resolves the plan again and compares it with the approved one; throws DESKTOP_TARGET_CHANGED where they differ.
 * Waits up to SETTLE_MS for the pixels, because a window repaints when it regains the focus.
 */
export async function resolveAndCompare(
  bound: BoundAction,
  ctx: PlanContext,
  plan: Plan,
  signal: AbortSignal,
  { differences = planDrift, content = true }: { differences?: typeof planDrift; content?: boolean } = {},
): Promise<Plan> {
  const giveUp = performance.now() + SETTLE_MS;
  for (let comparisons = 1; ; comparisons += 1) {
    const resolved = await resolveAgain(bound, { ...ctx, approved: plan }, signal);
    const fresh = plan.pixels === null ? resolved : (await fingerprintPlan(ctx.desktop, resolved, signal)).plan;
    const drifts = differences(plan, fresh);
    if (drifts.length > 0) throw coverErrorAt(plan, fresh) ?? targetChanged(drifts);
    if (content) assertSameContent(plan, fresh);
    if (!pixelDrift(plan, fresh)) return fresh;
    if (comparisons >= MIN_COMPARISONS && performance.now() > giveUp)
      throw targetChanged([{ part: 'pixels', approved: englishTitle(bound.subject), now: 'different' }]);
    await delay(SETTLE_POLL_MS, signal);
  }
}

function coverErrorAt({ target, window, subject }: Plan, fresh: Plan): WireError | null {
  if (target.kind !== 'point' || window === null || fresh.window === null || fresh.window.id === window.id) return null;
  return coveredError(target.element === null ? null : subject.target, fresh.window, target.point);
}

/** An approved target that is not found any more is a changed target. */
async function resolveAgain(bound: BoundAction, ctx: PlanContext, signal: AbortSignal): Promise<Plan> {
  if (bound.plan === null) throw new Error('A plan without a way to resolve it again.');
  try {
    return await bound.plan(ctx, signal);
  } catch (thrown) {
    if (signal.aborted || !isNotFound(thrown)) throw thrown;
    throw targetChanged([
      { part: 'target', approved: bound.subject.target, now: thrown instanceof Error ? thrown.message : null },
    ]);
  }
}

// Targets that must be scrolled into view. Dangerous acts on them are refused; others are compared again after scrolling.

/** Refuses a dangerous act on a target that the person cannot be shown. */
export function refuseUnseen(own: Effect, plan: Plan): Plan {
  if (plan.scroller === undefined || effectOf(own, plan) !== 'dangerous') return plan;
  throw new WireError(
    'DESKTOP_ELEMENT_NOT_FOUND',
    nothingDone(message('error.out_of_view', { name: plan.subject.target ?? '' })),
    {
      reason: 'out_of_view',
      next: 'The person must see what this acts on: scroll to it with the scroll tool, then make the same call again.',
    },
  );
}

/** Scrolls to the target and compares: process, window, role, name, ancestors and document must be as approved. */
export async function scrollTargetIntoView(
  state: CallState,
  decision: Decision,
  bound: BoundAction,
  plan: Plan | null,
): Promise<Plan | null> {
  if (plan?.scroller === undefined || plan.target.kind !== 'element') return plan;
  const { stop } = state.clock;
  const { element } = plan.target;
  const { desktop } = createRunContext(state, plan, decision, { baseline: null, mustKnow: false });
  state.record.evidence.trace({ step: 'scroll', element: nameOf(element) });
  await scrollIntoView(desktop, { element, scroller: plan.scroller, window: plan.window }, stop);
  const shown = await resolveAndCompare(bound, planContextOf(state), plan, stop);
  if (shown.scroller !== undefined) throw stillHiddenError(element);
  return shown;
}
