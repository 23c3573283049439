/** Which agents are paused, and why. Stored with the cards, because killing the host must not lift a pause. */
import * as z from 'zod';
import { messageOrTextSchema, type Message } from '../../messages/index.js';
import { agentSchema, type Agent } from '../protocol/index.js';
import type { Clock } from './clock.js';

const pausedSchema = z.object({ by: z.string(), at: z.iso.datetime(), reason: messageOrTextSchema });
type Paused = z.infer<typeof pausedSchema>;
export const pausesSchema = z.object({
  all: pausedSchema.nullable(),
  /** `agent`: as it was when it was paused. */
  agents: z.array(z.object({ id: z.string(), paused: pausedSchema, agent: agentSchema.nullable().default(null) })),
});
export type PausesFile = z.infer<typeof pausesSchema>;
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
