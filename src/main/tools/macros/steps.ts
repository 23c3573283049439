/** Which tools may be steps of a plan or macro, and how a list of steps becomes bound actions. */
import * as z from 'zod';
import type { BoundStep } from '../../pipeline/action.js';
import { asWireError } from '../../pipeline/failures.js';
import { readArguments } from '../../pipeline/lenient-arguments.js';
import { WireError, title, subjectWithoutPlace } from '../../protocol/index.js';
import { MAX_STEPS, type MacroStep } from '../../sessions/index.js';
import { invalidRequest } from '../parameters.js';
import { resolveParent } from '../places.js';
import { type Tool, toolGroup } from '../tool.js';
import { message } from '../../../messages/index.js';
import { ruleError } from '../../protocol/input-errors.js';
import { defineAction } from '../../pipeline/define.js';
import { defineSequence } from '../../pipeline/sequence.js';
import { delay } from '../../../base/poll.js';

const LONGEST_PAUSE_S = 60;

export function planTools(steps: Steps): Tool[] {
  const plan = defineSequence({
    name: 'run_plan',
    title: 'Run a plan',
    description:
      'Runs up to 20 steps (other tools) in one call, under a task or one request; stops at the first that fails. Use it for all steps you know, and look with find_elements as a step of it.',
    input: z.object({ steps: stepsSchema, stop_on_no_change: z.boolean().default(false) }).strict(),
    subject: ({ steps: all }) => subjectWithoutPlace(title('title.run_plan', { count: all.length })),
    notes: ({ stop_on_no_change: stop }) => [message(stop ? 'note.stops_at_no_change' : 'note.stops_at_failure')],
    steps: ({ steps: all, stop_on_no_change: mustChange }) => steps.bind(steps.read(all), { mustChange }),
  });

  const wait = defineAction({
    name: 'wait',
    title: 'Wait',
    step: 'lasting',
    waits: ({ duration }) => duration,
    description: 'Waits for a number of seconds, at most 60. wait_element waits for something to appear.',
    effect: 'bookkeeping',
    needs: [],
    input: z.object({ duration: z.number().min(0).max(LONGEST_PAUSE_S) }).strict(),
    output: z.object({ waited: z.number() }),
    subject: ({ duration }) => subjectWithoutPlace(title('title.wait', { seconds: duration })),
    async run(_ctx, { duration }, signal) {
      const start = performance.now();
      const left = (): number => duration * 1000 - (performance.now() - start);
      // A timer may end up to a millisecond early.
      for (let ms = left(); ms > 0; ms = left()) await delay(Math.ceil(ms), signal);
      return { waited: Math.round(performance.now() - start) / 1000 };
    },
    text: ({ waited }) => `Waited ${waited} s.`,
  });

  return toolGroup('plan', { core: [plan], more: [wait] });
}

/** Limit for all waits of one sequence together: it blocks the desktop for other agents. */
const MAX_WAIT_S = 300;
const MAX_TEXT_LENGTH = 100_000;

const argumentsSchema = z.record(z.string(), z.json());

export const stepsSchema = z
  .array(z.object({ tool: z.string().max(100), arguments: argumentsSchema.default({}) }).strict())
  .min(1)
  .max(MAX_STEPS)
  .refine(
    (steps) => JSON.stringify(steps).length <= MAX_TEXT_LENGTH,
    ruleError('input.steps_too_long', { max: MAX_TEXT_LENGTH }),
  );

export type Steps = ReturnType<typeof createSteps>;

