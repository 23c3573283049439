/** The tools of an application as it lists them, read so that whatever it says can be shown and published. Nothing it says makes a tool milder. */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { message, MessageError } from '../../messages/index.js';
import type { Effect } from '../protocol/index.js';
import { GABP_NAME } from '../protocol/gabp.js';
import { plainWords } from '../protocol/plain-words.js';
import type { AppEntry } from './config.js';
import { RequestFailed, type AppConnection } from './connection.js';

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
