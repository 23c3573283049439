import { title as titled, subjectWithoutPlace } from '../protocol/index.js';
import * as z from 'zod';
import { defineAction } from '../pipeline/define.js';
import { listSubject, lookUpSubject } from './listing.js';
import { unpublished } from './parameters.js';
import { toolGroup, type Tool, type ToolDeps } from './tool.js';
import { moreLines, pageFields, pageResult } from './paging.js';
import { ruleError } from '../pipeline/input-errors.js';

const name = z.string().min(1).max(200).describe('sessions/{id}');
const counts = z.record(z.string(), z.number().int());
const info = {
  name: z.string(),
  display_name: unpublished(z.string()),
  state: unpublished(z.enum(['active', 'ended'])),
  created_at: unpublished(z.string()),
};
const account = {
  calls: z.number().int(),
  tools: unpublished(counts),
  effects: unpublished(counts),
  outcomes: counts,
  applications: unpublished(z.array(z.string())),
  grants: unpublished(z.array(z.object({ id: z.string(), label: z.string() }))),
  first_call_at: unpublished(z.string().nullable()),
  last_call_at: unpublished(z.string().nullable()),
};
const execution = z.object({
  execution: z.string(),
  tool: z.string(),
  outcome: z.string(),
  at: unpublished(z.string()),
  evidence: z.string().nullable(),
});
const MAX_METADATA = 20;

export function sessionTools({ sessions, pages }: Pick<ToolDeps, 'sessions' | 'pages'>): Tool[] {
  const create = defineAction({
    name: 'create_session',
    title: 'Open session',
    description:
      'Opens your session: from now on your calls, grants and evidence are grouped and counted. One at a time.',
    effect: 'bookkeeping',
    needs: [],
    input: z
      .object({
        display_name: z.string().max(200).default(''),
        metadata: z
          .record(z.string().max(100), z.string().max(500))
          .refine(
            (given) => Object.keys(given).length <= MAX_METADATA,
            ruleError('input.entries', { max: MAX_METADATA }),
          )
          .default({}),
      })
      .strict(),
    output: z.object(info),
    subject: ({ display_name: title }) =>
      subjectWithoutPlace(titled('title.open_session'), title === '' ? null : title),
    run: async ({ caller }, { display_name: displayName, metadata }) =>
      sessions.create(caller.agent.id, { displayName, metadata }),
    text: (one) => `${one.name} is open.`,
  });

  const get = defineAction({
    name: 'get_session',
    title: 'Get session',
    description: 'Totals of one of your sessions, and its executions with their evidence, newest first.',
    effect: 'read',
    needs: [],
    input: z.object({ name, ...pageFields }).strict(),
    output: z.object({
      ...info,
      metadata: unpublished(z.record(z.string(), z.string())),
      ...account,
      executions: z.array(execution),
      ...pageResult,
    }),
    subject: (given) => lookUpSubject('session', given.name),
    async run({ caller }, given) {
      const { account: sums, executions, ...one } = sessions.get(caller.agent.id, given.name);
      const { items, ...page } = await pages.page(caller, 'get_session', given, async () => executions.toReversed());
      return { ...one, ...sums, executions: items, ...page };
    },
    text: (one) =>
      [
        `${one.name} “${one.display_name}”, ${one.state}: ${one.calls} calls (${countsText(one.outcomes)}).`,
        `Tools: ${countsText(one.tools)}. Applications: ${one.applications.join(', ') || 'none'}.`,
        ...one.executions.map((each) => `${each.at} ${each.tool} ${each.outcome} ${each.evidence ?? ''}`.trim()),
        ...moreLines(one.next_page_token),
      ].join('\n'),
  });

  const list = defineAction({
    name: 'list_sessions',
    title: 'List sessions',
    description: 'Your sessions, newest first.',
    effect: 'read',
    needs: [],
    input: z.object(pageFields).strict(),
    output: z.object({ sessions: z.array(z.object(info)), ...pageResult }),
    subject: () => listSubject('sessions'),
    async run({ caller }, given) {
      const listed = async () => sessions.list(caller.agent.id);
      const { items, ...page } = await pages.page(caller, 'list_sessions', given, listed);
      return { sessions: items, ...page };
    },
    text: ({ sessions: all, next_page_token: next }) =>
      [...all.map((one) => `${one.name} “${one.display_name}”, ${one.state}`), ...moreLines(next)].join('\n') ||
      'No sessions.',
  });

  const remove = defineAction({
    name: 'delete_session',
    deletes: true,
    title: 'End session',
    description: 'Ends one of your sessions and returns its totals for the last time. Evidence stays.',
    effect: 'bookkeeping',
    needs: [],
    input: z.object({ name }).strict(),
    output: z.object({ ...info, ...account }),
    subject: (given) => subjectWithoutPlace(titled('title.end_session'), given.name),
    async run({ caller }, { name: which }) {
      const { account: sums, ...one } = sessions.remove(caller.agent.id, which);
      return { ...one, ...sums };
    },
    text: (one) => `${one.name} has ended: ${one.calls} calls (${countsText(one.outcomes)}).`,
  });

  return toolGroup('session', { more: [create, get, list, remove] });
}

const countsText = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([what, count]) => `${what} ${count}`)
    .join(', ') || 'none';
