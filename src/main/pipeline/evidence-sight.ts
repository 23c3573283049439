/** Whether an agent may see, at this moment, what a piece of evidence of its call shows. What is unclear it may not. */
import type { Window } from '../../native/desktop.js';
import type { BoundAction } from './action.js';
import { isControlEffect } from './dependencies.js';
import type { Plan } from './plan.js';
import type { Approver, Caller, Decision, Shown } from './ports.js';
import { maySee, SCREEN } from './sight.js';

interface CallFacts {
  approver: Pick<Approver, 'sight' | 'revoked'>;
  caller: Caller;
  bound: Pick<BoundAction, 'effect' | 'offDesktop'>;
  plan: Plan | null;
  decision: Decision | null;
  /** Those of the plan, and of its steps as they were reached. */
  windows: readonly Window[];
}

export function isShownTo({ approver, caller, bound, plan, decision, windows }: CallFacts, what: Shown): boolean {
  const allowed = decision?.kind === 'allowed' && !approver.revoked(decision, caller);
  // What a call reads, its answer has too.
  if (!isControlEffect(bound.effect)) return allowed;
  if (bound.offDesktop === true) return true;
  const isKnown = what === 'call' && plan !== null && windows.length > 0;
  return isKnown
    ? windows.every((window) => maySee(approver, caller, window))
    : approver.sight(caller, SCREEN) === 'sees';
}
