/** What English needs of the host's sentences: those with a code for agents, without it; and those that stand for a person's No. */
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

const WHO = ['You', 'An agent', 'Chaperone', '`chaperone stop`'];
const DID = ['paused agents.', 'paused this agent.', 'stopped agents.'];

export const enRefusals: readonly string[] = [
  ...WHO.flatMap((who) => DID.map((did) => `${who} ${did}`)),
  'You denied three requests within a minute.',
  'You took over the desktop.',
  'The person took over the desktop.',
  'The person made the policy stricter.',
  'The policy ({preset}) refuses {effect} actions.',
  'The policy keeps agents out of {app}.',
  'Approvals failed, so no: {why}',
  'Chaperone is closing.',
  'The person quit Chaperone.',
];
