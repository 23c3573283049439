/** What the agent sees in tools/list: the host's descriptors, and one tool of the shim's own. */
import * as z from 'zod';
import { RESUME_TOOL } from './results.js';

const schemaObject = z.record(z.string(), z.unknown());

const formsSchema = z.object({
  properties: schemaObject.catch({}),
  anyOf: z.array(z.unknown()).catch([]),
  oneOf: z.array(z.unknown()).catch([]),
  allOf: z.array(z.unknown()).catch([]),
});

/** MCP's outline of a tool; whatever else the host says goes through untouched. */
export const descriptorSchema = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  inputSchema: z.looseObject({ type: z.literal('object') }),
  outputSchema: schemaObject.optional(),
});
export type Descriptor = z.infer<typeof descriptorSchema>;

/**
 * The names of a result's fields, and no more. Clients check every structured result against this, handles and failures too, so
 * nothing is required; and every list that a model reads has it, so it is short. The host checks results against the whole schema.
 */
function outline(outputSchema: Record<string, unknown>): Record<string, unknown> {
  return { type: 'object', properties: Object.fromEntries(fieldsOf(outputSchema).map((name) => [name, {}])) };
}

/** Also of a result that has one of several forms. */
function fieldsOf(schema: unknown): string[] {
  const { properties, anyOf, oneOf, allOf } = formsSchema.parse(schema);
  return [...new Set([...Object.keys(properties), ...[...anyOf, ...oneOf, ...allOf].flatMap(fieldsOf)])];
}

const RESUME: Descriptor = {
  name: RESUME_TOOL,
  title: 'Wait again for a call',
  description: 'Waits again for a call that answered with a status and a callId; gives its own result.',
  inputSchema: {
    type: 'object',
    properties: { call_id: { type: 'string', description: 'The callId of the earlier answer.' } },
    required: ['call_id'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
};

/** `sent` is the answer to agent/tools. Throws ZodError when it is no list of tools. */
export function publish(sent: unknown): Descriptor[] {
  const { tools } = z.looseObject({ tools: z.array(descriptorSchema) }).parse(sent);
  const published = tools.map((tool) =>
    tool.outputSchema === undefined ? tool : { ...tool, outputSchema: outline(tool.outputSchema) },
  );
  return [...published.filter((tool) => tool.name !== RESUME_TOOL), RESUME];
}
