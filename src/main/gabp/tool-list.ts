/** The tools of an application as it lists them, read so that whatever it says can be shown and published. Nothing it says makes a tool milder. */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { message, MessageError } from '../../messages/index.js';
import type { Effect } from '../protocol/index.js';
import { GABP_NAME } from '../protocol/gabp.js';
import { plainWords } from '../protocol/characters.js';
import type { AppEntry } from './config.js';
import { RequestFailed, type AppConnection } from './connection.js';
import { isRecord } from '../../base/type-guards.js';

export interface AppTool {
  /** As the application has it. */
  name: string;
  title: string;
  description: string;
  /** As the application sent it. */
  inputSchema: unknown;
  effect: Effect;
  /** Of all it said of this tool: a tool that became another is not called. */
  digest: string;
}

const MAX_TOOLS = 100_000;
/** Read before others get their turn. */
const TOOLS_PER_TURN = 500;
const MAX_NAME_CHARS = 200;
const MAX_TITLE_CHARS = 80;
const MAX_DESCRIPTION_CHARS = 600;

const text = z.string().catch('');
const toolSchema = z.looseObject({
  name: z.string().max(MAX_NAME_CHARS),
  title: text,
  description: text,
  inputSchema: z.unknown().optional(),
  parameters: z.unknown().optional(),
  tags: z.array(z.unknown()).catch([]),
  annotations: z.record(z.string(), z.unknown()).catch({}),
});

export async function listAppTools(
  { request }: Pick<AppConnection, 'request'>,
  { effects }: Pick<AppEntry, 'effects'>,
  limit: Parameters<AppConnection['request']>[2],
): Promise<{ tools: AppTool[]; dropped: number }> {
  const answer = await request('tools/list', {}, limit).catch(withoutTools);
  const listed = z.looseObject({ tools: z.array(z.unknown()) }).safeParse(answer);
  if (!listed.success) throw new MessageError(message('apps.no_tool_list'));
  const found = new Map<string, AppTool>();
  for (const [index, given] of listed.data.tools.slice(0, MAX_TOOLS).entries()) {
    if (index % TOOLS_PER_TURN === TOOLS_PER_TURN - 1) await setImmediate();
    const tool = readTool(given, effects);
    if (tool !== null && !found.has(tool.name)) found.set(tool.name, tool);
  }
  return { tools: [...found.values()], dropped: listed.data.tools.length - found.size };
}

/** Which methods there are need not be said: one that has no tools says so here. */
function withoutTools(thrown: unknown): { tools: [] } {
  if (thrown instanceof RequestFailed && thrown.meaning === 'no_method') return { tools: [] };
  throw thrown;
}

function readTool(given: unknown, effects: AppEntry['effects']): AppTool | null {
  const parsed = toolSchema.safeParse(given);
  if (!parsed.success || !GABP_NAME.test(parsed.data.name)) return null;
  const { name, title, description, inputSchema, parameters, tags, annotations } = parsed.data;
  return {
    name,
    title: plainWords(title, MAX_TITLE_CHARS) || name,
    description: plainWords(description, MAX_DESCRIPTION_CHARS),
    inputSchema: isEmpty(inputSchema) ? schemaOfParameters(parameters) : inputSchema,
    effect: effects[name] ?? (isDangerous(tags, annotations) ? 'dangerous' : 'input'),
    digest: createHash('sha256').update(JSON.stringify(given)).digest('hex'),
  };
}

const DANGEROUS_TAGS: ReadonlySet<string> = new Set(['dangerous', 'destructive', 'delete', 'irreversible', 'payment', 'purchase', 'admin', 'execute', 'shell', 'system', 'network']); // prettier-ignore

/** Tags and hints only make a tool more dangerous than one that is asked about. */
const isDangerous = (tags: readonly unknown[], annotations: Record<string, unknown>): boolean =>
  annotations['destructiveHint'] === true ||
  tags.some((tag) => typeof tag === 'string' && DANGEROUS_TAGS.has(tag.toLowerCase()));

