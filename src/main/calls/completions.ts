/**
 * Values that a client may propose for an argument: applications, windows and displays. They are read as the tools read them, with
 * mask and record, but nobody is ever asked for one: where the agent may not see it already, there are none.
 */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Caller } from '../approvals/request.js';
import type { CallSeat, Seats } from './seats.js';

export interface CompletionsOptions {
  seats: Pick<Seats, 'of'>;
  workspaceFor(caller: Caller): Promise<string>;
  log(thrown: unknown): void;
}

/** What may be proposed, and the words by which it is found. */
interface Candidate {
  value: string;
  words: string;
}

interface Source {
  tool: string;
  titles: boolean;
  schema: z.ZodType<Candidate[]>;
}

const text = z.string();
const SOURCES = new Map<string, Source>([
  [
    'application',
    {
      tool: 'list_applications',
      titles: true,
      schema: z
        .object({ applications: z.array(z.object({ application_id: text, display_name: text })) })
        .transform(({ applications }) =>
          applications.map(({ application_id: value, display_name: words }) => ({ value, words })),
        ),
    },
  ],
  [
    'window',
    {
      tool: 'list_windows',
      titles: true,
      schema: z
        .object({ windows: z.array(z.object({ name: text, title: text, application: text })) })
        .transform(({ windows }) =>
          windows.map(({ name, title, application }) => ({ value: name, words: `${title} ${application}` })),
        ),
    },
  ],
  [
    'display',
    {
      tool: 'list_displays',
      titles: false,
      schema: z
        .object({ displays: z.array(z.object({ name: text })) })
        .transform(({ displays }) => [
          { value: 'main', words: '' },
          ...displays.map(({ name }) => ({ value: name.replace(/^displays\//, ''), words: name })),
        ]),
    },
  ],
]);

const MAX_VALUES = 100;
const TIMEOUT_MS = 3_000;

export function createCompletions({ seats, workspaceFor, log }: CompletionsOptions) {
  async function read(
    { runner, tool: find }: CallSeat,
    caller: Caller,
    { tool, schema }: Source,
  ): Promise<Candidate[]> {
    const action = find(tool)?.action;
    if (action === undefined) return [];
    const callId = randomUUID();
    const { value } = await runner.run(action, {
      callId,
      requestId: callId,
      aliases: [],
      caller,
      input: {},
      arguments: {},
      workspace: await workspaceFor(caller),
      timeoutMs: null,
      gate: null,
      unasked: true,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return schema.parse(value);
  }

  return {
    async complete(caller: Caller, argument: string, given: string): Promise<string[]> {
      const source = SOURCES.get(argument);
      const seat = seats.of(caller);
      if (source === undefined || seat === null || (source.titles && !(await seat.mayReadTitles(caller)))) return [];
      try {
        return matching(await read(seat, caller, source), given);
      } catch (thrown) {
        log(thrown);
        return [];
      }
    },
  };
}

/** Those that begin so come first. */
function matching(candidates: readonly Candidate[], given: string): string[] {
  const wanted = given.toLowerCase();
  const found = candidates.filter(({ value, words }) => `${value} ${words}`.toLowerCase().includes(wanted));
  const begins = ({ value, words }: Candidate): boolean =>
    [value, words].some((one) => one.toLowerCase().startsWith(wanted));
  const sorted = [...found.filter(begins), ...found.filter((one) => !begins(one))];
  return [...new Set(sorted.map(({ value }) => value))].slice(0, MAX_VALUES);
}
