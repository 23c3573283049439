import { title as titled, subjectWithoutPlace, type Agent } from '../../protocol/index.js';
import * as z from 'zod';
import { defineAction } from '../../pipeline/define.js';
import { defineSequence } from '../../pipeline/sequence.js';
import {
  MAX_PARAMETERS,
  parameterName,
  MAX_STEPS,
  durableStep,
  fill,
  literal,
  parameterize,
  placeholders,
  type Macro,
  type MacroStep,
  type RecordedAct,
  type Sessions,
} from '../../sessions/index.js';
import { alias, unpublished, invalidRequest, listSubject, lookUpSubject } from '../parameters.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import { moreLines, pageFields, pageResult } from '../paging.js';
import { stepsSchema, type Steps } from './steps.js';
import { message } from '../../../messages/index.js';
import { ruleError } from '../../protocol/input-errors.js';

// Makes macros from recorded acts or given steps, and steps from macros.

interface Source {
  from_session?: string | undefined;
  execution_ids?: string[] | undefined;
  steps?: Macro['steps'] | undefined;
  parameters: { name: string; description: string; default?: string | undefined }[];
}

function createDrafts(sessions: Pick<Sessions, 'recorded' | 'recordedBy'>, steps: Steps) {
  function recorded(agentId: string, { from_session: session, execution_ids: ids }: Source): MacroStep[] {
    const acts = session === undefined ? sessions.recordedBy(agentId, ids ?? []) : sessions.recorded(agentId, session);
    if (acts.length === 0) throw invalidRequest(message('error.nothing_recorded'), 'nothing_recorded');
    if (acts.length > MAX_STEPS)
      throw invalidRequest(message('error.recorded_too_much', { count: acts.length, max: MAX_STEPS }), 'too_long');
    return acts.map(toStep);
  }

  return {
    make(agentId: string, source: Source): Pick<Macro, 'steps' | 'parameters'> {
      const given = [source.from_session, source.execution_ids, source.steps].filter((one) => one !== undefined);
      if (given.length !== 1) throw invalidRequest(message('error.one_source'), 'invalid_params');
      const parameters = source.parameters.map((one) => ({ ...one, default: one.default ?? null }));
      const twice = parameters.find((one, index) => parameters.findIndex(({ name }) => name === one.name) !== index);
      if (twice !== undefined)
        throw invalidRequest(message('error.parameter_twice', { name: twice.name }), 'invalid_params');
      const made =
        source.steps === undefined
          ? stepsSchema.parse(withParameters(recorded(agentId, source), parameters))
          : steps.read(source.steps);
      steps.assertDurable(made);
      assertParameters(made, parameters);
      assertRunnable(steps, made, parameters);
      return { steps: made, parameters };
    },
  };
}

/** The steps of a macro with parameter values, which are inserted as plain data. */
function fillParameters({ steps, parameters }: Macro, given: Readonly<Record<string, string>>): MacroStep[] {
  const unknown = Object.keys(given).find((key) => !parameters.some(({ name }) => name === key));
  if (unknown !== undefined)
    throw invalidRequest(
      message('error.unknown_parameter', {
        name: unknown.slice(0, 60),
        has: parameters.length === 0 ? 'none' : 'other',
        names: parameters.map(({ name }) => name).join(', '),
      }),
      'unknown_parameter',
    );
  const values = new Map<string, string>();
  for (const { name, default: usual } of parameters) {
    const value = Object.hasOwn(given, name) ? given[name] : usual;
    if (value === undefined || value === null)
      throw invalidRequest(message('error.parameter_required', { name }), 'missing_parameter');
    values.set(name, value);
  }
  return fill(steps, values);
}

function toStep(act: RecordedAct): MacroStep {
  const step = durableStep(act);
  if (typeof step === 'string')
    throw invalidRequest(
      message('error.not_durable', { tool: act.tool, id: act.executionId, why: step === 'nameless' ? 'other' : step }),
      'not_durable',
    );
  return literal(step);
}

