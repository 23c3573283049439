import { isRecord } from '../../base/type-guards.js';
import * as z from 'zod';
import { isControlEffect } from '../protocol/index.js';
import type { Tool } from '../tools/tool.js';
import type { Annotations, ToolDescriptor } from './types.js';

/** Fields that every control result has besides its own. */
const EFFECT_FIELDS = {
  effect: { type: 'string', enum: ['confirmed', 'unverified', 'no_change'] },
  before: {},
  after: {},
};

/** Tool descriptors for clients: schemas, annotations and tags, derived from the action and its effect class. */
export function describeTool({ action, group, core }: Tool): ToolDescriptor {
  const { name, title, description, effect } = action;
  const output = plainSchema(action.output, 'output');
  const properties = isRecord(output['properties']) ? output['properties'] : {};
  // Of an act where the agent may not see, only the effect is told.
  const { required: _required, ...optional } = output;
  const outputSchema = isControlEffect(effect)
    ? { ...optional, properties: { ...properties, ...EFFECT_FIELDS } }
    : output;
  return {
    name,
    gabpName: `${group}/${name}`,
    title,
    description,
    inputSchema: action.publishedInput ?? plainSchema(action.input, 'input'),
    // A result with pictures has no structured part, and clients insist on one where there is a schema.
    ...('image' in properties || 'images' in properties ? {} : { outputSchema }),
    annotations: annotations(action),
    tags: [effect, ...(isReadOnly(action) ? ['read-only'] : [])],
    core,
  };
}

const isReadOnly = ({ effect, deletes }: Tool['action']): boolean => !isControlEffect(effect) && deletes !== true;

/** Only hints that differ from MCP's defaults (not read-only, destructive, open world). */
function annotations(action: Tool['action']): Annotations {
  if (isReadOnly(action)) return { readOnlyHint: true };
  const { effect, deletes } = action;
  if (deletes === true) return { openWorldHint: false };
  return effect === 'pointer' ? { destructiveHint: false, openWorldHint: false } : {};
}

/** JSON Schema without keywords that only cost tokens: the host validates every call against the whole schema anyway. */
function plainSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  const { $defs, ...slim } = record(withoutNoise(rest, io));
  const needed = JSON.stringify(slim).includes('"$ref"');
  return { ...slim, type: 'object', ...(needed ? { $defs } : {}) };
}

function withoutNoise(schema: unknown, io: 'input' | 'output'): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      isNoise(key, value) ? undefined : withPublishedRequired(asList(value)),
    ),
  );

  /** Unpublished fields are not required either. */
  function withPublishedRequired(value: unknown): unknown {
    if (!isRecord(value) || !Array.isArray(value['required'])) return value;
    const fields = record(value['properties']);
    return { ...value, required: value['required'].filter((name: string) => !isNoise(name, fields[name])) };
  }

  function isNoise(key: string, value: unknown): boolean {
    if (isRecord(value) && value['unpublished'] === true) return true;
    const check = NOISE.get(key);
    return check === undefined ? false : check(value, io);
  }
}

/** A tuple as a list of its first item type, because not every client supports tuples. */
function asList(value: unknown): unknown {
  if (!isRecord(value) || !Array.isArray(value['prefixItems'])) return value;
  const { prefixItems, ...rest } = value;
  return { ...rest, items: prefixItems[0] };
}

const isEmpty = (value: unknown): boolean =>
  value === false || value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
const isCount = (value: unknown): boolean => typeof value === 'number';

/** Limits from here on are noise: a call that exceeds one is told of it. */
const MANY = 60;

/** Keywords that a model does not need before its first call. A parameter may have the same name; its value is then a schema. */
const NOISE = new Map<string, (value: unknown, io: 'input' | 'output') => boolean>([
  ['additionalProperties', () => true],
  ['propertyNames', (value) => isRecord(value) && value['type'] === 'string'],
  ['default', isEmpty],
  ['minimum', isCount],
  ['exclusiveMinimum', isCount],
  ['maximum', (value) => typeof value === 'number' && value >= MANY],
  ...['minLength', 'maxLength', 'minItems', 'maxItems'].map((key) => [key, isCount] as const),
]);

const record = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});
