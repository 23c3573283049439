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

/** What MCP requires of a tool; all other fields pass unchanged. */
const descriptorSchema = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  inputSchema: z.looseObject({ type: z.literal('object') }),
  outputSchema: schemaObject.optional(),
});
export type Descriptor = z.infer<typeof descriptorSchema>;

/** Fields of handles and failures. Published schemas give them no type, because a tool's own result may have another one. */
const HANDLE_FIELDS = new Set(['status', 'state', 'callId', 'tool', 'message', 'approvalId', 'next', 'error']);

/**
 * The fields of a result that have one plain type. Clients check every structured result against this schema, also handles and
 * failures, so no field is required. It is short because models read it in every list. The host checks results against the full schema.
 */
function outlineOf(outputSchema: Record<string, unknown>): Record<string, unknown> {
  const fields = [...fieldsOf(outputSchema)].filter(([name, type]) => type !== null && !HANDLE_FIELDS.has(name));
  return { type: 'object', properties: Object.fromEntries(fields.map(([name, type]) => [name, { type }])) };
}

/** Types by name, null where a field has several; includes the fields of all alternative forms. */
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

/** The tools from the host's answer to agent/tools, as clients get them. Throws ZodError where that is no list of tools. */
export function publish(answer: unknown): Descriptor[] {
  const { tools } = z.looseObject({ tools: z.array(descriptorSchema) }).parse(answer);
  const published = tools.map((tool) =>
    tool.outputSchema === undefined ? tool : { ...tool, outputSchema: outlineOf(tool.outputSchema) },
  );
  return [...published.filter((tool) => tool.name !== RESUME_TOOL), RESUME];
}
