/** The methods GABP itself defines, answered from the calls. Called by the GABP server. */
import { describeIssues, joinIssues } from '../../pipeline/input-errors.js';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { message } from '../../../messages/index.js';
import type { Caller } from '../../pipeline/ports.js';
import { GABP_ERRORS, GabpFault, readToolCall } from '../../protocol/gabp.js';
import type { Calls } from '../../calls/index.js';
import type { Progress, ToolDescriptor } from '../../calls/types.js';
import type { AttentionPort } from '../../agents/attention.js';
import type { ConnectionCalls } from '../connection-calls.js';
import type { GabpEvents } from './events.js';
import { withProgress } from './call-progress.js';
import type { GabpMethod } from './method.js';
import { globMatches } from './glob.js';
import { toolOutput } from './output.js';

export const PROGRESS = 'call/progress';
export const OBSERVATION = 'observation/';
export const CHANNELS = [
  'tools/changed',
  PROGRESS,
  `${OBSERVATION}*`,
  'attention/opened',
  'attention/updated',
  'attention/cleared',
] as const;

export interface MethodDependencies {
  calls: Calls;
  connectionCalls: ConnectionCalls;
  attention: AttentionPort;
  events: GabpEvents;
  strict: boolean;
  caller(): Caller;
}

const channelsSchema = z.object({ channels: z.array(z.string().min(1)).min(1) });
const listToolsSchema = z.object({
  filter: z.object({ tags: z.array(z.string()).nullish(), namePattern: z.string().nullish() }).nullish(),
});
const listResourcesSchema = z.object({ pattern: z.string().nullish(), namespace: z.string().nullish() });
const uriSchema = z.object({ uri: z.string() });
const attentionSchema = z.object({ attentionId: z.string().min(1) });

export function standardMethods({
  calls,
  connectionCalls,
  attention,
  events,
  strict,
  caller,
}: MethodDependencies): Map<string, GabpMethod> {
  return new Map<string, GabpMethod>([
    ['session/ping', () => ({})],
    ['session/goodbye', () => ({})],
    [
      'tools/list',
      (params) => ({ tools: listTools(calls.tools('full'), parseParams(listToolsSchema, params).filter ?? {}) }),
    ],
    [
      'tools/call',
      async (params, { id }, onWritten) => {
        const call = readToolCall(params, { strict });
        const tool = calls.tools('full').find(({ gabpName }) => gabpName === call.name);
        if (tool === undefined) {
          throw new GabpFault(GABP_ERRORS.toolNotFound, message('gabp.no_such_tool', { name: call.name }));
        }
        // Request ids may come again on another connection; a call's id never may, for results are kept by it.
        const made = { callId: randomUUID(), name: tool.name, arguments: call.arguments };
        onWritten(() => calls.resultWritten(caller(), made.callId));
        const tell = (progress: Progress): void => events.publish(PROGRESS, { ...progress, callId: id });
        return connectionCalls.run({ id }, async (signal) =>
          toolOutput(await withProgress(tell, (onProgress) => calls.callTool(caller(), made, { signal, onProgress }))),
        );
      },
    ],
    ['events/subscribe', (params) => ({ subscribed: events.subscribe(parseParams(channelsSchema, params).channels) })],
    [
      'events/unsubscribe',
      (params) => ({ unsubscribed: events.unsubscribe(parseParams(channelsSchema, params).channels) }),
    ],
    [
      'resources/list',
      (params) => ({ resources: listResources(calls, caller(), parseParams(listResourcesSchema, params)) }),
    ],
    ['resources/read', (params) => readResource(calls, caller(), parseParams(uriSchema, params).uri)],
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

function listResources(calls: Calls, caller: Caller, filter: { pattern?: string | null; namespace?: string | null }) {
  const { pattern, namespace } = filter;
  return calls
    .resources(caller)
    .filter(({ uri }) => !namespace || uri.startsWith(`gabp://${namespace}/`))
    .filter(({ uri }) => !pattern || globMatches(pattern, uri));
}

function readResource(calls: Calls, caller: Caller, uri: string) {
  const found = calls.readResource(caller, uri);
  if (found === null)
    throw new GabpFault(GABP_ERRORS.resourceNotFound, message('gabp.no_such_resource', { uri: uri.slice(0, 256) }));
  return { content: found.base64, mimeType: found.mimeType, encoding: 'base64' };
}
