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
