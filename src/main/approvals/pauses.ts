/** Who is paused, and why. On disk with the cards, because killing the host must not lift a pause. */
import * as z from 'zod';
import { messageOrTextSchema, type Message } from '../../messages/index.js';
import { agentSchema } from '../protocol/index.js';
import type { Agent } from '../protocol/index.js';
import type { Clock } from './clock.js';

const pausedSchema = z.object({ by: z.string(), at: z.iso.datetime(), reason: messageOrTextSchema });
type Paused = z.infer<typeof pausedSchema>;
export const pausesSchema = z.object({
  all: pausedSchema.nullable(),
  /** `agent`: who it was when it was paused. */
  agents: z.array(z.object({ id: z.string(), paused: pausedSchema, agent: agentSchema.nullable().default(null) })),
});
export type PausesFile = z.infer<typeof pausesSchema>;
export type PausedAgent = PausesFile['agents'][number];

export interface Pauses {
  /** Why this agent may not act now; null when it may. */
  holding(agentId: string): Paused | null;
  /** The pause of all agents alone. */
  ofAll(): Paused | null;
  /** The pause of this agent alone. */
  ofAgent(agentId: string): Paused | null;
  /** Paused agents that none of these is, or stands for. */
  others(agentIds: readonly string[]): PausedAgent[];
  /** A pause of the one holds the other. */
  isSame(agentId: string, other: string): boolean;
  /** What pages show: the pause of all agents, else the first of one. */
  shown(): Paused | null;
  set(paused: { by: string; reason: Message }, agentId: string | null, agent?: Agent | null): void;
  /** Without an agent, everything is lifted. */
  lift(agentId: string | null): void;
  file(): PausesFile;
  /** Counts a person's No to this program, however often it was started; true when it was the third within a minute. */
  countDenial(program: string): boolean;
}

const DENIALS = 3;
const MINUTE_MS = 60_000;

/** `standsFor`: the agent whose pause counts for this one, by default itself. */
export function createPauses(
  clock: Clock,
  from: PausesFile,
  standsFor: (agentId: string) => string = (agentId) => agentId,
): Pauses {
  let all = from.all;
  const agents = new Map(from.agents.map((one) => [one.id, one]));
  const denials = new Map<string, number[]>();

  const alone = (agentId: string) => (agents.get(agentId) ?? agents.get(standsFor(agentId)))?.paused ?? null;
  const same = (agentId: string, other: string) => agentId === other || standsFor(agentId) === standsFor(other);

  return {
    holding: (agentId) => all ?? alone(agentId),
    ofAll: () => all,
    ofAgent: alone,
    others: (agentIds) => [...agents.values()].filter(({ id }) => !agentIds.some((one) => same(one, id))),
    isSame: same,
    shown: () => all ?? agents.values().next().value?.paused ?? null,
    set({ by, reason }, agentId, agent = null) {
      const paused = { by, reason, at: clock.iso() };
      if (agentId === null) all = paused;
      else agents.set(agentId, { id: agentId, paused, agent: agent ?? agents.get(agentId)?.agent ?? null });
    },
    lift(agentId) {
      if (agentId === null) {
        all = null;
        agents.clear();
        return;
      }
      agents.delete(standsFor(agentId));
      agents.delete(agentId);
    },
    file: () => ({ all, agents: [...agents.values()] }),
    countDenial(program) {
      const time = clock.read();
      for (const [old, times] of denials) if (times.every((at) => at <= time - MINUTE_MS)) denials.delete(old);
      const recent = [...(denials.get(program) ?? []), time].filter((at) => at > time - MINUTE_MS);
      denials.set(program, recent);
      if (recent.length < DENIALS) return false;
      denials.delete(program);
      return true;
    },
  };
}
