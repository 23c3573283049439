import { planDisclosure } from '../action/context/plans.js';
import type { Desktop } from '../../native/desktop.js';

export const listing = (target: string) => ({ verb: 'List', done: 'Listed', target, app: null, place: null });

/** What the person is asked before names and titles are given away. */
export async function listPlan(desktop: Desktop, what: string, signal: AbortSignal) {
  const display = (await desktop.displays(signal)).find((one) => one.main);
  const plan = planDisclosure(
    { verb: 'Read', done: 'Read' },
    { target: what, app: null, place: null, rect: display?.frame ?? { x: 0, y: 0, width: 0, height: 0 } },
  );
  return { ...plan, look: null };
}
