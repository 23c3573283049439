import { asWireError } from '../action/failures.js';
import type { Caller, Recorder } from '../action/ports.js';

/** A refusal before the pipeline leaves its line in the audit log as any later one does. */
export async function onRecord<T>(
  recorder: Pick<Recorder, 'refused'>,
  who: { caller: Caller; tool: string; requestId: string },
  check: () => T,
): Promise<T> {
  try {
    return check();
  } catch (thrown) {
    await recorder.refused({ ...who, error: asWireError(thrown).toJSON(), at: new Date().toISOString() });
    throw thrown;
  }
}
