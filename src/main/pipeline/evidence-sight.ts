/** Whether an agent may see, at this moment, what a piece of evidence of its call shows. What is unclear it may not. */
import type { BoundAction } from './action.js';
import { isControlEffect } from './dependencies.js';
import type { Plan } from './plan.js';
import type { Approver, Caller, Decision, Shown } from './ports.js';
import { SCREEN, shownBy, sightOf, toldOnRequest } from './sight.js';

interface CallFacts {
  approver: Pick<Approver, 'sight' | 'revoked'>;
  caller: Caller;
  bound: Pick<BoundAction, 'effect' | 'offDesktop'>;
  plan: Plan | null;
  decision: Decision | null;
  /** Plans of steps, as they were reached. */
  reached: readonly (Plan | null)[];
}

export function isShownTo({ approver, caller, bound, plan, decision, reached }: CallFacts, what: Shown): boolean {
  const allowed = decision?.kind === 'allowed' && !approver.revoked(decision, caller);
  // What a call reads, its answer has too.
  if (!isControlEffect(bound.effect)) return allowed;
  if (bound.offDesktop === true) return true;
  const asked = plan === null ? [] : shownBy(plan);
  const shown = [...asked, ...reached.flatMap((one) => (one === null ? [] : shownBy(one)))];
  const isKnown = what === 'call' && shown.length > 0;
  const told = new Set(allowed && toldOnRequest(plan, decision) ? asked.map(appOf) : []);
  return sightOf(approver, caller, isKnown ? shown.filter((one) => !told.has(appOf(one))) : [SCREEN]) === 'sees';
}

/** A step may reach a window of the same application that the request did not name; another application it did not speak of. */
const appOf = ({ target, application, window }: Plan): string =>
  JSON.stringify([target.kind, application?.id, application?.program, window?.app.pid]);
