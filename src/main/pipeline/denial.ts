import { formatEnglish, message } from '../../messages/index.js';
import { WireError } from '../protocol/index.js';
import type { Decision } from './ports.js';

/** The error that an agent gets for a denied call. */
export function denialError(decision: Extract<Decision, { kind: 'denied' }>): WireError {
  const { reason, approvalId, by } = decision;
  const words = decision.message;
  const text = message('error.denied', {
    reason: reason === 'stopped' ? 'other' : reason === 'denied' && by === 'agent' ? 'withdrawn' : reason,
    said: words === null ? 'other' : 'yes',
    words: words ?? '',
  });
  return new WireError('DESKTOP_CONFIRM_REQUIRED', text, {
    reason: reason === 'stopped' ? 'denied' : reason,
    by,
    approvalId,
    ...(words === null ? {} : { message: formatEnglish(words) }),
    next:
      reason === 'timeout'
        ? 'Ask again when the person is there.'
        : 'Do not try the same again; ask the person with send_message what to do instead.',
  });
}
