/** Tools that wait for an element, or for a state of one. */
import * as z from 'zod';
import { isGone, nullIfNotFound } from '../../pipeline/failures.js';
import { defineAction } from '../../pipeline/define.js';
import type { PlanContext } from '../../pipeline/context.js';
import type { Plan } from '../../approvals/plan.js';
import { poll } from '../../../base/poll.js';
import {
  DesktopError,
  type DesktopReader,
  type Element,
  type FindResult,
  type Window,
} from '../../../native/desktop.js';
import { WireError } from '../../protocol/index.js';
import { appName } from '../places.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import {
  findSearchPlace,
  plainQueryFields,
  processReadingPlan,
  readingSubject,
  search,
  waitingPlan,
  type Query,
  truncateWithCount,
  elementLine,
  createElementFormat,
  shownSchema,
  statesOf,
} from './query.js';
import { NEEDS_TARGET, createTargets, namesTarget, targetFields, type GivenTarget, type Targets } from './target.js';
import { message, type Message } from '../../../messages/index.js';
import { ruleError } from '../../protocol/input-errors.js';

const ROOT_ONLY = { maxDepth: 0, maxNodes: 1, timeoutMs: 1000 };
const TIMES = {
  timeout: z.number().min(0.1).max(3600).default(30),
  poll_interval: z.number().min(0.01).max(60).default(0.5).meta({ unpublished: true }),
};
const CONDITIONS = [
  'enabled', 'disabled', 'focused', 'checked', 'unchecked', 'selected', 'expanded', 'collapsed', 'visible', 'hidden', 'gone',
  'text_equals', 'text_contains',
] as const; // prettier-ignore
type Condition = (typeof CONDITIONS)[number];

export function waitingTools(deps: ToolDeps): Tool[] {
  return toolGroup('element', { core: [waitTool(deps)], more: [stateTool(deps, createTargets(deps))] });
}

const waitTool = ({ references }: ToolDeps) =>
  defineAction({
    name: 'wait_element',
    title: 'Wait for element',
    step: 'lasting',
    waits: ({ timeout }) => timeout,
    does: 'read',
    description: 'Waits until an element that fits is visible. DESKTOP_TIMEOUT after `timeout` seconds.',
    effect: 'disclose',
    needs: ['accessibility'],
    input: z.object({ ...plainQueryFields, ...TIMES }).strict(),
    output: z.object({ element: shownSchema, matched: z.number().int(), elapsed_ms: z.number().int() }),
    subject: readingSubject,
    plan: ({ desktop }, { parent }, signal) => waitingPlan(desktop, parent, signal),
    async run({ desktop, plan, caller }, { timeout, poll_interval: stepSeconds, ...given }, signal) {
      const start = performance.now();
      const look = () => findVisible(desktop, plan?.window ?? null, given, signal);
      const found = await poll(look, timeout * 1000, signal, stepSeconds * 1000);
      const elapsed = Math.round(performance.now() - start);
      const first = found?.elements[0];
      if (found === null || first === undefined)
        throw conditionTimeoutError(await describeNone(desktop, timeout, given.parent, plan?.window ?? null, signal), {
          elapsedMs: elapsed,
          next: 'See what is there with find_elements (fewer fields, another parent), or wait longer with timeout.',
        });
      return {
        element: createElementFormat(references(caller.agent.id))(first),
        matched: found.matched,
        elapsed_ms: elapsed,
      };
    },
    text: ({ element, matched, elapsed_ms: elapsed }) =>
      `${elementLine(element)}${matched > 1 ? `, the first of ${matched} that fit` : ''}, after ${elapsed} ms`,
  });

async function findVisible(
  desktop: DesktopReader,
  approved: Window | null,
  given: Query,
  signal: AbortSignal,
): Promise<FindResult | null> {
  const found = await findSearchPlace(desktop, given.parent, approved, signal)
    .then(({ scope }) => search(desktop, scope, given, true, 1, signal))
    .catch(nullIfNotFound);
  return found !== null && found.matched > 0 ? found : null;
}

/** Names the application that was searched, or why it could not be. */
async function describeNone(
  desktop: DesktopReader,
  seconds: number,
  parent: string | undefined,
  approved: Window | null,
  signal: AbortSignal,
): Promise<Message> {
  try {
    const { app, scope } = await findSearchPlace(desktop, parent, approved, signal);
    await desktop.tree(scope, ROOT_ONLY, signal);
    return message('error.none_appeared_in', { seconds, app: app.name });
  } catch (thrown) {
    const known = thrown instanceof WireError || thrown instanceof DesktopError;
    return known
      ? message('error.none_appeared_because', { seconds, why: thrown.text })
      : message('error.none_appeared', { seconds });
  }
}

const conditionTimeoutError = (text: Message, details: Record<string, unknown>) =>
  new WireError('DESKTOP_TIMEOUT', text, { reason: 'condition', ...details });

