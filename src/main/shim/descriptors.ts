/** What the agent sees in tools/list: the host's descriptors, and one tool of the shim's own. */
import * as z from 'zod';
import { RESUME_TOOL } from './results.js';

const schemaObject = z.record(z.string(), z.unknown());

/** MCP's outline of a tool; whatever else the host says goes through untouched. */
export const descriptorSchema = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  inputSchema: z.looseObject({ type: z.literal('object') }),
  outputSchema: schemaObject.optional(),
});
export type Descriptor = z.infer<typeof descriptorSchema>;

const HANDLE_SCHEMA = {
  type: 'object',
  description: `Given instead when the result takes longer than this client waits: come back with ${RESUME_TOOL}.`,
  properties: {
    status: { enum: ['queued', 'awaiting_human', 'running'] },
    callId: { type: 'string' },
    next: { type: 'string' },
  },
  required: ['status', 'callId', 'next'],
};

const FAILURE_SCHEMA = {
  type: 'object',
  description: 'Given with isError: what went wrong and what to do next.',
  anyOf: [{ required: ['error'] }, { required: ['code', 'message'] }],
};

/** Clients check every structured result against outputSchema, failures too (SDK 1.32.2), so it must allow the handle and a failure. Definitions stay at the root, where `$ref` looks for them. */
function allowOthers(outputSchema: Record<string, unknown>): Record<string, unknown> {
  const { $defs, $schema, ...own } = outputSchema;
  return {
    ...($schema === undefined ? {} : { $schema }),
    type: 'object',
    anyOf: [own, HANDLE_SCHEMA, FAILURE_SCHEMA],
    ...($defs === undefined ? {} : { $defs }),
  };
}

const RESUME: Descriptor = {
  name: RESUME_TOOL,
  title: 'Wait again for a call',
  description:
    'Waits again for a call that answered with a status (awaiting_human, queued or running) and a callId instead of its result. ' +
    'Gives that call’s own result, or the same status again while it still waits.',
  inputSchema: {
    type: 'object',
    properties: { call_id: { type: 'string', description: 'The callId of the earlier answer.' } },
    required: ['call_id'],
    additionalProperties: false,
  },
  annotations: {
    title: 'Wait again for a call',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
};

/** `sent` is the answer to agent/tools. Throws ZodError when it is no list of tools. */
export function publish(sent: unknown): Descriptor[] {
  const { tools } = z.looseObject({ tools: z.array(descriptorSchema) }).parse(sent);
  const published = tools.map((tool) =>
    tool.outputSchema === undefined ? tool : { ...tool, outputSchema: allowOthers(tool.outputSchema) },
  );
  return [...published.filter((tool) => tool.name !== RESUME_TOOL), RESUME];
}
