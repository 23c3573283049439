import { errno } from '../../base/errno.js';
import { WireError } from '../protocol/index.js';
import { formatEnglish, message, textOf, type Message } from '../../messages/index.js';

const CAUSES = new Map([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'quota'],
  ['EFBIG', 'file_size'],
  ['EACCES', 'permission'],
  ['EPERM', 'permission'],
  ['EROFS', 'read_only'],
  ['EMFILE', 'files'],
  ['ENFILE', 'files'],
] as const);

/** DESKTOP_HOST_NOT_READY with `reason: evidence`, the cause, and the next step. */
export function storageError(thrown: unknown, what: Message, path: string): WireError {
  if (thrown instanceof WireError) return thrown;
  const code = errno(thrown);
  const cause = [...CAUSES].find(([known]) => known === code)?.[1];
  const why =
    cause === undefined ? textOf(thrown) : message('error.write_cause', { cause: cause === 'files' ? 'other' : cause });
  const next = message('error.write_next', { cause: cause ?? 'other' });
  return new WireError('DESKTOP_HOST_NOT_READY', message('error.cannot_write', { what, path, why, next }), {
    reason: 'evidence',
    path,
    errno: code,
    next: formatEnglish(next),
  });
}

/** The same error for a call that was refused because of it: adds that nothing was done. */
export function notStartedError(error: unknown): unknown {
  if (!(error instanceof WireError) || error.details['reason'] !== 'evidence') return error;
  return new WireError(error.code, message('error.nothing_done_because', { why: error.text }), error.details);
}

type ForbiddenReason = 'invalid' | 'relative' | 'missing' | 'not_a_folder' | 'outside' | 'link' | 'unreadable';

export function workspaceForbidden(
  reason: ForbiddenReason,
  problem: Message,
  details: Record<string, unknown> = {},
): WireError {
  return new WireError('DESKTOP_WORKSPACE_FORBIDDEN', message('error.workspace', { problem }), { reason, ...details });
}

/** The part of a pino logger that evidence uses. */
export interface Logger {
  warn(details: object, message: string): void;
}
