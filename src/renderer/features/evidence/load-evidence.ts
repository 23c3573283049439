/** Loads one action's evidence from the host: first its record, then each file when it is needed. */
import { useEffect, useMemo, useState } from 'react';
import {
  type AnswerTo,
  type Evidence,
  type EvidenceFileName,
  type EvidenceVerdict,
  type FileState,
  callTimesSchema,
  type CallTimes,
} from '../../../main/protocol/index.js';
import type { Ask } from '../../net/host-questions.js';
import { useLoaded, valueOf, type Loaded } from '../../ui/loaded.js';
import * as z from 'zod';
import { planSchema, type ShownPlan } from './elements.js';

const URL_LIFETIME_MS = 10_000;

/** `attempt` rises to ask again. */
export function useEvidence(ask: Ask, executionId: string, attempt: number): Loaded<Evidence> {
  return useLoaded(async () => (await ask('evidence', { executionId })).evidence, `${executionId} ${attempt}`);
}

export interface LoadedFile {
  fileState: FileState;
  /** null unless the file is as it was written. */
  bytes: Uint8Array<ArrayBuffer> | null;
}

export function useFile(ask: Ask, executionId: string, name: EvidenceFileName | null): Loaded<LoadedFile> | null {
  const load = name === null ? null : () => fetchFile(ask, executionId, name);
  const loaded = useLoaded(load, `${executionId} ${name ?? ''}`);
  return name === null ? null : loaded;
}

/** Text that is JSON, or lines of it. `parse` gives null for what it does not know. */
export function useParsedFile<T>(file: Loaded<LoadedFile> | null, parse: (text: string) => T | null): T | null {
  const bytes = valueOf(file)?.bytes ?? null;
  return useMemo(
    () => (bytes === null ? null : nullOnError(() => parse(new TextDecoder().decode(bytes)))),
    [bytes, parse],
  );
}

/** An address for a picture, as long as it is shown. */
export function usePicture(file: Loaded<LoadedFile> | null): string | null {
  const bytes = valueOf(file)?.bytes ?? null;
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (bytes === null) return undefined;
    const made = URL.createObjectURL(new Blob([bytes], { type: 'image/png' }));
    setUrl(made);
    return () => {
      setUrl(null);
      // Later, because the picture may still be decoding.
      setTimeout(() => URL.revokeObjectURL(made), URL_LIFETIME_MS);
    };
  }, [bytes]);
  return url;
}

/** `attempt` rises to check again; before the first there is nothing. */
export function useVerification(ask: Ask, executionId: string, attempt: number): Loaded<EvidenceVerdict> | null {
  const load = attempt === 0 ? null : async () => (await ask('verifyEvidence', { executionId })).verdict;
  const loaded = useLoaded(load, `${executionId} ${attempt}`);
  return attempt === 0 ? null : loaded;
}

async function fetchFile(ask: Ask, executionId: string, name: EvidenceFileName): Promise<LoadedFile> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let offset: number | null = 0;
  while (offset !== null) {
    const part: AnswerTo<'evidenceFile'> = await ask('evidenceFile', { executionId, name, offset });
    if (part.fileState !== 'as_written') return { fileState: part.fileState, bytes: null };
    parts.push(bytesOf(part.base64));
    offset = part.next;
  }
  return { fileState: 'as_written', bytes: new Uint8Array(await new Blob(parts).arrayBuffer()) };
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}

function nullOnError<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch {
    return null;
  }
}

/** trace.jsonl as steps a person can read, and what result.json adds. */
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
