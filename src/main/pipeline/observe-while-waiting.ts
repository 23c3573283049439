import { isControlEffect, type CallState } from './dependencies.js';
import { windowsOf, type Plan } from './plan.js';
import { recordState } from './verify/effect.js';

/** Records what applications change by themselves while a person is being asked, so that it is not taken for an effect of the act. */
export function observeWhileWaiting({ deps, bound, desktop }: CallState, plan: Plan | null, signal: AbortSignal): void {
  if (!isControlEffect(bound.effect) || bound.offDesktop === true) return;
  const observe = async () => {
    for (const window of windowsOf(plan)) await recordState({ desktop, history: deps.ownChanges, window }, signal);
  };
  // A failure only means that fewer effects can be confirmed.
  observe().catch(() => undefined);
}