/** Replaces a recorded text that equals a parameter’s default with that parameter. */
function withParameters(steps: MacroStep[], parameters: Macro['parameters']): MacroStep[] {
  return parameters.reduce((all, { name, default: usual }) => {
    const changed = usual === null ? null : parameterize(all, literal(usual), name);
    if (changed !== null) return changed;
    throw invalidRequest(message('error.default_not_recorded', { name }), 'not_recorded');
  }, steps);
}

function assertParameters(steps: Macro['steps'], parameters: Macro['parameters']): void {
  const { names, stray } = placeholders(steps.map((step) => step.arguments));
  if (stray)
    throw invalidRequest(
      message('error.stray_braces', { opening: '{{', example: '{{name}}', escaped: '{{{{' }),
      'stray_braces',
    );
  const undeclared = [...names].find((name) => !parameters.some((one) => one.name === name));
  if (undeclared !== undefined)
    throw invalidRequest(message('error.undeclared_parameter', { name: `{{${undeclared}}}` }), 'undeclared');
  const unused = parameters.find(({ name }) => !names.has(name));
  if (unused !== undefined) throw invalidRequest(message('error.unused_parameter', { name: unused.name }), 'unused');
}

/** Checks the steps as they would run with the default values. */
function assertRunnable(steps: Steps, made: Macro['steps'], parameters: Macro['parameters']): void {
  if (parameters.some((one) => one.default === null)) return;
  steps.bind(fill(made, new Map(parameters.map((one) => [one.name, one.default ?? '']))), { mustChange: false });
}

const name = z.string().min(1).max(200).describe('macros/{id}');
const parameter = z
  .object({
    name: parameterName,
    description: z.string().max(500).default(''),
    default: z.string().max(10_000).optional(),
  })
  .strict();
const listed = z.object({
  name: z.string(),
  display_name: z.string(),
  description: unpublished(z.string()),
  parameters: z.array(z.string()),
  steps: unpublished(z.number().int()),
  recorded_by: unpublished(z.string()),
});

interface Named {
  macro?: string | undefined;
  name?: string | undefined;
}

