import type { Outcome } from './ports.js';

type Refusal = Extract<Outcome, { ok: false }>;

export const DONE: Outcome = { ok: true };

/** The page has used up its budget of questions. */
export const TOO_MANY: Refusal = {
  ok: false,
  code: 'too_many',
  message: 'The page asks for too much at once. Try again in a moment.',
};
