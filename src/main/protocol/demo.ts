/** The demo agent, which the host starts at the request of a paired page or the popover. */
import * as z from 'zod';
import { LANGUAGES } from '../../messages/index.js';

const request = z.uuid();

/** Exit code of its process when it was stopped or got no answer. Any other code except 0 is a failure. */
export const DEMO_STOPPED = 3;

export const demoQuestions = [z.object({ type: z.literal('runDemo'), request, language: z.enum(LANGUAGES) })] as const;

export const demoAnswers = [
  z.object({
    type: z.literal('runDemo'),
    request,
    outcome: z.enum(['finished', 'stopped', 'failed']),
    why: z.string().nullable(),
  }),
] as const;
