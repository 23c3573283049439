/** The demo agent, which the host starts when a person on a paired page or in the popover asks for it. */
import * as z from 'zod';
import { LANGUAGES } from '../../messages/index.js';

const request = z.uuid();

/** How its process ends when it was stopped or left alone; any other number but 0 is a failure. */
export const DEMO_STOPPED = 3;

export const demoQuestions = [z.object({ type: z.literal('runDemo'), request, language: z.enum(LANGUAGES) })] as const;

export const demoAnswers = [
  /** Sent once it has ended. */
  z.object({
    type: z.literal('runDemo'),
    request,
    /** It said its last sentence; it was stopped or left alone before that; it could not do what it is there for. */
    outcome: z.enum(['finished', 'stopped', 'failed']),
    /** Its last words where it failed. */
    why: z.string().nullable(),
  }),
] as const;
