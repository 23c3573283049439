/** Sequences: several actions under one approval. This file binds and plans them; sequence-run.ts runs them. */
import type * as z from 'zod';
import { EFFECTS, WireError, type Agent, type Effect, type Subject, isControlEffect } from '../protocol/index.js';
import type { Window } from '../../native/desktop.js';
import type { AnyAction, BoundStep } from './action.js';
import { isIdentifiable, originAt, originOf } from './compare.js';
import { effectOf, withWrittenFacts } from './consequence/index.js';
import { withForeseenKeys } from './consequence/keys.js';
import type { PlanContext } from './context.js';
import { parseInput } from './define.js';
import { asWireError, isAmbiguous, isNotFound, withoutNothingDone } from './failures.js';
import { fingerprintPlan, fingerprintSettledPlan } from './capture.js';
import { planWithoutTarget, type LatePlace, type Plan, type StepPlan } from '../approvals/plan.js';
import { sequenceSchema } from './sequence-result.js';
import { message, type Message } from '../../messages/index.js';

interface Sequence<I> {
  name: string;
  title: string;
  description: string;
  input: z.ZodType<I>;
  subject(input: I, agent?: Agent): Subject;
  notes(input: I, agent?: Agent): Message[];
  /** Throws DESKTOP_INVALID_REQUEST naming the invalid step. */
  steps(input: I, agent?: Agent): BoundStep[];
}

export function defineSequence<I>({ name, title, description, input, ...given }: Sequence<I>): AnyAction {
  return {
    name,
    title,
    description,
    effect: 'dangerous',
    needs: ['accessibility'],
    evidence: 'folder',
    input,
    output: sequenceSchema,
    bind(raw, agent) {
      const value = parseInput(input, raw, name);
      const steps = given.steps(value, agent);
      const [subject, notes] = [given.subject(value, agent), given.notes(value, agent)];
      return {
        effect: strongestEffect(steps.map(({ bound }) => bound.effect)),
        subject,
        plan: (ctx, signal) => planSequence(steps, { subject, notes }, ctx, signal),
        run: () => Promise.reject(new Error('a sequence is run step by step')),
        steps,
      };
    },
  };
}

function strongestEffect(effects: readonly Effect[]): Effect {
  return EFFECTS[Math.max(0, ...effects.map((effect) => EFFECTS.indexOf(effect)))] ?? 'dangerous';
}

async function planSequence(
  steps: readonly BoundStep[],
  { subject, notes }: { subject: Subject; notes: Message[] },
  ctx: PlanContext,
  signal: AbortSignal,
): Promise<Plan> {
  const planned: StepPlan[] = [];
  const opened: string[] = [];
  for (const [index, step] of steps.entries()) {
    const first = planned.every((one) => !isControlEffect(one.effect));
    const turn = { first, alone: index === 0, opened, earlier: planned };
    planned.push(await withStepInError(index, step, planStep(step, turn, ctx, signal)));
    if (step.opens !== null) opened.push(step.opens.toLowerCase());
  }
  const shown = planned.find(
    ({ plan, effect }) => isControlEffect(effect) && plan !== null && plan.look !== null,
  )?.plan;
  const window = commonWindow(planned);
  const asksFor = planned.find(({ plan }) => plan?.asksFor !== undefined)?.plan?.asksFor;
  return {
    ...planWithoutTarget({ ...subject, app: window?.app.name ?? null, place: window?.title ?? null }),
    window,
    notes,
    look: shown?.look ?? null,
    alwaysAsk: window === null || planned.some(({ plan, late }) => late !== null || plan?.alwaysAsk === true),
    ...(asksFor === undefined ? {} : { asksFor }),
    steps: planned,
  };
}

/** Adds the step number to an error that happened before anything was done. */
export async function withStepInError<T>(index: number, { tool }: BoundStep, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    const { code, text, details, retryable } = asWireError(thrown);
    const [step, why] = [index + 1, withoutNothingDone(text)];
    throw new WireError(code, message('error.step_not_done', { step, tool, why }), { ...details, step }, retryable);
  }
}

