/** The edge of the pipeline: what a call found or did leaves it only as far as its agent may see it. */
import * as z from 'zod';
import { isRecord } from '../../base/is-record.js';
import { namesRecord, toldOf, withoutTitles, type Level } from './audience.js';
import { isControlEffect } from '../protocol/index.js';
import type { CallState, RunResult } from './dependencies.js';
import { asWireError, Stopped } from './failures.js';
import type { Plan } from '../approvals/plan.js';
import { WaitEnded, type Decision } from '../approvals/request.js';
import { SCREEN, shownBy, sightOf, TITLES, toldOnRequest } from './sight.js';

interface Decided {
  plan: Plan | null;
  decision: Decision;
}

/** Runs what was decided. Of an act where the agent may not see, only its effect is told. */
export async function telling(state: CallState, decided: Decided, work: () => Promise<RunResult>): Promise<RunResult> {
  const { bound } = state;
  const looksAt = bound.offDesktop !== true && bound.effect !== 'read' && bound.effect !== 'bookkeeping';
  if (!looksAt) return work();
  try {
    const result = await work();
    return isControlEffect(bound.effect) && !sees(state, decided)('app')
      ? withheld(result, state.action.output)
      : result;
  } catch (thrown) {
    if (thrown instanceof WaitEnded || thrown instanceof Stopped) throw thrown;
    throw toldError(state, decided, thrown);
  }
}

function toldError(state: CallState, decided: Decided, thrown: unknown): unknown {
  const may = sees(state, decided);
  if (may('screen')) return thrown;
  const error = asWireError(thrown);
  if (isControlEffect(state.bound.effect)) return toldOf(error, may);
  return may('titles') || decided.plan?.target.kind === 'titles' ? error : withoutTitles(error);
}

/** Asked for each answer, as it is given: what was allowed for the session may have been taken back meanwhile. */
function sees(
  { deps: { approver }, call: { caller } }: CallState,
  { plan, decision }: Decided,
): (level: Level) => boolean {
  const may = (shown: readonly Plan[]): boolean => sightOf(approver, caller, shown) === 'sees';
  const rules: Record<Level, () => boolean> = {
    machine: () => true,
    call: () => true,
    app: () => toldOnRequest(plan, decision) || (plan !== null && may(shownBy(plan))),
    titles: () => may([TITLES]),
    screen: () => may([SCREEN]),
  };
  return (level) => rules[level]();
}

/** Told of a value is what is the same whatever is there. A field is not, until its schema says so. */
function constantsOf(value: unknown, schema: z.ZodType): Record<string, unknown> {
  const shape = schema instanceof z.ZodObject ? schema.shape : {};
  const constant = Object.keys(shape).filter((name) => isConstant(shape[name]));
  return isRecord(value) ? Object.fromEntries(constant.map((name) => [name, value[name]])) : {};
}

const isConstant = (field: unknown): boolean =>
  field instanceof z.ZodType && (namesRecord(field) || (field instanceof z.ZodLiteral && field.values.size === 1));

const withheld = ({ verified, ...result }: RunResult, output: z.ZodType): RunResult => ({
  ...result,
  value: constantsOf(result.value, output),
  text: 'Done. You may not see what is there, so only the effect is told.',
  verified: verified && { effect: verified.effect, before: null, after: null },
  withheld: true,
});
