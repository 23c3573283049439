/** Open cards, kept decisions and pauses on disk: a restarted host asks for what was asked, and stays paused. */
import * as z from 'zod';
import { messageOrTextSchema, type Message, message } from '../../messages/index.js';
import { agentSchema, type Agent, cardSchema, REQUEST_TIME, taskScopeSchema } from '../protocol/index.js';
import type { Clock } from './clock.js';
import { requestFactsSchema } from './request-facts.js';
import { cardDigest } from './digest.js';
import { readPrivate, writePrivate } from './files.js';

// Which agents are paused, and why. Stored with the cards, because killing the host must not lift a pause.

const pausedSchema = z.object({ by: z.string(), at: z.iso.datetime(), reason: messageOrTextSchema });
type Paused = z.infer<typeof pausedSchema>;
const pausesSchema = z.object({
  all: pausedSchema.nullable(),
  /** `agent`: as it was when it was paused. */
  agents: z.array(z.object({ id: z.string(), paused: pausedSchema, agent: agentSchema.nullable().default(null) })),
});
type PausesFile = z.infer<typeof pausesSchema>;
export type PausedAgent = PausesFile['agents'][number];

export type Pauses = ReturnType<typeof createPauses>;

const MAX_DENIALS = 3;
const MINUTE_MS = 60_000;

/** `pausedIdentityOf`: the agent whose pause also holds this one. */
export function createPauses(
  clock: Clock,
  from: PausesFile,
  pausedIdentityOf: (agentId: string) => string = (agentId) => agentId,
) {
  let all = from.all;
  const agents = new Map(from.agents.map((one) => [one.id, one]));
  const denials = new Map<string, number[]>();

  const ofAgent = (agentId: string) => (agents.get(agentId) ?? agents.get(pausedIdentityOf(agentId)))?.paused ?? null;
  const isSame = (agentId: string, other: string) =>
    agentId === other || pausedIdentityOf(agentId) === pausedIdentityOf(other);

  return {
    /** The pause that keeps this agent from acting: of all agents, or its own; null when it may act. */
    holding: (agentId: string): Paused | null => all ?? ofAgent(agentId),
    /** The pause of all agents. */
    ofAll: (): Paused | null => all,
    /** This agent's own pause. */
    ofAgent,
    /** Agents with a pause of their own, except these and those that share a pause with one of them. */
    others: (agentIds: readonly string[]): PausedAgent[] =>
      [...agents.values()].filter(({ id }) => !agentIds.some((one) => isSame(one, id))),
    /** Whether a pause of one also holds the other. */
    isSame,
    /** For the status: the pause of all agents, else the first agent's own. */
    shown: (): Paused | null => all ?? agents.values().next().value?.paused ?? null,
    set({ by, reason }: { by: string; reason: Message }, agentId: string | null, agent: Agent | null = null): void {
      const paused = { by, reason, at: clock.iso() };
      if (agentId === null) all = paused;
      else agents.set(agentId, { id: agentId, paused, agent: agent ?? agents.get(agentId)?.agent ?? null });
    },
    /** `null` lifts every pause. */
    lift(agentId: string | null): void {
      if (agentId === null) {
        all = null;
        agents.clear();
        return;
      }
      agents.delete(pausedIdentityOf(agentId));
      agents.delete(agentId);
    },
    file: (): PausesFile => ({ all, agents: [...agents.values()] }),
    /** Counts a denial by the person. Returns true for the third within a minute, over all processes of the program. */
    countDenial(program: string): boolean {
      const time = clock.read();
      for (const [old, times] of denials) if (times.every((at) => at <= time - MINUTE_MS)) denials.delete(old);
      const recent = [...(denials.get(program) ?? []), time].filter((at) => at > time - MINUTE_MS);
      denials.set(program, recent);
      if (recent.length < MAX_DENIALS) return false;
      denials.delete(program);
      return true;
    },
  };
}

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
  const [created, end] = [Date.parse(card.createdAt), Date.parse(card.expiresAt)];
  const inTime = created <= time && time < end && end - created <= REQUEST_TIME.longestMs;
  return inTime && cardDigest(card) === card.digest;
}
