/** This folder: the MCP tools, as actions, in the order in which they are listed over MCP and GABP. The host calls it; tools never bypass the pipeline. */
import { applicationTools } from './applications/index.js';
import { clipboardTools } from './clipboard/index.js';
import { type Tool, type ToolDeps, toolGroup } from './tool.js';
import { elementTools } from './elements/index.js';
import { findingTools } from './elements/find.js';
import { inputTools } from './input/index.js';
import { macroTools } from './macros/index.js';
import { observationTools } from './observations/index.js';
import { planTools, createSteps } from './macros/steps.js';
import { screenTools } from './screen/index.js';
import { scriptingTools } from './commands/index.js';
import { taskTools } from './tasks/index.js';
import { treeTools } from './tree/index.js';
import { waitingTools } from './elements/wait.js';
import { windowTools } from './windows/index.js';
import { title, subjectWithoutPlace, title as titled } from '../protocol/index.js';
import * as z from 'zod';
import { defineAction } from '../pipeline/define.js';
import type { MissedReply } from '../chat/questions.js';
import { QUESTION_TOOL } from '../protocol/local-command.js';
import { unpublished, listSubject, lookUpSubject } from './parameters.js';
import { moreLines, pageFields, pageResult } from './paging.js';
import { ruleError } from '../protocol/input-errors.js';

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

function sessionTools({ sessions, pages }: Pick<ToolDeps, 'sessions' | 'pages'>): Tool[] {
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

export function allTools(deps: ToolDeps): Tool[] {
  const tools: Tool[] = [
    ...chatTools,
    ...taskTools(deps),
    ...findingTools(deps),
    ...elementTools(deps),
    ...waitingTools(deps),
    ...treeTools(deps),
    ...inputTools(deps),
    ...applicationTools(deps),
    ...windowTools(deps),
    ...screenTools(deps),
    ...observationTools(deps),
    ...clipboardTools(deps),
    ...scriptingTools(deps),
    ...sessionTools(deps),
  ];
  const steps = createSteps(() => tools);
  tools.push(...planTools(steps), ...macroTools(deps, steps));
  return tools;
}

const MAX_TEXT_LENGTH = 50_000;
const MAX_QUICK_REPLIES = 6;
const MAX_QUICK_REPLY_LENGTH = 200;

const missedSchema = z.object({ question: z.string(), asked_at: z.string(), reply: z.string(), paired: z.boolean() });

const missedOf = ({ text, askedAt, reply }: MissedReply) => ({
  question: text,
  asked_at: askedAt,
  reply: reply.reply,
  paired: reply.paired,
});

const missedLine = ({ question, reply }: z.infer<typeof missedSchema>) =>
  `Earlier answer to “${question.slice(0, 200)}”: ${reply}`;

const sendMessage = defineAction({
  name: QUESTION_TOOL,
  title: 'Ask the person',
  description:
    'Shows the person a message (Markdown) and waits for the reply. Use it for every question. A reply is never lost: after a time limit use resume_call, or send the same text again.',
  needs: [],
  effect: 'bookkeeping',
  input: z
    .object({
      text: z.string().min(1).max(MAX_TEXT_LENGTH),
      quick_replies: z
        .array(z.string().min(1).max(MAX_QUICK_REPLY_LENGTH))
        .max(MAX_QUICK_REPLIES)
        .default([])
        .describe('Answers offered as buttons.'),
    })
    .strict(),
  output: z.object({
    reply: z.string(),
    paired: z.boolean().describe('False: sent from a page that is not paired, so any program of this user could have.'),
    in_client: unpublished(z.literal(true).optional()),
    images: z.array(z.object({ mimeType: z.string(), base64: z.string() })).optional(),
    given_at: z.string().optional().describe('The answer was given then, to a call that did not receive it.'),
    earlier: z.array(missedSchema).optional().describe('Replies to other questions that had not reached you.'),
  }),
  subject: () => subjectWithoutPlace(title('title.ask_person')),
  async run(ctx, { text, quick_replies: quickReplies }, signal) {
    const question = {
      callId: ctx.callId,
      agent: ctx.caller.agent,
      text,
      quickReplies,
      connectionId: ctx.caller.connectionId,
    };
    const { reply, paired, inClient, images, givenAt } = await ctx.chat.ask(question, () => undefined, signal);
    const earlier = ctx.chat.collect(ctx.caller.agent.id, ctx.callId, ctx.waitSignal).map(missedOf);
    return {
      reply,
      paired,
      ...(inClient === undefined ? {} : { in_client: inClient }),
      ...(images.length === 0 ? {} : { images }),
      ...(givenAt === undefined ? {} : { given_at: givenAt }),
      ...(earlier.length === 0 ? {} : { earlier }),
    };
  },
  text: ({ reply, paired, in_client: inClient, images, given_at: at, earlier = [] }) =>
    [
      reply,
      ...(images === undefined ? [] : [`(${images.length} images)`]),
      ...(at === undefined ? [] : [`(answered at ${at})`]),
      ...(paired ? [] : [inClient === true ? '(answered in your own client)' : '(from a page that is not paired)']),
      ...earlier.map(missedLine),
    ].join('\n'),
});

const checkReplies = defineAction({
  name: 'check_replies',
  title: 'Check for replies',
  description: 'Returns replies to send_message that came while no call waited.',
  needs: [],
  effect: 'bookkeeping',
  input: z.object({}).strict(),
  output: z.object({ replies: z.array(missedSchema) }),
  subject: () => subjectWithoutPlace(title('title.check_replies')),
  run: async (ctx) => ({ replies: ctx.chat.collect(ctx.caller.agent.id, ctx.callId, ctx.waitSignal).map(missedOf) }),
  text: ({ replies }) => (replies.length === 0 ? 'No replies wait for you.' : replies.map(missedLine).join('\n')),
});

const chatTools: Tool[] = toolGroup('chat', { core: [sendMessage, checkReplies] });
