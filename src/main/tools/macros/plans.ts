import { title, subjectWithoutPlace } from '../../protocol/index.js';
import * as z from 'zod';
import { defineAction } from '../../pipeline/define.js';
import { defineSequence } from '../../pipeline/sequence.js';
import { delay } from '../../../base/poll.js';
import { toolGroup, type Tool } from '../tool.js';
import { stepsSchema, type Steps } from './steps.js';
import { message } from '../../../messages/index.js';

const MAX_WAIT_S = 60;

export function planTools(steps: Steps): Tool[] {
  const plan = defineSequence({
    name: 'run_plan',
    title: 'Run a plan',
    description:
      'Runs up to 20 steps (other tools) in one call, under a task or one request; stops at the first that fails. Use it for all steps you know, and look with find_elements as a step of it.',
    input: z.object({ steps: stepsSchema, stop_on_no_change: z.boolean().default(false) }).strict(),
    subject: ({ steps: all }) => subjectWithoutPlace(title('title.run_plan', { count: all.length })),
    notes: ({ stop_on_no_change: stop }) => [message(stop ? 'note.stops_at_no_change' : 'note.stops_at_failure')],
    steps: ({ steps: all, stop_on_no_change: mustChange }) => steps.bind(steps.read(all), { mustChange }),
  });

  const wait = defineAction({
    name: 'wait',
    title: 'Wait',
    description: 'Waits for a number of seconds, at most 60. wait_element waits for something to appear.',
    effect: 'bookkeeping',
    needs: [],
    input: z.object({ duration: z.number().min(0).max(MAX_WAIT_S) }).strict(),
    output: z.object({ waited: z.number() }),
    subject: ({ duration }) => subjectWithoutPlace(title('title.wait', { seconds: duration })),
    async run(_ctx, { duration }, signal) {
      const start = performance.now();
      const left = (): number => duration * 1000 - (performance.now() - start);
      // A timer may end up to a millisecond early.
      for (let ms = left(); ms > 0; ms = left()) await delay(Math.ceil(ms), signal);
      return { waited: Math.round(performance.now() - start) / 1000 };
    },
    text: ({ waited }) => `Waited ${waited} s.`,
  });

  return toolGroup('plan', { core: [plan], more: [wait] });
}