export function macroTools(
  { macros, sessions, pages }: Pick<ToolDeps, 'macros' | 'sessions' | 'pages'>,
  steps: Steps,
): Tool[] {
  const drafts = createDrafts(sessions, steps);
  const findMacro = ({ macro, name: other }: Named, agent: Agent | undefined) =>
    macros.get(macro ?? other ?? '', agent);

  const create = defineAction({
    name: 'create_macro',
    title: 'Create macro',
    description:
      'Saves steps, or acts of a session or of executions, to run again. {{name}} in a text is a parameter, as is a recorded text equal to its default.',
    effect: 'bookkeeping',
    needs: [],
    input: z
      .object({
        display_name: z.string().min(1).max(200),
        description: z.string().max(2000).default(''),
        from_session: z.string().max(200).optional(),
        execution_ids: z.array(z.string().max(100)).min(1).max(100).optional(),
        steps: stepsSchema.optional(),
        parameters: z.array(parameter).max(MAX_PARAMETERS).default([]),
      })
      .strict(),
    output: z.object({ name: z.string(), steps: unpublished(z.number().int()) }),
    subject: ({ display_name: title }) => subjectWithoutPlace(titled('title.save_macro'), title),
    async run({ caller }, { display_name, description, ...source }) {
      const draft = drafts.make(caller.agent.id, source);
      const macro = macros.create({ display_name, description, ...draft }, caller.agent);
      return { name: macro.name, steps: macro.steps.length };
    },
    text: (one) => `${one.name}, ${stepsOf(one)}.`,
  });

  const get = defineAction({
    name: 'get_macro',
    title: 'Get macro',
    description: 'One macro with its steps and parameters.',
    effect: 'read',
    needs: [],
    input: z.object({ name }).strict(),
    output: listed.extend({
      created_at: unpublished(z.string()),
      parameters: z.array(
        z.object({
          name: z.string(),
          description: unpublished(z.string()),
          default: unpublished(z.string().nullable()),
        }),
      ),
      steps: z.array(z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) })),
    }),
    subject: (given) => lookUpSubject('macro', given.name),
    async run({ caller }, { name: which }) {
      const { by, ...macro } = macros.get(which, caller.agent);
      return { ...macro, recorded_by: by.name };
    },
    text: (one) =>
      [
        `${one.name} “${one.display_name}”, recorded by ${one.recorded_by} ${one.created_at}. ${one.description}`.trim(),
        ...one.parameters.map(
          (each) =>
            `{{${each.name}}} ${each.description} ${each.default === null ? '(required)' : `default: ${each.default}`}`,
        ),
        ...one.steps.map((step, index) => `${index + 1}. ${step.tool} ${JSON.stringify(step.arguments)}`),
      ].join('\n'),
  });

  const list = defineAction({
    name: 'list_macros',
    title: 'List macros',
    description: 'The macros you recorded, oldest first.',
    effect: 'read',
    needs: [],
    input: z.object(pageFields).strict(),
    output: z.object({ macros: z.array(listed), problem: unpublished(z.string().nullable()), ...pageResult }),
    subject: () => listSubject('macros'),
    async run({ caller }, given) {
      const { items, ...page } = await pages.page(caller, 'list_macros', given, async () => macros.list(caller.agent));
      const rows = items.map(({ by, created_at: _at, parameters, steps: all, ...macro }) => ({
        ...macro,
        parameters: parameters.map((one) => one.name),
        steps: all.length,
        recorded_by: by.name,
      }));
      return { macros: rows, problem: macros.problem, ...page };
    },
    text: ({ macros: all, problem, next_page_token: next }) =>
      [
        ...(problem === null ? [] : [problem]),
        ...all.map(
          (one) =>
            `${one.name} “${one.display_name}”, ${stepsOf(one)} (${one.parameters.join(', ') || 'no parameters'})`,
        ),
        ...moreLines(next),
      ].join('\n') || 'No macros.',
  });

  const execute = defineSequence({
    name: 'execute_macro',
    title: 'Run macro',
    description:
      'Runs a macro under one approval, its parameters filled in; stops at the first step that fails or has changed.',
    input: z
      .object({
        macro: name.optional(),
        name: alias(name),
        parameter_values: z.record(z.string().max(100), z.string().max(10_000)).default({}),
      })
      .strict()
      .refine((given) => (given.macro ?? given.name) !== undefined, ruleError('input.give', { name: 'macro' }))
      .meta({ required: ['macro'] }),
    subject: (given, agent) => subjectWithoutPlace(titled('title.run_macro'), findMacro(given, agent).display_name),
    notes(given, agent) {
      const { by, created_at: at } = findMacro(given, agent);
      return [
        message('note.recorded_by', { agent: by.name, program: by.script ?? by.executable, day: at.slice(0, 10) }),
        message('note.stops_at_failure'),
      ];
    },
    steps: (given, agent) =>
      steps.bind(fillParameters(findMacro(given, agent), given.parameter_values), { mustChange: false }),
  });

  const remove = defineAction({
    name: 'delete_macro',
    deletes: true,
    title: 'Delete macro',
    description: 'Deletes a macro that you recorded.',
    effect: 'bookkeeping',
    needs: [],
    input: z.object({ name }).strict(),
    output: z.object({ deleted: z.string() }),
    subject: (given) => subjectWithoutPlace(titled('title.delete_macro'), given.name),
    run: async ({ caller }, { name: which }) => ({ deleted: macros.remove(which, caller.agent).name }),
    text: ({ deleted }) => `${deleted} is deleted.`,
  });

  return toolGroup('macro', { more: [create, get, list, execute, remove] });
}

const stepsOf = ({ steps }: { steps: number }): string => `${steps} step${steps === 1 ? '' : 's'}`;
