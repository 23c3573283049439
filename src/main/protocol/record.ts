/** Reading the record: activity by pages, thumbnails, and the evidence of one action. For paired pages only. */
import * as z from 'zod';
import { effectSchema } from './effects.js';
import { activitySchema, agentSchema, outcomeSchema, pictureSchema, type Activity } from './shown.js';
import { englishTitle, type Subject } from './subject.js';
import { formatEnglish, messageOrTextSchema, messageSchema } from '../../messages/index.js';

/** In the order in which a call passes them; a sequence repeats some for each step. */
export const CALL_STAGES = [
  'begin',
  'turn',
  'plan',
  'picture',
  'decide',
  'lane',
  'restore',
  'compare',
  'before',
  'started',
  'scroll',
  'baseline',
  'act',
  'verify',
  'after',
  'record',
] as const;
export type CallStage = (typeof CALL_STAGES)[number];

const ms = z.number().nonnegative();

export const callTimesSchema = z.object({
  totalMs: ms,
  stages: z.array(z.object({ stage: z.enum(CALL_STAGES), ms })),
  /** Per method of the desktop: how often it was called and for how long in all. Concurrent calls overlap. */
  desktop: z.array(z.object({ method: z.string(), calls: z.int().positive(), ms })),
});
export type CallTimes = z.infer<typeof callTimesSchema>;

const iso = z.iso.datetime();
const request = z.uuid();

const activityFilterSchema = z.object({
  agent: z.string().max(500).optional(),
  effect: effectSchema.optional(),
  outcome: outcomeSchema.optional(),
  app: z.string().max(200).optional(),
  /** Whole words that all occur. Beginnings of words would make a long record slow to search. */
  text: z.string().max(200).optional(),
});
export type ActivityFilter = z.infer<typeof activityFilterSchema>;

/** For new rows on the page; the host asks its database the same (evidence/index-queries.ts). */
export function matchesFilter(filter: ActivityFilter, row: Activity): boolean {
  const app = row.subject.app ?? '';
  return (
    (filter.agent === undefined || filter.agent === row.agent.name) &&
    (filter.effect === undefined || filter.effect === row.effect) &&
    (filter.outcome === undefined || filter.outcome === row.outcome) &&
    (filter.app === undefined || app.toLowerCase().includes(filter.app.toLowerCase())) &&
    (filter.text === undefined || hasWords(row, wordsOf(filter.text)))
  );
}

function hasWords(row: Activity, sought: readonly string[]): boolean {
  const words = new Set(searchedWords(row).split(' '));
  return sought.every((word) => words.has(word));
}

/** For FTS5: the same, in its language. A word has letters and digits only. undefined where there is none. */
export function searchExpression(text: string): string | undefined {
  const words = wordsOf(text).map((word) => `"${word}"`);
  return words.length === 0 ? undefined : words.join(' ');
}

const MAX_SEARCHED_TEXT = 1_000;

/** What an action is searched by: its title in English, its names, its agent, and why it failed. Each word once. */
export function searchedWords({
  tool,
  agent,
  subject,
  note,
}: Pick<Activity, 'tool' | 'agent' | 'subject' | 'note'>): string {
  const { target, point, app, place } = subject;
  const texts = [tool, agent.name, titleInEnglish(subject), target, point, app, place, note && formatEnglish(note)];
  const text = texts.map((one) => one?.slice(0, MAX_SEARCHED_TEXT) ?? '').join(' ');
  return [...new Set(wordsOf(text))].join(' ');
}

/** The record has it: making it takes as long as all the rest. */
const titleInEnglish = (subject: Subject): string =>
  'text' in subject.title && typeof subject.title.text === 'string' ? subject.title.text : englishTitle(subject);

