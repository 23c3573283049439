/** What English needs of the host's sentences: those with a code for agents, without it. */
import type { Phrases } from './phrasebook.js';

export const enSaid: Phrases = {
  'DESKTOP_HOST_NOT_READY: {why}': 'Not possible now: {why}',
  'DESKTOP_PERMISSION_MISSING: {why}': 'A permission is missing: {why}',
  'DESKTOP_WORKSPACE_FORBIDDEN: {why}': 'The folder is not allowed: {why}',
  'DESKTOP_CONFIRM_REQUIRED: {why}': 'A confirmation is missing: {why}',
  'DESKTOP_ELEMENT_NOT_FOUND: {why}': 'Not found: {why}',
  'DESKTOP_TIMEOUT: {why}': 'It took too long: {why}',
  'DESKTOP_ABORTED: {why}': 'Aborted: {why}',
  'DESKTOP_INTERNAL_ERROR: {why}': 'Error: {why}',
  'DESKTOP_INVALID_REQUEST: {why}': 'Called wrongly: {why}',
  'DESKTOP_UNSUPPORTED: {why}': 'Not possible here: {why}',
  'DESKTOP_TARGET_CHANGED: {why}': 'The target changed: {why}',
};
