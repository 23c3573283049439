/**
 * The table of wire errors. `new WireError(code, message('error.no_session', { name }), details)`: callers get the message's English
 * text, pages their own language's, and the record both. A message can be a parameter of another, e.g. `{ why: error.text }`.
 */
import { withLocalCommand } from './local-command.js';
import { formatEnglish, isMessage, message, MessageError, verbatim, type Message } from '../../messages/index.js';

interface ErrorRow {
  retryable: boolean;
  /** JSON-RPC style number used on GABP (registry range −32000 … −32099 and the reserved ones). */
  gabp: number;
  next: Message;
}

export const ERRORS = {
  DESKTOP_HOST_NOT_READY: { retryable: true, gabp: -32401, next: message('next.host_not_ready') },
  DESKTOP_PERMISSION_MISSING: { retryable: false, gabp: -32103, next: message('next.permission_missing') },
  DESKTOP_WORKSPACE_FORBIDDEN: { retryable: false, gabp: -32103, next: message('next.workspace_forbidden') },
  DESKTOP_CONFIRM_REQUIRED: { retryable: false, gabp: -32103, next: message('next.confirm_required') },
  DESKTOP_ELEMENT_NOT_FOUND: { retryable: false, gabp: -32300, next: message('next.element_not_found') },
  DESKTOP_TIMEOUT: { retryable: true, gabp: -32403, next: message('next.timeout') },
  DESKTOP_ABORTED: { retryable: false, gabp: -32402, next: message('next.aborted') },
  DESKTOP_INTERNAL_ERROR: { retryable: false, gabp: -32603, next: message('next.internal_error') },
  DESKTOP_INVALID_REQUEST: { retryable: false, gabp: -32602, next: message('next.invalid_request') },
  DESKTOP_UNSUPPORTED: { retryable: false, gabp: -32401, next: message('next.unsupported') },
  DESKTOP_TARGET_CHANGED: { retryable: false, gabp: -32303, next: message('next.target_changed') },
  /** An application that was called as a bridge calls it answered with an error of its own. */
  DESKTOP_APP_FAILED: { retryable: false, gabp: -32402, next: message('next.app_failed') },
} as const satisfies Record<string, ErrorRow>; // prettier-ignore

export type ErrorCode = keyof typeof ERRORS;

/** An error with its text in every language; for the record and pages, never for callers. */
export interface ErrorFacts extends WireErrorShape {
  text: Message;
}

export interface WireErrorShape {
  code: ErrorCode;
  message: string;
  retryable: boolean;
  details: Record<string, unknown>;
}

/** An error meant for the caller. Everything else that is thrown is a bug and crosses as DESKTOP_INTERNAL_ERROR. */
export class WireError extends MessageError {
  readonly retryable: boolean;

  constructor(
    readonly code: ErrorCode,
    text: Message,
    readonly details: Record<string, unknown> = {},
    retryable?: boolean,
  ) {
    super(text);
    this.name = 'WireError';
    this.retryable = retryable ?? ERRORS[code].retryable;
  }

  /** What to do next: a message or text in `details.next` comes before the code's own. */
  get nextText(): Message {
    const own = this.details['next'];
    if (typeof own === 'string') return verbatim(own);
    return isMessage(own) ? own : ERRORS[this.code].next;
  }

  get next(): string {
    return formatEnglish(this.nextText);
  }

  withLocalCommand(program: string): WireError {
    const next = withLocalCommand(this.next, program);
    const text = withLocalCommand(this.message, program);
    if (next === this.next && text === this.message) return this;
    return new WireError(this.code, verbatim(text), { ...this.details, next }, this.retryable);
  }

  toJSON(): WireErrorShape {
    return {
      code: this.code,
      message: this.message,
      retryable: this.retryable,
      details: { ...this.details, next: this.next },
    };
  }

  facts(): ErrorFacts {
    return { ...this.toJSON(), text: this.text };
  }
}

/** Converts any thrown value. A bug becomes DESKTOP_INTERNAL_ERROR with its message and no stack. */
export function toWireError(thrown: unknown): WireError {
  if (thrown instanceof WireError) return thrown;
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return new WireError('DESKTOP_INTERNAL_ERROR', message('error.unexpected', { why }), { kind: 'bug' });
}
