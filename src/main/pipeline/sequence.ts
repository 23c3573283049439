/** Sequences: several actions under one approval. This file binds and plans them; sequence-run.ts runs them. */
import * as z from 'zod';
import {
  verifiedSchema,
  WireError,
  type Verified,
  EFFECTS,
  type Agent,
  type Effect,
  type Subject,
  isControlEffect,
} from '../protocol/index.js';
import { withoutNothingDone, asWireError, isAmbiguous, isNotFound } from './failures.js';
import { message, type Message } from '../../messages/index.js';
import type { Window } from '../../native/desktop.js';
import type { AnyAction, BoundStep } from './action.js';
import { isIdentifiable, originAt, originOf } from './compare.js';
import { effectOf, withWrittenFacts } from './consequence/index.js';
import { withForeseenKeys } from './consequence/keys.js';
import type { PlanContext } from './context.js';
import { parseInput } from './define.js';
import { fingerprintPlan, fingerprintSettledPlan } from './capture.js';
import { planWithoutTarget, type LatePlace, type Plan, type StepPlan } from '../approvals/plan.js';

// Results of the steps of a sequence, for the agent and for the record. Pure.

/** Leaves a field that is always present out of the published schema. */
const unpublished = <T extends z.ZodType>(schema: T) => schema.meta({ unpublished: true });

const stepSchema = z.object({
  index: unpublished(z.number().int()),
  tool: z.string(),
  status: z.enum(['done', 'failed', 'skipped']),
  effect: verifiedSchema.nullable(),
  before: unpublished(z.string().nullable()),
  after: unpublished(z.string().nullable()),
  /** The tool's text, or the error. */
  said: unpublished(z.string().nullable()),
});
export type StepResult = z.infer<typeof stepSchema>;

const sequenceSchema = z.object({ done: unpublished(z.number().int()), steps: z.array(stepSchema) });
export type SequenceResult = z.infer<typeof sequenceSchema>;

export const skippedResults = (tools: readonly string[]): StepResult[] =>
  tools.map((tool, index) => ({
    index: index + 1,
    tool,
    status: 'skipped',
    effect: null,
    before: null,
    after: null,
    said: null,
  }));

/** The effect that all steps share; `unverified` where they differ. */
export function overallEffect(effects: readonly Verified[]): Verified {
  const [first = 'unverified'] = effects;
  return effects.every((effect) => effect === first) ? first : 'unverified';
}

/** The error of a step, with the steps done before it. `acted`: a retry would repeat those steps. */
export function stepFailedError(
  failed: StepResult,
  error: WireError,
  steps: readonly StepResult[],
  acted: boolean,
): WireError {
  const { index, tool } = failed;
  const done = steps.filter(({ status }) => status === 'done').length;
  const left = steps.length - index;
  const why = withoutNothingDone(error.text);
  const next = acted ? { next: 'Look at what is there now; make a new plan of what is still to be done.' } : {};
  return new WireError(
    error.code,
    message('error.step_failed', { step: index, of: steps.length, tool, why, done, left }),
    { ...error.details, ...next, step: index, steps: [...steps] },
    acted ? false : error.retryable,
  );
}

export function sequenceText({ steps }: SequenceResult): string {
  const lines = steps.map(({ index, tool, effect, said }) =>
    [`${index}. ${tool}`, said === null ? '' : `: ${said}`, effect === null ? '' : ` (${effect})`].join(''),
  );
  const all = steps.length === 1 ? 'The one step was done.' : `All ${steps.length} steps were done.`;
  return [all, ...lines].join('\n');
}

const MAX_TEXT_LENGTH = 200;
const MAX_LINES = 3;

/** The state before or after a step, as a short text. */
export function summarizeState(what: unknown): string | null {
  if (what === null || what === undefined) return null;
  const text = Array.isArray(what) ? what.slice(0, MAX_LINES).map(toText).join('; ') : toText(what);
  return text === '' ? null : truncateStepText(text);
}

const toText = (what: unknown): string => (typeof what === 'string' ? what : JSON.stringify(what));
export const truncateStepText = (text: string, most = MAX_TEXT_LENGTH): string =>
  text.length > most ? `${text.slice(0, most)}…` : text;

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
    does: 'steps',
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
