import { DesktopError } from '../../../src/native/desktop.js';

/** The code with which `work` fails, or `no error`. */
export function codeFrom(work: () => unknown): string {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof DesktopError) return thrown.code;
    throw thrown;
  }
  return 'no error';
}

/** What `work` rejects with; null where it does not. */
export const rejectionOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
