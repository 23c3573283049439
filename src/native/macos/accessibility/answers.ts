/** Where one that does not answer is left out instead of failing the whole. A missing permission always fails it. */
import { DesktopError, type DesktopErrorCode } from '../../desktop.js';

const WITHOUT_ANSWER: ReadonlySet<DesktopErrorCode> = new Set(['not_responding', 'not_found', 'stale', 'failed']);

/** null where the application hangs, refuses or has ended. */
export const nullWithoutAnswer = <T>(work: () => T): T | null => nullFor(WITHOUT_ANSWER, work);

/** null where the element is gone. */
export const nullWhenStale = <T>(work: () => T): T | null => nullFor(new Set(['stale']), work);

function nullFor<T>(codes: ReadonlySet<DesktopErrorCode>, work: () => T): T | null {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof DesktopError && codes.has(thrown.code)) return null;
    throw thrown;
  }
}
