import { Stopped } from '../../pipeline/failures.js';
import type { Executions } from '../../pipeline/executions.js';
import type { Approvals, Where } from '../../approvals/index.js';
import type { Agents } from '../../agents/index.js';
import type { ControlPort, Outcome } from './ports.js';

interface Controlled {
  approvals: Pick<Approvals, 'pause' | 'pausedAlone' | 'forget'>;
  agents: Pick<Agents, 'has'>;
  executions: Executions;
  stopAgents(by: string, where: Where): void;
}

const DONE: Outcome = { ok: true };
const UNKNOWN: Outcome = { ok: false, code: 'unknown_agent', message: 'That agent is not connected any more.' };

/** What a person at a page does with agents besides answering them. */
export function controlForPages({ approvals, agents, executions, stopAgents }: Controlled): ControlPort {
  return {
    pause(person) {
      stopAgents(person.by, person.where);
      return DONE;
    },
    resume: (person) => approvals.pause({ on: false, ...person }),
    abort(executionId) {
      executions.stop(new Stopped('person', 'The person stopped it.'), executionId ?? undefined);
      return DONE;
    },
    pauseAgent(agentId, on, person) {
      if (!agents.has(agentId) && approvals.pausedAlone(agentId) === null) return UNKNOWN;
      const paused = approvals.pause({ on, ...person, agentId });
      if (on) executions.halt(new Stopped('person', 'The person paused this agent.'), agentId);
      return paused;
    },
    forget: (agentId) => (approvals.forget(agentId) || agents.has(agentId) ? DONE : UNKNOWN),
    takeOver(person) {
      const paused = approvals.pause({ on: true, ...person, reason: 'You took over the desktop.' });
      executions.takeOver(new Stopped('person', 'The person took over the desktop.'));
      return paused;
    },
  };
}
