/** What the agent sees in tools/list: the host's descriptors, and the tool that waits again. */
import * as z from 'zod';
import type { Annotations, ToolDescriptor } from '../calls/types.js';
import { RESUME_TOOL } from './results.js';

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
export interface Descriptor {
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