export function createSteps(tools: () => readonly Tool[]) {
  /** Names of the tools that may be steps; `lasting`: of a macro as well. Of tools of connected applications none. */
  const namesOf = (lasting = false): string[] =>
    tools()
      .filter(({ action: { step } }) => step === 'lasting' || (!lasting && step === 'now'))
      .map(({ action }) => action.name);

  function bindOne({ tool, arguments: given }: MacroStep, index: number, mustChange: boolean): BoundStep {
    const action = tools().find((one) => one.action.name === tool)?.action;
    if (action?.step === undefined) throw notAStep('error.no_step', index, tool, namesOf());
    if (index > 0 && action.intoFocus === true && namedPlace(given) === null)
      throw invalidRequest(message('error.step_names_no_app', { where: `steps.${index}.arguments` }));
    // An id says nothing to the person while its element does not exist: later targets need role and title.
    const within = isById(given) ? null : namedPlace(given);
    const bound = inStep(index, () => action.bind(given));
    return {
      tool,
      arguments: given,
      bound,
      within:
        within === null ? null : { name: within, find: (ctx, signal) => findNamedApp(ctx.desktop, within, signal) },
      opens: bound.opens ?? null,
      mustChange,
    };
  }

  return {
    /** As the agent wrote them: the arguments of each are read the way those of its tool are. */
    read: (steps: z.infer<typeof stepsSchema>): z.infer<typeof stepsSchema> =>
      steps.map((step) => {
        const schema = tools().find(({ action }) => action.name === step.tool)?.action.input;
        const read = schema === undefined ? step.arguments : readArguments(schema, step.arguments);
        return { ...step, arguments: argumentsSchema.parse(read) };
      }),
    bind(steps: readonly MacroStep[], { mustChange }: { mustChange: boolean }): BoundStep[] {
      const bound = steps.map((step, index) => bindOne(step, index, mustChange));
      if (bound.every(({ bound: { effect } }) => effect === 'bookkeeping' || effect === 'disclose'))
        throw invalidRequest(message('error.no_acting_step'));
      const waits = bound.reduce((sum, { bound: { waits: seconds = 0 } }) => sum + seconds, 0);
      if (waits > MAX_WAIT_S)
        throw invalidRequest(message('error.waits_too_long', { max: MAX_WAIT_S, seconds: waits }));
      return bound;
    },
    /** Throws for steps that a macro cannot hold: screen coordinates, and ids that end with the host. */
    assertDurable(steps: readonly MacroStep[]): void {
      for (const [index, { tool, arguments: given }] of steps.entries()) {
        const lasting = namesOf(true);
        if (!lasting.includes(tool))
          throw notAStep(namesOf().includes(tool) ? 'error.no_lasting_step' : 'error.no_step', index, tool, lasting);
        const temporary = Object.entries(given).find(
          ([, value]) => typeof value === 'string' && isTemporaryName(value),
        );
        if (temporary !== undefined || 'element_id' in given)
          throw invalidRequest(
            message('error.temporary_name', { where: `steps.${index}.arguments.${temporary?.[0] ?? 'element_id'}` }),
          );
      }
    },
  };
}

const nonEmptyText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** `e:12`, `mark:3@…`, and names with a process or window id. */
const isTemporaryName = (value: string): boolean =>
  /^(?:e:\d+|mark:\d+@.*)$/.test(value) ||
  /^applications\/\d+(?:\/|$)/.test(value) ||
  /^applications\/[^/]+\/(?:elements\/|windows\/(?!title:))/.test(value);

const isById = ({ element_id: id, target_element_id: other, name }: Readonly<Record<string, unknown>>): boolean =>
  (id ?? other) !== undefined || (typeof name === 'string' && (isTemporaryName(name) || name.includes('/elements/')));

/** The application named in the arguments, as written there. */
function namedPlace(given: Readonly<Record<string, unknown>>): string | null {
  for (const key of ['parent', 'application', 'name', 'element_id']) {
    const value = nonEmptyText(given[key]);
    const inside = value === null ? null : (/^applications\/([^/]+)/.exec(value)?.[1] ?? null);
    if (inside !== null && inside !== '-') return inside;
    if (inside === null && value !== null && value !== '-' && (key === 'parent' || key === 'application')) return value;
  }
  return null;
}

async function findNamedApp(desktop: Parameters<typeof resolveParent>[0], name: string, signal: AbortSignal) {
  const { app } = await resolveParent(desktop, `applications/${name}`, signal);
  if (app !== null) return app;
  throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.names_no_app', { name }), {
    reason: 'no_such_place',
  });
}

function inStep<T>(index: number, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    const { code, text, details } = asWireError(thrown);
    const at = message('error.at', { where: `steps.${index}`, what: text });
    throw new WireError(code, at, { ...details, step: index + 1 });
  }
}

const notAStep = (
  why: 'error.no_step' | 'error.no_lasting_step',
  index: number,
  tool: string,
  tools: readonly string[],
): WireError =>
  new WireError('DESKTOP_INVALID_REQUEST', message(why, { where: `steps.${index}.tool`, tool }), {
    reason: 'not_a_step',
    tools: [...tools],
    next: `Use: ${tools.join(', ')}. Call others by themselves.`,
  });
