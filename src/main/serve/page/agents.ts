/** A person stops, pauses and resumes agents. Any page may hold agents back; only a paired one lets them go on. */
import type { Agents } from '../../agents/index.js';
import type { AgentNames } from '../../agents/names.js';
import type { Approvals, Where } from '../../approvals/index.js';
import type { Executions } from '../../pipeline/executions.js';
import { Stopped } from '../../pipeline/failures.js';
import type { Definitions, PageRefusal } from './definition.js';
import { message } from '../../../messages/index.js';

export interface AgentDependencies {
  approvals: Pick<Approvals, 'pause' | 'pauseOfAgent' | 'forget'>;
  agents: Pick<Agents, 'has' | 'known'>;
  names: Pick<AgentNames, 'rename'>;
  executions: Pick<Executions, 'stop' | 'halt' | 'takeOver'>;
  stopAgents(by: string, where: Where): void;
}

type Handled = 'abort' | 'pause' | 'pauseAgent' | 'forgetAgent' | 'takeOver' | 'renameAgent';

const UNKNOWN: PageRefusal = { ok: false, code: 'unknown_agent', message: message('refused.unknown_agent') };

export const agentHandlers: Definitions<Handled, AgentDependencies> = {
  abort: {
    role: 'paired',
    handler({ executions }, { executionId }) {
      executions.stop(new Stopped('person', message('stopped.one')), executionId);
      return undefined;
    },
  },
  pause: {
    role: ({ on }) => (on ? 'any' : 'paired'),
    handler({ approvals, stopAgents, person }, { on }) {
      if (!on) return approvals.pause({ on: false, ...person });
      stopAgents(person.by, person.where);
      return undefined;
    },
  },
  pauseAgent: {
    role: ({ on }) => (on ? 'any' : 'paired'),
    handler({ approvals, agents, executions, person }, { id, on }) {
      if (!agents.has(id) && approvals.pauseOfAgent(id) === null) return UNKNOWN;
      const paused = approvals.pause({ on, ...person, agentId: id });
      const isPersons = person.where !== 'unproven';
      if (on)
        executions.halt(
          new Stopped('person', message(isPersons ? 'stopped.agent_paused' : 'stopped.agent_is_paused')),
          id,
        );
      return paused;
    },
  },
  forgetAgent: {
    role: 'paired',
    handler: ({ approvals, agents }, { id }) => (approvals.forget(id) || agents.has(id) ? undefined : UNKNOWN),
  },
  renameAgent: {
    role: 'paired',
    handler({ agents, names }, { id, name }) {
      const agent = agents.known(id);
      if (agent === null) return UNKNOWN;
      const problem = names.rename(agent, name);
      return problem === null ? {} : { ok: false, code: 'name', message: problem };
    },
  },
  takeOver: {
    role: 'paired',
    handler({ approvals, executions, person }) {
      const paused = approvals.pause({ on: true, ...person, reason: message('pause.took_over') });
      executions.takeOver(new Stopped('person', message('stopped.taken_over')));
      return paused;
    },
  },
};
