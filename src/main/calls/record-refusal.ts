import { asWireError } from '../pipeline/failures.js';
import type { Caller, Recorder } from '../pipeline/ports.js';

/** Writes a refusal that comes before the pipeline to the audit log, where the pipeline writes its own. */
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
