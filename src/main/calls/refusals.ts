import { asWireError } from '../pipeline/failures.js';
import type { Caller } from '../approvals/request.js';
import type { Recorder } from '../evidence/recorder.js';
import { WireError } from '../protocol/index.js';
import { message } from '../../messages/index.js';

/** Records a refusal that happens before the pipeline in the audit log. */
export async function recordRefusal<T>(
  recorder: Pick<Recorder, 'refused'>,
  who: { caller: Caller; tool: string; requestId: string },
  check: () => T | Promise<T>,
): Promise<T> {
  try {
    return await check();
  } catch (thrown) {
    await recorder.refused({ ...who, error: asWireError(thrown).facts(), at: new Date().toISOString() });
    throw thrown;
  }
}

/** Throws for a call that was acting when an earlier host ended: it is never repeated. */
export async function assertKnownOutcome(recorder: Pick<Recorder, 'interrupted'>, callId: string): Promise<void> {
  const before = await recorder.interrupted(callId);
  if (before === null) return;
  const { executionId, startedAt } = before;
  throw new WireError('DESKTOP_ABORTED', message('error.outcome_unknown', { at: startedAt }), {
    reason: 'outcome_unknown',
    executionId,
    next: 'Look at the screen to see what was done, then make a new call (with a new id) for what is missing.',
  });
}
