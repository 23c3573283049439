import { isControl } from './dependencies.js';
import type { PipelineDependencies, Stage } from './dependencies.js';
import type { Plan } from './plan.js';
import { lookAhead } from './verify/effect.js';

/** While a person is being asked, time costs nothing: what changes by itself is seen, so that it is not taken for an effect. */
export function lookMeanwhile(
  deps: PipelineDependencies,
  { bound, desktop }: Stage,
  plan: Plan | null,
  signal: AbortSignal,
): void {
  if (!isControl(bound.effect) || bound.offDesktop === true) return;
  const windows = [plan, ...(plan?.steps ?? []).map((step) => step.plan)].map((one) => one?.window ?? null);
  const each = new Map(windows.filter((window) => window !== null).map((window) => [window.id, window]));
  const look = async () => {
    for (const window of each.values()) await lookAhead({ desktop, history: deps.ownChanges, window }, signal);
  };
  // Where it fails, less is known, and less will be confirmed.
  look().catch(() => undefined);
}
