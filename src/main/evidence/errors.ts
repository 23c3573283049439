import { errno } from '../../base/errno.js';
import { ERRORS, WireError } from '../protocol/index.js';

const CAUSES = new Map([
  ['ENOSPC', { what: 'the disk is full', next: 'Free some space, then make the same call again.' }],
  ['EDQUOT', { what: 'the disk quota is used up', next: 'Free some space, then make the same call again.' }],
  ['EFBIG', { what: 'a file may not grow any further', next: 'Lift the file size limit, then make the same call again.' }],
  ['EACCES', { what: 'there is no permission to write', next: 'Let this user write there, or use another workspace.' }],
  ['EPERM', { what: 'there is no permission to write', next: 'Let this user write there, or use another workspace.' }],
  ['EROFS', { what: 'the disk is read-only', next: 'Use a workspace on a disk that can be written.' }],
  ['EMFILE', { what: 'too many files are open', next: 'Let running calls end, then make the same call again.' }],
  ['ENFILE', { what: 'too many files are open', next: 'Let running calls end, then make the same call again.' }],
]); // prettier-ignore

/** DESKTOP_HOST_NOT_READY with `reason: evidence`, the cause, and the next step. */
export function storageError(thrown: unknown, what: string, path: string): WireError {
  if (thrown instanceof WireError) return thrown;
  const code = errno(thrown);
  const cause = code === null ? undefined : CAUSES.get(code);
  const why = cause?.what ?? (thrown instanceof Error ? thrown.message : String(thrown));
  const next = cause?.next ?? 'Put right what the message says, then make the same call again.';
  return new WireError('DESKTOP_HOST_NOT_READY', `Cannot write ${what} (${path}): ${why}. ${next}`, {
    reason: 'evidence',
    path,
    errno: code,
    next,
  });
}

/** The same error for a call that was refused because of it: adds that nothing was done. */
export function notStartedError(error: unknown): unknown {
  if (!(error instanceof WireError) || error.details['reason'] !== 'evidence') return error;
  return new WireError(error.code, `Nothing was done. ${error.message}`, error.details);
}

type ForbiddenReason = 'invalid' | 'relative' | 'missing' | 'not_a_folder' | 'outside' | 'link' | 'unreadable';

export function workspaceForbidden(
  reason: ForbiddenReason,
  message: string,
  details: Record<string, unknown> = {},
): WireError {
  const next = ERRORS.DESKTOP_WORKSPACE_FORBIDDEN.next;
  return new WireError('DESKTOP_WORKSPACE_FORBIDDEN', `${message} ${next}`, { reason, ...details });
}
