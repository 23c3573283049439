/**
 * The table of wire errors. `new WireError(code, message('error.no_session', { name }), details)`: callers get the message's English
 * text, pages their own language's, and the record both. A message can be a parameter of another, e.g. `{ why: error.text }`.
 */
import { withLocalCommand } from './local-command.js';
import { MessageError, message, verbatim, type Message } from '../../messages/index.js';

interface ErrorRow {
  retryable: boolean;
  /** JSON-RPC style number used on GABP (registry range −32000 … −32099 and the reserved ones). */
  gabp: number;
  next: string;
}

export const ERRORS = {
  DESKTOP_HOST_NOT_READY: { retryable: true, gabp: -32401, next: 'Wait until the condition ends, then make the same call again.' },
  DESKTOP_PERMISSION_MISSING: { retryable: false, gabp: -32103, next: 'Ask the person to grant the permission; `chaperone doctor` says where.' },
  DESKTOP_WORKSPACE_FORBIDDEN: { retryable: false, gabp: -32103, next: 'Use a folder inside WORKSPACE_ROOT that is not reached through a link.' },
  DESKTOP_CONFIRM_REQUIRED: { retryable: false, gabp: -32103, next: 'Get a token with desktop.confirm.issue, or stop and ask the person.' },
  DESKTOP_ELEMENT_NOT_FOUND: { retryable: false, gabp: -32300, next: 'Look again with find_elements or desktop.find, then use what is there now.' },
  DESKTOP_TIMEOUT: { retryable: true, gabp: -32403, next: 'Make the same call again, with a longer limit where it takes one.' },
  DESKTOP_ABORTED: { retryable: false, gabp: -32402, next: 'Stop; the call was aborted on purpose.' },
  DESKTOP_INTERNAL_ERROR: { retryable: false, gabp: -32603, next: 'This is a fault in Chaperone or the application; the message says which. Look at the screen before trying again.' },
  DESKTOP_INVALID_REQUEST: { retryable: false, gabp: -32602, next: 'Correct the request as the message says.' },
  DESKTOP_UNSUPPORTED: { retryable: false, gabp: -32401, next: 'This platform or application cannot do it; use another way.' },
  DESKTOP_TARGET_CHANGED: { retryable: false, gabp: -32303, next: 'Look at the screen again and ask anew for what is there now.' },
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

  get next(): string {
    return typeof this.details['next'] === 'string' ? this.details['next'] : ERRORS[this.code].next;
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
