/** Open cards, kept decisions and pauses on disk: a restarted host asks for what was asked, and stays paused. */
import * as z from 'zod';
import { message, messageOrTextSchema } from '../../messages/index.js';
import { cardSchema, taskScopeSchema } from '../protocol/index.js';
import type { Clock } from './clock.js';
import { requestFactsSchema } from './request-facts.js';
import { cardDigest } from './digest.js';
import { readPrivate, writePrivate } from './files.js';
import { pausesSchema, type PausesFile } from './pauses.js';

const seenSchema = z.object({
  request: z.string(),
  doubts: z.array(z.string()).default([]),
  pixels: z
    .object({ columns: z.number(), rows: z.number(), cells: z.array(z.number()), edge: z.number().optional() })
    .nullable(),
});

const storedCardSchema = z.object({
  key: z.string(),
  card: cardSchema,
  asked: requestFactsSchema,
  seen: seenSchema,
  executionIds: z.array(z.string()),
});
export type StoredCard = z.infer<typeof storedCardSchema>;

const decisionSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('allowed'),
    by: z.literal('person'),
    approvalId: z.string(),
    grantId: z.string().nullable(),
    where: z.string(),
    desktop: z.enum(['own', 'shared']).optional(),
    who: z.string(),
    task: taskScopeSchema.optional(),
    at: z.iso.datetime(),
    waitedMs: z.number(),
  }),
  z.object({
    kind: z.literal('denied'),
    reason: z.literal('denied'),
    by: z.string(),
    who: z.string(),
    approvalId: z.string(),
    message: messageOrTextSchema.nullable(),
    at: z.iso.datetime(),
    waitedMs: z.number(),
  }),
]);
/** What a person decides. */
export type PersonDecision = z.infer<typeof decisionSchema>;

const keptSchema = storedCardSchema.extend({ decision: decisionSchema });
/** A decision made while no caller waited. */
export type KeptDecision = z.infer<typeof keptSchema>;

const fileSchema = z.object({
  version: z.literal(1),
  cards: z.array(storedCardSchema),
  kept: z.array(keptSchema),
  pauses: pausesSchema,
});
type ApprovalsFile = Omit<z.infer<typeof fileSchema>, 'version'>;

interface ApprovalsStore {
  /** Throws when it is not on disk. */
  save(state: ApprovalsFile): void;
}

const NOTHING: PausesFile = { all: null, agents: [] };

/** What the last host left. A file that cannot be read or trusted leaves no cards and no decisions, and agents are paused: a pause may have been in it. */
export function openStore(
  file: string,
  clock: Clock,
  log: (thrown: unknown) => void,
): ApprovalsStore & { last: ApprovalsFile } {
  return { last: load(file, clock, log), save: (state) => writePrivate(file, { version: 1, ...state }) };
}

function load(file: string, clock: Clock, log: (thrown: unknown) => void): ApprovalsFile {
  try {
    const content = readPrivate(file);
    if (content === null) return { cards: [], kept: [], pauses: NOTHING };
    const { cards, kept, pauses } = fileSchema.parse(content);
    const time = clock.read();
    return { cards: cards.filter((one) => isSound(one, time)), kept: kept.filter((one) => isSound(one, time)), pauses };
  } catch (thrown) {
    log(thrown);
    const reason = message('pause.record_unreadable');
    return { cards: [], kept: [], pauses: { all: { by: 'host', at: clock.iso(), reason }, agents: [] } };
  }
}

/** Not expired, not from the future, still the card it was, and one that a later call can take up. */
function isSound({ card, asked }: StoredCard, time: number): boolean {
  if (asked.personOnly) return false;
  const inTime = Date.parse(card.createdAt) <= time && time < Date.parse(card.expiresAt);
  return inTime && cardDigest(card) === card.digest;
}
