import type { CallEvent } from '../pipeline/events.js';
import type { Progress } from './types.js';

/** What a waiting caller is told of an event of its call; null where that is nothing new to it. */
export function progressOf(event: CallEvent): Progress | null {
  const { callId } = event;
  switch (event.kind) {
    case 'queued':
      return { callId, state: 'queued', message: 'Waiting for this agent’s earlier call to end.' };
    case 'waiting':
      return event.approvalId === null
        ? { callId, state: 'awaiting_human', message: 'Waiting for the person to answer.' }
        : {
            callId,
            state: 'awaiting_human',
            message: 'Waiting for the person to decide.',
            approvalId: event.approvalId,
          };
    case 'acting':
      return {
        callId,
        state: 'running',
        message: event.step === null ? 'Running.' : `Step ${event.step.number}: ${event.step.tool}.`,
      };
    default:
      return null;
  }
}
