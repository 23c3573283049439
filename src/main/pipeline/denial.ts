import { formatEnglish } from '../../messages/index.js';
import { WireError } from '../protocol/index.js';
import type { Decision } from './ports.js';

/** The error that an agent gets for a denied call. */
export function denialError(decision: Extract<Decision, { kind: 'denied' }>): WireError {
  const { reason, approvalId, by } = decision;
  const message = decision.message && formatEnglish(decision.message);
  const words = {
    denied: 'The person said no',
    timeout: 'Nobody answered in time, so the call was denied',
    policy: 'The policy does not allow it',
    paused: 'Agents are paused',
    stopped: 'The person stopped everything',
  }[reason];
  const said = message === null ? '' : `: “${message}”`;
  return new WireError('DESKTOP_CONFIRM_REQUIRED', `${words}${said}.`, {
    reason: reason === 'stopped' ? 'denied' : reason,
    by,
    approvalId,
    ...(message === null ? {} : { message }),
    next:
      reason === 'timeout'
        ? 'Ask again when the person is there.'
        : 'Do not try the same again; ask the person with send_message what to do instead.',
  });
}
