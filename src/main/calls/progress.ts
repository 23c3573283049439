import type { CallEvent } from '../pipeline/events.js';
import type { Progress } from './types.js';

/** The progress message for an event of a call; null where there is none. */
export function progressOf(event: CallEvent): Progress | null {
  const { callId } = event;
  switch (event.kind) {
    case 'queued':
      return { callId, state: 'queued', message: 'Waiting for this agent’s earlier call to end.' };
    case 'waiting':
      if (event.approvalId === null)
        return {
          ...{ callId, state: 'awaiting_human', message: 'Waiting for the person to answer.' },
          ...(event.question === undefined ? {} : { question: { callId, ...event.question } }),
        };
      const { approvalId } = event;
      return { callId, state: 'awaiting_human', message: 'Waiting for the person to decide.', approvalId };
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
