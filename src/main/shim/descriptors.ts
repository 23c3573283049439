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

const typeSchema = z.object({ type: z.string().nullable().catch(null) }).catch({ type: null });

/** MCP's outline of a tool; whatever else the host says goes through untouched. */
const descriptorSchema = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  inputSchema: z.looseObject({ type: z.literal('object') }),
  outputSchema: schemaObject.optional(),
});
export type Descriptor = z.infer<typeof descriptorSchema>;

/** What handles and failures say of themselves: no type is promised for these, whatever a tool's own result has there. */
const SHARED = new Set(['status', 'state', 'callId', 'tool', 'message', 'approvalId', 'next', 'error']);

/**
 * The fields of a result that have one plain type. Clients check every structured result against this, handles and failures too, so
 * nothing is required; and every list that a model reads has it, so it is short. The host checks results against the whole schema.
 */
function outline(outputSchema: Record<string, unknown>): Record<string, unknown> {
  const fields = [...fieldsOf(outputSchema)].filter(([name, type]) => type !== null && !SHARED.has(name));
  return { type: 'object', properties: Object.fromEntries(fields.map(([name, type]) => [name, { type }])) };
}

/** Name and type, null where there are several; also of a result that has one of several forms. */
function fieldsOf(schema: unknown): Map<string, string | null> {
  const { properties, anyOf, oneOf, allOf } = formsSchema.parse(schema);
  const found = new Map<string, string | null>();
  const forms = [...anyOf, ...oneOf, ...allOf].flatMap((form) => [...fieldsOf(form)]);
  const own = Object.entries(properties).map(([name, field]) => [name, typeSchema.parse(field).type] as const);
  for (const [name, type] of [...own, ...forms])
    found.set(name, found.has(name) && found.get(name) !== type ? null : type);
  return found;
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
