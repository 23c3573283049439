/** Targets that must be scrolled into view. Dangerous acts on them are refused; others are compared again after scrolling. */
import { WireError, type Effect } from '../protocol/index.js';
import type { BoundAction } from './action.js';
import { resolveAndCompare } from './restore.js';
import { effectOf } from './consequence/index.js';
import { scrollIntoView, stillHiddenError } from './target/scroll-into-view.js';
import { nameOf } from './target/plans.js';
import { createRunContext, planContextOf } from './run-context.js';
import type { Plan } from '../approvals/plan.js';
import type { Decision } from '../approvals/request.js';
import type { CallState } from './dependencies.js';
import { message } from '../../messages/index.js';
import { nothingDone } from './failures.js';

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