/** `first`: no earlier step acts, so the desktop will be as it is now. `alone`: there is no earlier step at all. */
async function planStep(
  { tool, arguments: given, bound, within }: BoundStep,
  {
    first,
    alone,
    opened,
    earlier,
  }: { first: boolean; alone: boolean; opened: readonly string[]; earlier: readonly StepPlan[] },
  ctx: PlanContext,
  signal: AbortSignal,
): Promise<StepPlan> {
  const step = { tool, effect: bound.effect, arguments: given };
  if (bound.plan === null) return { ...step, subject: bound.subject, plan: null, late: null };
  try {
    const plan = withForeseenKeys(withWrittenFacts(await bound.plan(ctx, signal), earlier), earlier);
    const { desktop } = ctx;
    if (first) return plannedStep(step, (await fingerprintSettledPlan(desktop, plan, signal)).plan);
    if (plan.target.kind === 'point')
      return plannedStep(step, noteUnidentifiedPoint((await fingerprintPlan(desktop, plan, signal)).plan));
    const typed = plan.target.kind === 'focus' || (plan.target.kind === 'window' && plan.needsFocus);
    return plannedStep(step, typed ? retargetToWindow(plan) : plan);
  } catch (thrown) {
    if (signal.aborted || !isNotFound(thrown) || isAmbiguous(thrown)) throw thrown;
    const late = alone ? null : await findLatePlace(within, opened, ctx, signal);
    if (late === null) throw thrown;
    return { ...step, subject: { ...bound.subject, app: late.app?.name ?? late.name }, plan: null, late };
  }
}

const plannedStep = (step: Omit<StepPlan, 'subject' | 'plan' | 'late'>, plan: Plan): StepPlan => ({
  ...step,
  effect: effectOf(step.effect, plan),
  subject: plan.subject,
  plan,
  late: null,
});

/** Earlier steps may move the focus inside the window, so only the window is approved. */
function retargetToWindow(plan: Plan): Plan {
  return {
    ...plan,
    subject: { ...plan.subject, target: null },
    target: { kind: 'window' },
    notes: [...plan.notes, message('note.goes_to_focus')],
    // Where the focus is then, Enter may be no text.
    ...(plan.breaksLines === true ? { alwaysAsk: true, asksFor: 'enter' } : {}),
  };
}

/** Adds a note where the element at a point is unknown: earlier steps may change what is there. */
function noteUnidentifiedPoint(plan: Plan): Plan {
  if (plan.target.kind !== 'point') return plan;
  if (isIdentifiable(plan.target.element)) return plan;
  return { ...plan, notes: [...plan.notes, message('note.goes_to_point')] };
}

/** For a target that does not exist yet: its application must run, or an earlier step must open it. */
async function findLatePlace(
  within: BoundStep['within'],
  opened: readonly string[],
  ctx: PlanContext,
  signal: AbortSignal,
): Promise<LatePlace | null> {
  if (within === null) return null;
  const { name } = within;
  try {
    const { pid, startTime, id, name: title } = await within.find(ctx, signal);
    const windows = (await ctx.desktop.windows(signal)).filter((one) => one.app.pid === pid);
    const window = windows.find(({ documentUrl }) => documentUrl !== null);
    const origin = originOf(window?.documentUrl ?? null);
    return { name, app: { pid, startTime, id, name: title }, windows: lateWindows(windows, pid), origin };
  } catch (thrown) {
    if (signal.aborted || !isNotFound(thrown) || !opened.includes(name.toLowerCase())) throw thrown;
    return { name, app: null, windows: [], origin: null };
  }
}

/** The windows of an application that a step without a target yet may act in. */
export const lateWindows = (windows: readonly Window[], pid: number): LatePlace['windows'] =>
  windows.filter((one) => one.normal && one.app.pid === pid).map(({ id, title }) => ({ id, title }));

/** A window that represents all steps; null where they act in several applications or origins, or outside a window. */
function commonWindow(steps: readonly StepPlan[]): Plan['window'] {
  const touching = steps.filter(({ plan, late }) => plan !== null || late !== null);
  const places = touching.map(({ plan, late }) => {
    if (late !== null)
      return late.app === null ? null : JSON.stringify([late.app.pid, late.app.startTime, late.origin]);
    const window = plan?.window ?? null;
    if (plan?.drop !== undefined && plan.drop.window?.id !== window?.id) return null;
    return window === null
      ? null
      : JSON.stringify([window.app.pid, window.app.startTime, plan === null ? null : originAt(plan)]);
  });
  if (new Set(places).size !== 1 || places[0] === null) return null;
  const acts = touching.filter(({ effect }) => isControlEffect(effect));
  return acts.find(({ plan }) => plan?.window != null)?.plan?.window ?? null;
}
