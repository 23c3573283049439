import { title, subjectWithoutPlace } from '../protocol/index.js';
import * as z from 'zod';
import { defineAction } from '../pipeline/define.js';
import type { MissedReply } from '../pipeline/ports.js';
import { QUESTION_TOOL } from '../protocol/resume-tool.js';
import { unpublished } from './parameters.js';
import { toolGroup, type Tool } from './tool.js';

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

export const chatTools: Tool[] = toolGroup('chat', { core: [sendMessage, checkReplies] });