const isEmpty = (schema: unknown): boolean =>
  typeof schema !== 'object' || schema === null || Object.keys(schema).length === 0;

const parametersSchema = z
  .array(z.looseObject({ name: z.string(), description: text, required: z.boolean().catch(false) }))
  .catch([]);

/** Some applications describe parameters in a list of their own. */
function schemaOfParameters(given: unknown): unknown {
  const parameters = parametersSchema.parse(given ?? []);
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, description }) => [name, { description }])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

// The schema of a tool's parameters as it may be published: only known keywords, bounded, and without hidden characters. Pure.

/** Characters; a larger schema is left out, because every list would carry it. */
const MAX_CHARACTERS = 4_000;
const MAX_DEPTH = 6;
const MAX_ITEMS = 60;
const MAX_TEXT = 300;
/** What known model providers take. */
const PROPERTY_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
const TYPES: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

type Schema = Record<string, unknown>;
type Cleaner = (value: unknown, depth: number) => unknown;

const cleanText: Cleaner = (value) => (typeof value === 'string' ? plainWords(value, MAX_TEXT) : undefined);
const cleanNumber: Cleaner = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const cleanPlain: Cleaner = (value) =>
  typeof value === 'string' ? plainWords(value, MAX_TEXT) : typeof value === 'boolean' ? value : cleanNumber(value, 0);
const cleanList =
  (clean: Cleaner): Cleaner =>
  (value, depth) => {
    if (!Array.isArray(value)) return undefined;
    const kept = value.slice(0, MAX_ITEMS).map((one) => clean(one, depth));
    return kept.some((one) => one !== undefined) ? kept.filter((one) => one !== undefined) : undefined;
  };

const KEYWORDS = new Map<string, Cleaner>([
  ['type', (value) => (TYPES.has(value) ? value : undefined)],
  ['title', cleanText],
  ['description', cleanText],
  ['format', cleanText],
  ['default', cleanPlain],
  ['const', cleanPlain],
  ['enum', cleanList(cleanPlain)],
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'].map((key) => [key, cleanNumber] as const),
  ['items', cleanSchema],
  ['anyOf', cleanList(cleanSchema)],
  ['oneOf', cleanList(cleanSchema)],
  ['properties', cleanProperties],
]);

/** Any object where the schema cannot be published: the application checks the parameters itself. */
export function publishedSchema(given: unknown): Schema {
  const cleaned = cleanSchema(given, 0);
  if (!isRecord(cleaned)) return { type: 'object' };
  const { anyOf: _anyOf, oneOf: _oneOf, ...plain } = cleaned;
  const schema = { ...plain, type: 'object' };
  return JSON.stringify(schema).length <= MAX_CHARACTERS ? schema : { type: 'object' };
}

function cleanSchema(given: unknown, depth: number): unknown {
  if (!isRecord(given) || depth > MAX_DEPTH) return undefined;
  const kept: Schema = {};
  for (const [key, clean] of KEYWORDS) {
    const value = Object.hasOwn(given, key) ? clean(given[key], depth + 1) : undefined;
    if (value !== undefined) kept[key] = value;
  }
  const { properties } = kept;
  const required = cleanList(cleanText)(given['required'], depth);
  if (isRecord(properties) && Array.isArray(required)) {
    const named = required.filter((name) => typeof name === 'string' && Object.hasOwn(properties, name));
    if (named.length > 0) kept['required'] = [...new Set(named)];
  }
  return kept;
}

function cleanProperties(given: unknown, depth: number): unknown {
  if (!isRecord(given)) return undefined;
  const named = Object.entries(given)
    .filter(([name]) => PROPERTY_NAME.test(name) && name !== '__proto__')
    .slice(0, MAX_ITEMS);
  return Object.fromEntries(named.map(([name, schema]) => [name, cleanSchema(schema, depth) ?? {}]));
}
