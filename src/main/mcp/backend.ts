/** What serves an MCP client: tools, resources and calls of one agent. */
import type { ListedPrompt } from '../calls/prompts.js';
import type { ListedResource, ResourceTarget } from '../calls/resources.js';
import { type CallState, type HostToolResult, RESUME_TOOL } from './results.js';
import * as z from 'zod';
import type { Annotations, ToolDescriptor } from '../calls/types.js';

export interface McpClientInfo {
  name: string;
  version: string;
}

export interface Wait {
  /** Of the client's request. */
  id: string | number;
  /** Aborted when the client cancels its request or is gone. */
  signal: AbortSignal;
  onProgress(state: CallState): void;
  /** The HTTP request that brought it; left out on stdio. */
  http?: Request;
}

/** `client` is the client's own name, null until it has given one. */
export interface McpBackend {
  tools(client: McpClientInfo | null): Promise<Descriptor[]>;
  /** Rejects with WireError `unknown_tool` where there is no such tool. */
  call(name: string, args: unknown, client: McpClientInfo | null, wait: Wait): Promise<HostToolResult>;
  /** Of the addresses of its resources. */
  scheme: string;
  resources(): Promise<{ resources: ListedResource[]; templates: ListedResource[] }>;
  /** null where there is no resource of this path. */
  resource(path: string): Promise<ResourceTarget | null>;
  prompts(): Promise<ListedPrompt[]>;
  /** Rejects with WireError where there is no such prompt, or its arguments do not fit. */
  prompt(name: string, values: Readonly<Record<string, string>>): Promise<{ description: string; text: string }>;
  /** Empty where the person would have to be asked. */
  complete(argument: string, given: string): Promise<string[]>;
  /** The client's answer to the question of this call; false where it has one already, or is no question of this agent. */
  answer(callId: string, text: string): Promise<boolean>;
  /** The screens for the initialize result; null where they are not available in time. */
  screens(): Promise<unknown[] | null>;
  instructions: string;
}

// What the agent sees in tools/list: the host's descriptors, and the tool that waits again.

const schemaObject = z.record(z.string(), z.unknown());

const formsSchema = z.object({
  properties: schemaObject.catch({}),
  anyOf: z.array(z.unknown()).catch([]),
  oneOf: z.array(z.unknown()).catch([]),
  allOf: z.array(z.unknown()).catch([]),
});

interface Schema {
  type: 'object';
  [keyword: string]: unknown;
}

/** A tool of MCP, without a title, which would say the name again in other words. */
interface Descriptor {
  name: string;
  description: string;
  inputSchema: Schema;
  outputSchema?: Schema;
  annotations?: Annotations;
}

/** Fields of handles and failures: a tool's own result may have others of the same names. */
const HANDLE_FIELDS = new Set(['status', 'state', 'callId', 'tool', 'message', 'approvalId', 'next', 'error']);

/**
 * Clients check every structured result against the published schema, also handles and failures, so no field is required and none
 * has a type. It is short because it counts in every list: of what only reads, the names of the fields; of acts, which answer what
 * they did, that it is an object. The host checks results against the full schema.
 */
function outlineOf(outputSchema: unknown, { readOnlyHint }: Annotations): Schema {
  if (readOnlyHint !== true) return { type: 'object' };
  const names = fieldsOf(outputSchema).filter((name) => !HANDLE_FIELDS.has(name));
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) };
}

/** Names of the fields, those of all alternative forms included. */
function fieldsOf(schema: unknown): string[] {
  const { properties, anyOf, oneOf, allOf } = formsSchema.parse(schema);
  return [...Object.keys(properties), ...[...anyOf, ...oneOf, ...allOf].flatMap(fieldsOf)];
}

const RESUME: Descriptor = {
  name: RESUME_TOOL,
  description: 'Waits again for a call that answered with a status and a callId; gives its own result.',
  inputSchema: {
    type: 'object',
    properties: { call_id: { type: 'string' } },
    required: ['call_id'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
};

export function publish(tools: readonly ToolDescriptor[]): Descriptor[] {
  const published = tools.map(({ name, description, inputSchema, outputSchema, annotations }): Descriptor => ({
    ...{ name, description, inputSchema: { ...inputSchema, type: 'object' } },
    ...(outputSchema === undefined ? {} : { outputSchema: outlineOf(outputSchema, annotations) }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  }));
  return [...published.filter((tool) => tool.name !== RESUME_TOOL), RESUME];
}
