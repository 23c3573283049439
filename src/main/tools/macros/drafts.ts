/** Makes macros from recorded acts or given steps, and steps from macros. */
import { invalidRequest } from '../parameters.js';
import {
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
import { stepsSchema, type Steps } from './steps.js';
import { message } from '../../../messages/index.js';

interface Source {
  from_session?: string | undefined;
  execution_ids?: string[] | undefined;
  steps?: Macro['steps'] | undefined;
  parameters: { name: string; description: string; default?: string | undefined }[];
}

export function createDrafts(sessions: Pick<Sessions, 'recorded' | 'recordedBy'>, steps: Steps) {
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
export function fillParameters({ steps, parameters }: Macro, given: Readonly<Record<string, string>>): MacroStep[] {
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
