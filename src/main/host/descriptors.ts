import * as z from 'zod';
import { isControl } from '../action/rooms.js';
import type { Tool } from '../tools/common.js';
import type { Effect } from '../protocol/index.js';
import type { Annotations, ToolDescriptor } from './hub.js';

const KNOWN = {
  effect: { enum: ['confirmed', 'unverified', 'no_change'] },
  before: {},
  after: {},
};

/** What clients are told of a tool: schemas, annotations and tags derive from the action and its effect class. */
export function describeTool({ action, group, core }: Tool): ToolDescriptor {
  const { name, title, description, effect } = action;
  const output = plainSchema(action.output, 'output');
  const properties = isRecord(output['properties']) ? output['properties'] : {};
  const outputSchema = isControl(effect) ? { ...output, properties: { ...properties, ...KNOWN } } : output;
  return {
    name,
    gabpName: `${group}/${name}`,
    title,
    description,
    inputSchema: plainSchema(action.input, 'input'),
    // A result with pictures has no structured part, and clients insist on one where there is a schema.
    ...('image' in properties || 'images' in properties ? {} : { outputSchema }),
    annotations: annotations(effect),
    tags: [effect, ...(isControl(effect) ? [] : ['read-only'])],
    core,
  };
}

/** As the shim gets it: MCP's fields and no other. A title that only repeats the name is left out. */
export function mcpDescriptor(tool: ToolDescriptor): Record<string, unknown> {
  const { gabpName: _gabpName, tags: _tags, core: _core, title, annotations: hints, ...descriptor } = tool;
  const same = title.toLowerCase().replaceAll(' ', '_') === tool.name;
  return {
    ...descriptor,
    ...(same ? {} : { title }),
    ...(Object.keys(hints).length === 0 ? {} : { annotations: hints }),
  };
}

/** Only what differs from what MCP supposes: a tool that changes, may destroy, and may reach the world outside. */
function annotations(effect: Effect): Annotations {
  if (effect === 'pointer') return { destructiveHint: false, openWorldHint: false };
  if (isControl(effect)) return {};
  // What is on a screen may come from anywhere.
  return effect === 'disclose' ? { readOnlyHint: true } : { readOnlyHint: true, openWorldHint: false };
}

/** JSON Schema without what only costs tokens: the host checks every call against the whole schema anyway. */
function plainSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  const slim: unknown = JSON.parse(
    JSON.stringify(rest, (key, value: unknown) => (isNoise(key, value, io) ? undefined : value)),
  );
  return isRecord(slim) ? { ...slim, type: 'object' } : { type: 'object' };
}

function isNoise(key: string, value: unknown, io: 'input' | 'output'): boolean {
  if (isRecord(value)) return value['unpublished'] === true;
  if (key === 'additionalProperties') return io === 'output';
  if (key === 'maximum') return value === Number.MAX_SAFE_INTEGER;
  if (key === 'minimum') return value === Number.MIN_SAFE_INTEGER;
  return (key === 'minLength' || key === 'maxLength') && typeof value === 'number';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
