/** The methods GABP itself defines, answered from the calls. Called by the GABP server. */
import { describeIssues, joinIssues } from '../../protocol/input-errors.js';
import * as z from 'zod';
import { message } from '../../../messages/index.js';
import { GABP_ERRORS, GabpFault, readToolCall } from '../../protocol/gabp.js';
import type { ToolDescriptor } from '../../calls/types.js';
import { APPLICATION, OBSERVATION } from './event-history.js';
import { PROGRESS, type GabpMethod, type MethodDependencies, globMatches } from './method.js';
import { createToolCaller } from './tool-caller.js';

export const CHANNELS = [
  'tools/changed',
  PROGRESS,
  `${OBSERVATION}*`,
  `${APPLICATION}*`,
  'attention/opened',
  'attention/updated',
  'attention/cleared',
] as const;

const channelsSchema = z.object({ channels: z.array(z.string().min(1)).min(1) });
/** `from`, of our own: a channel's first number to send again, for a bridge that comes back. */
const subscribeSchema = channelsSchema.extend({ from: z.record(z.string(), z.int().min(0)).nullish() });
const listToolsSchema = z.object({
  filter: z.object({ tags: z.array(z.string()).nullish(), namePattern: z.string().nullish() }).nullish(),
});
const attentionSchema = z.object({ attentionId: z.string().min(1) });

export function standardMethods({
  calls,
  connectionCalls,
  attention,
  events,
  history,
  strict,
  caller,
}: MethodDependencies): Map<string, GabpMethod> {
  const toolCaller = createToolCaller({ calls, events, caller });
  return new Map<string, GabpMethod>([
    ['session/ping', () => ({})],
    ['session/goodbye', () => ({})],
    [
      'tools/list',
      (params) => ({ tools: listTools(calls.tools('full'), parseParams(listToolsSchema, params).filter ?? {}) }),
    ],
    [
      'tools/call',
      (params, request, onWritten) => {
        const call = readToolCall(params, { strict });
        const tool = calls.tools('full').find(({ gabpName }) => gabpName === call.name);
        if (tool === undefined) {
          throw new GabpFault(GABP_ERRORS.toolNotFound, message('gabp.no_such_tool', { name: call.name }));
        }
        return connectionCalls.run(
          request,
          toolCaller(request, onWritten, (run) => run(tool.name, call.arguments)),
        );
      },
    ],
    [
      'events/subscribe',
      (params) => {
        const { channels, from } = parseParams(subscribeSchema, params);
        const subscribed = events.subscribe(channels);
        const { id } = caller().agent;
        for (const [channel, first] of Object.entries(from ?? {})) events.replay(history.since(channel, first, id));
        return { subscribed };
      },
    ],
    [
      'events/unsubscribe',
      (params) => ({ unsubscribed: events.unsubscribe(parseParams(channelsSchema, params).channels) }),
    ],
    ['attention/current', () => ({ attention: attention.current() })],
    [
      'attention/ack',
      (params) => {
        const { attentionId } = parseParams(attentionSchema, params);
        const { acknowledged, currentAttention } = attention.acknowledge(attentionId);
        return { acknowledged, attentionId, currentAttention };
      },
    ],
  ]);
}

/** Throws GabpFault naming the field. */
export function parseParams<T>(schema: z.ZodType<T>, params: Record<string, unknown>): T {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const faults = joinIssues(describeIssues(schema, parsed.error, params), 'params');
  throw new GabpFault(GABP_ERRORS.invalidParams, message('gabp.invalid_params', { faults }));
}

/** A tool fits when it has any of the tags and its name fits the pattern. */
function listTools(tools: readonly ToolDescriptor[], filter: { tags?: string[] | null; namePattern?: string | null }) {
  const { tags, namePattern } = filter;
  return tools
    .filter((tool) => !tags?.length || tool.tags.some((tag) => tags.includes(tag)))
    .filter((tool) => !namePattern || globMatches(namePattern, tool.gabpName))
    .map(({ gabpName, title, description, inputSchema, outputSchema, tags: own }) => ({
      name: gabpName,
      title,
      description,
      inputSchema,
      outputSchema: outputSchema ?? { type: 'object' },
      tags: own,
    }));
}
