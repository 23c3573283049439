/** Results of the steps of a sequence, for the agent and for the record. Pure. */
import * as z from 'zod';
import { verifiedSchema, WireError, type Verified } from '../protocol/index.js';
import { withoutNothingDone } from './failures.js';
import { message } from '../../messages/index.js';

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

export const sequenceSchema = z.object({ done: unpublished(z.number().int()), steps: z.array(stepSchema) });
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
