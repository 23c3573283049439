/** trace.jsonl as steps a person can read, and what result.json adds. */
import * as z from 'zod';
import { callTimesSchema, type CallTimes } from '../../../main/protocol/index.js';
import { planSchema, type ShownPlan } from './elements.js';

export interface TraceStep {
  /** Of a plan or macro, from 1; null for what one act did itself. */
  number: number | null;
  name: string;
  at: string | null;
  facts: [name: string, value: string][];
}

const MAX_STEPS = 300;

export interface ShownTrace {
  steps: TraceStep[];
  /** Not listed here. */
  more: number;
  /** null for calls that were recorded before times were kept. */
  times: CallTimes | null;
}

export function parseTrace(text: string): ShownTrace {
  const lines = text.split('\n').filter((line) => line !== '');
  const times = timesOf(lines.at(-1));
  const listed = times === null ? lines : lines.slice(0, -1);
  return {
    steps: listed.slice(0, MAX_STEPS).map(stepOf),
    more: Math.max(0, listed.length - MAX_STEPS),
    times,
  };
}

const timesLineSchema = callTimesSchema.extend({ step: z.literal('timing') });

/** The last line of a trace, where it says how long the call's stages took. */
function timesOf(line: string | undefined): CallTimes | null {
  return line === undefined ? null : (timesLineSchema.safeParse(parseLine(line)).data ?? null);
}

const lineSchema = z.record(z.string(), z.unknown());

function stepOf(line: string): TraceStep {
  const parsed = lineSchema.safeParse(parseLine(line));
  if (!parsed.success) return { number: null, name: '', at: null, facts: [['', line]] };
  const { at, step, ...rest } = parsed.data;
  const { tool, ...others } = rest;
  const inPlan = typeof step === 'number';
  const facts = Object.entries(inPlan ? others : rest).filter(([, value]) => value !== null && value !== '');
  return {
    number: inPlan ? step : null,
    name: inPlan ? oneLine(tool) : oneLine(step),
    at: typeof at === 'string' ? at : null,
    facts: facts.map(([name, value]) => [name, oneLine(value)]),
  };
}

/** A value as one line. */
export function oneLine(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const resultSchema = z.object({
  effect: z.object({ before: z.unknown(), after: z.unknown() }).catch({ before: null, after: null }),
  plan: planSchema.nullable().catch(null),
  result: z.unknown(),
});

export interface ShownResult {
  before: unknown;
  after: unknown;
  plan: ShownPlan | null;
  result: unknown;
}

export function parseResult(text: string): ShownResult | null {
  const parsed = resultSchema.safeParse(JSON.parse(text));
  if (!parsed.success) return null;
  const { effect, plan, result } = parsed.data;
  return { before: effect.before ?? null, after: effect.after ?? null, plan, result };
}
