import { DesktopError, type DesktopErrorCode } from '../../native/desktop.js';
import { WireError, toWireError, type ErrorCode } from '../protocol/index.js';
import { message, MessageError, type Message } from '../../messages/index.js';

const CODES: ReadonlyMap<DesktopErrorCode, ErrorCode> = new Map<DesktopErrorCode, ErrorCode>([
  ['unsupported', 'DESKTOP_UNSUPPORTED'],
  ['not_found', 'DESKTOP_ELEMENT_NOT_FOUND'],
  ['stale', 'DESKTOP_ELEMENT_NOT_FOUND'],
  ['permission', 'DESKTOP_PERMISSION_MISSING'],
  ['timeout', 'DESKTOP_TIMEOUT'],
  ['not_responding', 'DESKTOP_TIMEOUT'],
  ['lost', 'DESKTOP_HOST_NOT_READY'],
  ['failed', 'DESKTOP_INTERNAL_ERROR'],
]);

/** Why a running call is stopped; the abort reason of its signal. */
export class Stopped extends MessageError {
  constructor(
    readonly by: 'abort' | 'timeout' | 'person' | 'stop' | 'closing',
    text: Message,
  ) {
    super(text);
    this.name = 'Stopped';
  }
}

/** Whether an element, window or application does not exist (any more). */
export const isGone = (thrown: unknown): boolean =>
  thrown instanceof DesktopError && (thrown.code === 'stale' || thrown.code === 'not_found');

/** Handler of rejected reads: null for what is gone; rethrows anything else. */
export function nullIfGone(thrown: unknown): null {
  if (isGone(thrown)) return null;
  throw thrown;
}

export const isNotFound = (thrown: unknown): boolean =>
  isGone(thrown) || (thrown instanceof WireError && thrown.code === 'DESKTOP_ELEMENT_NOT_FOUND');

/** For callers that wait until something appears. */
export function nullIfNotFound(thrown: unknown): null {
  if (isNotFound(thrown)) return null;
  throw thrown;
}

/** Several elements fit: waiting does not help. */
export const isAmbiguous = (thrown: unknown): boolean =>
  thrown instanceof WireError && thrown.details['reason'] === 'ambiguous';

export const nothingDone = (why: Message): Message => message('error.nothing_done', { why });

/** “Nothing was done” holds for the step, not for the sequence. */
export function withoutNothingDone(text: Message): Message {
  const why = text.code === 'error.nothing_done' && 'why' in text.params ? text.params.why : text;
  return typeof why === 'object' && 'code' in why ? why : text;
}

/** A next step for errors where the default one would not help. */
function nextAfter({ code }: DesktopError): { next?: string } {
  return code === 'not_responding' ? { next: ASK_AGAIN } : {};
}

const ASK_AGAIN =
  'Make the same call again in a moment. If it still does not respond, look at its window with capture_screenshot, or end it with quit_application and force.';

/** A look that has its own time limit gives up like this; the application, or the whole machine, is too busy. */
const isTimeUp = (thrown: unknown): boolean => thrown instanceof DOMException && thrown.name === 'TimeoutError';

/** Converts any thrown value to a wire error. Unknown values are internal errors. */
export function asWireError(thrown: unknown): WireError {
  if (thrown instanceof DesktopError) {
    const code = CODES.get(thrown.code) ?? 'DESKTOP_INTERNAL_ERROR';
    return new WireError(code, thrown.text, { reason: thrown.code, ...nextAfter(thrown), ...thrown.details });
  }
  if (thrown instanceof Stopped) {
    const code = thrown.by === 'timeout' ? 'DESKTOP_TIMEOUT' : 'DESKTOP_ABORTED';
    return new WireError(code, thrown.text, { reason: thrown.by });
  }
  if (isTimeUp(thrown))
    return new WireError('DESKTOP_TIMEOUT', message('native.app_slow'), { reason: 'not_responding', next: ASK_AGAIN });
  return toWireError(thrown);
}