/** Without case and accents. Chinese and Japanese have no spaces: each of their signs is a word. */
function wordsOf(text: string): string[] {
  if (ASCII.test(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().match(WORD) ?? [];
}

const ASCII = /^[\0-\x7f]*$/;
const SIGN = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}';
const WORD = new RegExp(`[${SIGN}]|(?:(?![${SIGN}])[\\p{L}\\p{N}])+`, 'gu');

export const ACTIVITY_PAGE_ROWS = 100;
const THUMBNAILS_AT_ONCE = 24;

/** A file compared with its hash in the record. */
const fileStateSchema = z.enum(['as_written', 'edited', 'missing', 'unrecorded', 'unreadable', 'too_big']);
export type FileState = z.infer<typeof fileStateSchema>;

/** All file names that an evidence folder may have. */
export const EVIDENCE_FILE_NAMES = [
  'before.png',
  'after.png',
  'observe.png',
  'ax.json',
  'trace.jsonl',
  'result.json',
] as const;
export const evidenceNameSchema = z.enum(EVIDENCE_FILE_NAMES);
export type EvidenceFileName = z.infer<typeof evidenceNameSchema>;

/** Older actions are not found yet: so many percent of them were read; null where they cannot be indexed. */
const unindexedSchema = z.object({ percent: z.number().int().nullable() });
export type UnindexedPart = z.infer<typeof unindexedSchema>;

/** A line of the record. `hash`: its first digits. */
const recordLineSchema = z.object({
  seq: z.number().int(),
  hash: z.string(),
  activity: activitySchema.nullable(),
});

const evidenceSchema = z.object({
  state: z.enum(['open', 'ended', 'abandoned', 'deleted']),
  activity: activitySchema.nullable(),
  agent: agentSchema,
  tool: z.string(),
  protocol: z.string(),
  workspace: z.string(),
  requestId: z.string(),
  requestDigest: z.string(),
  /** When it was requested; `startedAt`: when it first used the desktop. */
  since: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  decision: z.json().nullable(),
  error: z.object({ code: z.string(), message: messageOrTextSchema }).nullable(),
  incomplete: z.boolean(),
  dir: z.string().nullable(),
  files: z.array(
    z.object({
      name: evidenceNameSchema,
      bytes: z.number().int(),
      fileState: fileStateSchema,
      /** Not in the workspace: the agent might not see what it shows. */
      kept: z.literal(true).optional(),
    }),
  ),
  deleted: z.object({ at: z.string(), reason: z.enum(['age', 'quota']) }).nullable(),
  /** The line no longer matches its hash; the activity is shown as the host remembers it. */
  lineDamaged: z.boolean(),
  line: recordLineSchema.nullable(),
  previous: recordLineSchema.nullable(),
  newest: recordLineSchema.nullable(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

const verdictSchema = z.object({
  ok: z.boolean(),
  /** Of this action's own files and line. */
  problems: z.array(messageSchema),
  /** Of the whole record: the first few. */
  recordProblems: z.array(messageSchema),
  recordProblemCount: z.number().int(),
  lines: z.number().int(),
  at: iso,
});
export type EvidenceVerdict = z.infer<typeof verdictSchema>;

export const recordQuestions = [
  z.object({
    type: z.literal('activityPage'),
    request,
    /** Rows before this number; null: the newest. */
    before: z.number().int().nullable(),
    filter: activityFilterSchema,
  }),
  z.object({
    type: z.literal('thumbnails'),
    request,
    executionIds: z.array(z.uuid()).min(1).max(THUMBNAILS_AT_ONCE),
  }),
  z.object({ type: z.literal('evidence'), request, executionId: z.uuid() }),
  z.object({
    type: z.literal('evidenceFile'),
    request,
    executionId: z.uuid(),
    name: evidenceNameSchema,
    offset: z.number().int().min(0),
  }),
  z.object({ type: z.literal('verifyEvidence'), request, executionId: z.uuid() }),
] as const;

export const recordAnswers = [
  z.object({
    type: z.literal('activityPage'),
    request,
    rows: z.array(activitySchema),
    /** `before` of the next page; null: there is none. */
    next: z.number().int().nullable(),
    /** All that fit the filter; null where older rows were not looked at yet: a page of few rows or none may have a next one. */
    total: z.number().int().nullable(),
    /** Rows of this page that no longer match their hash. */
    damaged: z.number().int(),
    agents: z.array(z.string()),
    older: unindexedSchema.optional(),
  }),
  z.object({
    type: z.literal('thumbnails'),
    request,
    pictures: z.array(z.object({ executionId: z.uuid(), picture: pictureSchema.nullable() })),
  }),
  z.object({ type: z.literal('evidence'), request, evidence: evidenceSchema }),
  z.object({
    type: z.literal('evidenceFile'),
    request,
    fileState: fileStateSchema,
    /** Of the whole file. */
    bytes: z.number().int(),
    /** One part of it; empty unless the file matches its hash. */
    base64: z.string(),
    next: z.number().int().nullable(),
  }),
  z.object({ type: z.literal('verifyEvidence'), request, verdict: verdictSchema }),
] as const;
