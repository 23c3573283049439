/** Targets out of view: never dangerous, and compared with what was approved once they have been scrolled to. */
import { WireError } from '../protocol/index.js';
import type { Effect } from '../protocol/index.js';
import type { BoundAction } from './action.js';
import { compared } from './restore.js';
import { effectOf } from './consequence/index.js';
import { scrollIntoView, stillHidden } from './target/into-view.js';
import { nameOf } from './target/plans.js';
import { contextOf } from './run-context.js';
import type { Plan } from './plan.js';
import type { Decision } from './ports.js';
import type { PipelineDependencies, RunCall, Stage } from './dependencies.js';

/** Refuses a dangerous act on what the person cannot be shown: its pixels can be compared with nothing. */
export function seeable(own: Effect, plan: Plan): Plan {
  if (plan.scroller === undefined || effectOf(own, plan) !== 'dangerous') return plan;
  throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', `Nothing was done: “${plan.subject.target}” is out of view.`, {
    reason: 'out_of_view',
    next: 'The person must see what this acts on: scroll to it with the scroll tool, then make the same call again.',
  });
}

interface Allowed {
  deps: PipelineDependencies;
  call: RunCall;
  stage: Stage;
  decision: Decision;
}

/** The plan with its target in view; process, window, role, name, ancestors and document must be as they were approved. */
export async function scrolledTo(
  { deps, call, stage, decision }: Allowed,
  bound: BoundAction,
  plan: Plan | null,
): Promise<Plan | null> {
  if (plan?.scroller === undefined || plan.target.kind !== 'element') return plan;
  const { stop } = stage.clock;
  const { element } = plan.target;
  const { desktop } = contextOf(deps, call, stage, plan, decision);
  stage.record.evidence.trace({ step: 'scroll', element: nameOf(element) });
  await scrollIntoView(desktop, { element, scroller: plan.scroller, window: plan.window }, stop);
  const shown = await compared(bound, { desktop: stage.desktop, caller: call.caller }, plan, stop);
  if (shown.scroller !== undefined) throw stillHidden(element);
  return shown;
}