const stateTool = ({ references }: ToolDeps, targets: Targets) =>
  defineAction({
    name: 'wait_element_state',
    title: 'Wait for state',
    step: 'lasting',
    waits: ({ timeout }) => timeout,
    does: 'read',
    description: 'Waits until one element is in a state; it is followed even when its text changes.',
    effect: 'disclose',
    needs: ['accessibility'],
    input: z
      .object({
        ...targetFields,
        condition: z.enum(CONDITIONS),
        value: z.string().max(10_000).optional().describe('For text_…'),
        ...TIMES,
      })
      .strict()
      .refine(({ value: _value, ...given }) => namesTarget(given), NEEDS_TARGET)
      .refine(
        ({ condition, value }) => !condition.startsWith('text_') || value !== undefined,
        ruleError('input.text_needs_value'),
      ),
    output: z.object({ condition: z.string(), element: shownSchema.nullable(), elapsed_ms: z.number().int() }),
    subject: readingSubject,
    async plan(ctx, { value: _value, ...given }, signal) {
      if ((given.element_id ?? given.name) === undefined) return waitingPlan(ctx.desktop, given.parent, signal);
      const element = await findPresent(targets, ctx, given, signal);
      if (element === null) return waitingPlan(ctx.desktop, given.parent, signal);
      return processReadingPlan(ctx.desktop, element.pid, signal);
    },
    async run(ctx, { value = '', condition, timeout, poll_interval: stepSeconds, ...given }, signal) {
      const start = performance.now();
      const own = references(ctx.caller.agent.id);
      const original = withApprovedParent(ctx.plan, given);
      let target = original;
      let last: Element | null = null;
      const look = async () => {
        last = inApprovedApp(ctx.plan, await findPresent(targets, ctx, target, signal));
        // From here on this element is followed, even if others fit as well.
        if (last !== null && target === original) target = { element_id: own.refer(last).elementId };
        return meetsCondition(condition, last, value) ? { element: last } : null;
      };
      const found = await poll(look, timeout * 1000, signal, stepSeconds * 1000);
      const elapsed = Math.round(performance.now() - start);
      if (found === null) throw conditionNotMetError(condition, timeout, last, elapsed);
      const element = found.element === null ? null : createElementFormat(own)(found.element);
      return { condition, element, elapsed_ms: elapsed };
    },
    text: ({ element, condition, elapsed_ms: elapsed }) =>
      `${condition} after ${elapsed} ms${element === null ? '' : `: ${elementLine(element)}`}`,
  });

/** Limits a target without a parent to the approved application, whatever comes to the front. */
function withApprovedParent(plan: Plan | null, given: GivenTarget): GivenTarget {
  if (plan?.window == null || given.parent !== undefined || (given.element_id ?? given.name) !== undefined)
    return given;
  return { ...given, parent: appName(plan.window.app) };
}

/** null for an element of another application than the approved one. */
function inApprovedApp(plan: Plan | null, element: Element | null): Element | null {
  const approved = plan?.window?.app.pid;
  return approved === undefined || element?.pid === approved ? element : null;
}

/** The element, or null where it does not exist. Elements hidden from agents are an error. */
async function findPresent(
  targets: Targets,
  ctx: PlanContext,
  given: GivenTarget,
  signal: AbortSignal,
): Promise<Element | null> {
  try {
    return await targets.findToRead(ctx, given, signal, true);
  } catch (thrown) {
    if (isGone(thrown)) return null;
    const reason = thrown instanceof WireError ? thrown.details['reason'] : null;
    if (typeof reason === 'string' && ['stale', 'no_match', 'no_such_place', 'no_such_window'].includes(reason))
      return null;
    throw thrown;
  }
}

function meetsCondition(condition: Condition, element: Element | null, value: string): boolean {
  if (element === null) return condition === 'gone';
  const { states, title } = element;
  const texts = [element.value, title].filter((one) => one !== null);
  const checks: Record<Condition, () => boolean> = {
    gone: () => false,
    enabled: () => states.enabled,
    disabled: () => !states.enabled,
    focused: () => states.focused,
    checked: () => states.checked === true,
    unchecked: () => states.checked === false,
    selected: () => states.selected === true,
    expanded: () => states.expanded === true,
    collapsed: () => states.expanded === false,
    visible: () => states.visible,
    hidden: () => !states.visible,
    text_equals: () => texts.includes(value),
    text_contains: () => texts.some((one) => one.includes(value)),
  };
  return checks[condition]();
}

function conditionNotMetError(condition: Condition, timeout: number, last: Element | null, elapsed: number): WireError {
  const now =
    last === null
      ? null
      : {
          title: truncateWithCount(last.title, 200),
          value: last.value === null ? null : truncateWithCount(last.value, 200),
          states: statesOf(last),
        };
  return conditionTimeoutError(message('error.did_not_become', { condition, seconds: timeout }), {
    elapsedMs: elapsed,
    now,
  });
}
