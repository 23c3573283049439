/** Pure: what became of each step of a sequence, for the agent and for the record. */
import * as z from 'zod';
import { verifiedSchema, WireError } from '../protocol/index.js';
import type { Verified } from '../protocol/index.js';

/** Always there, and not published: its name says it. */
const plain = <T extends z.ZodType>(schema: T) => schema.meta({ unpublished: true });

const stepSchema = z.object({
  index: plain(z.number().int()),
  tool: z.string(),
  status: z.enum(['done', 'failed', 'skipped']),
  effect: verifiedSchema.nullable(),
  before: plain(z.string().nullable()),
  after: plain(z.string().nullable()),
  /** What its tool said, or its error. */
  said: plain(z.string().nullable()),
});
export type StepResult = z.infer<typeof stepSchema>;

export const sequenceSchema = z.object({ done: plain(z.number().int()), steps: z.array(stepSchema) });
export type SequenceResult = z.infer<typeof sequenceSchema>;

export const notRun = (tools: readonly string[]): StepResult[] =>
  tools.map((tool, index) => ({
    index: index + 1,
    tool,
    status: 'skipped',
    effect: null,
    before: null,
    after: null,
    said: null,
  }));

/** Only what all of them say: one step of which nothing is known makes the whole unverified. */
export function overall(effects: readonly Verified[]): Verified {
  const [first = 'unverified'] = effects;
  return effects.every((effect) => effect === first) ? first : 'unverified';
}

/** What a single act says of itself holds for a step only. */
export const bareWords = (message: string): string => message.replace(/^Nothing was done: /, '');

/** The failure of one step, told with what was done before it. `acted`: trying the same again would do that twice. */
export function stepFailed(
  failed: StepResult,
  error: WireError,
  steps: readonly StepResult[],
  acted: boolean,
): WireError {
  const { index, tool } = failed;
  const done = steps.filter(({ status }) => status === 'done').length;
  const left = steps.length - index;
  const what = [
    done === 0 ? 'No step before it' : done === 1 ? '1 step before it was done' : `${done} steps before it were done`,
    left === 0 ? 'it was the last' : `${left} after it ${left === 1 ? 'was' : 'were'} not tried`,
  ].join('; ');
  const next = acted ? { next: 'Look at what is there now; make a new plan of what is still to be done.' } : {};
  return new WireError(
    error.code,
    `Step ${index} of ${steps.length} (${tool}) failed: ${bareWords(error.message)} ${what}.`,
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

const LONGEST = 200;
const MOST_LINES = 3;

/** Before and after in a few words. */
export function brief(what: unknown): string | null {
  if (what === null || what === undefined) return null;
  const text = Array.isArray(what) ? what.slice(0, MOST_LINES).map(words).join('; ') : words(what);
  return text === '' ? null : cut(text);
}

const words = (what: unknown): string => (typeof what === 'string' ? what : JSON.stringify(what));
export const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
