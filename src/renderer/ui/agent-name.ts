import { askerName, type Agent } from '../../main/protocol/index.js';
import { formatter } from '../strings.js';

/** What an agent is called, in the language of the page. */
export const agentName = (agent: Pick<Agent, 'name' | 'person' | 'via'>): string => askerName(formatter, agent);
