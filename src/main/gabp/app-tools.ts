/** The tools of one connected application as tools of Chaperone: the same pipeline, cards, grants and record as its own. */
import * as z from 'zod';
import { defineAction } from '../pipeline/define.js';
import { toolGroup, type Tool } from '../tools/tool.js';
import { helperTools, helperNames } from './helper-tools.js';
import {
  callApp,
  connectedTo,
  requestApp,
  appWords,
  callPlan,
  callSubject,
  keptResult,
  resultText,
  UNVERIFIED,
  type AppToolsOptions,
  appPlan,
} from './tool-call.js';
import { publishedSchema, type AppTool } from './tool-list.js';
import { createHash } from 'node:crypto';
import { message } from '../../messages/index.js';
import type { AnyAction, Verification } from '../pipeline/action.js';
import type { ReadContext } from '../pipeline/context.js';
import { plainWords } from '../protocol/characters.js';
import { subjectWithoutPlace, title, WireError, type Subject, type Effect } from '../protocol/index.js';
import type { RunningApp } from './app.js';

type ReadingEffect = Extract<Effect, 'read' | 'bookkeeping' | 'disclose'>;

const isReading = (effect: Effect): effect is ReadingEffect =>
  effect === 'read' || effect === 'bookkeeping' || effect === 'disclose';

// The resources of a connected application, as actions that their addresses name: the same pipeline, cards, grants and record as its tools. In no list of tools; what an agent was told of is in its list of resources.

const METHODS = ['resources/list', 'resources/read'] as const;
type Method = (typeof METHODS)[number];

const MAX_LISTED = 500;
const MAX_WORDS = 300;
const MAX_URI = 2_000;
/** Characters of what is given as it is. */
const MAX_CONTENT = 150_000;
const MAX_PICTURE = 10 * 1024 * 1024;
const PICTURES: ReadonlySet<unknown> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const resourceToolNames = ({ name }: Pick<RunningApp, 'name'>): string[] => [
  `${name}_list_resources`,
  `${name}_read_resource`,
];

/** None where the application has no resources. */
function resourceTools(options: AppToolsOptions): AnyAction[] {
  const methods = options.app.connection()?.welcome.capabilities.methods ?? [];
  if (!METHODS.every((method) => methods.includes(method))) return [];
  return [listResources(options), readResource(options)];
}

const shown = z.looseObject({
  uri: z.string().max(MAX_URI),
  name: z.string().catch(''),
  description: z.string().optional().catch(undefined),
  mimeType: z.string().optional().catch(undefined),
});
const listSchema = z.looseObject({ resources: z.array(z.unknown()) });
const listedSchema = z.object({
  uri: z.string(),
  name: z.string(),
  description: z.string().optional(),
  mime_type: z.string().optional(),
});

function listResources(options: AppToolsOptions): AnyAction {
  const { app } = options;
  return reading(options, 'resources/list', {
    name: `${app.name}_list_resources`,
    description: `Lists the resources of the application ${app.name}.`,
    subject: { ...subjectWithoutPlace(title('title.list_app_resources')), app: app.name },
    input: z.strictObject({}),
    output: z.object({ resources: z.array(listedSchema), of: z.number().int() }),
    read(answer: unknown) {
      const all = listSchema.parse(answer).resources;
      const resources = all.slice(0, MAX_LISTED).flatMap((given) => {
        const one = shown.safeParse(given);
        if (!one.success) return [];
        const { uri, name, description, mimeType } = one.data;
        return [
          {
            uri,
            name: plainWords(name, MAX_WORDS),
            ...(description === undefined ? {} : { description: plainWords(description, MAX_WORDS) }),
            ...(mimeType === undefined ? {} : { mime_type: plainWords(mimeType, MAX_WORDS) }),
          },
        ];
      });
      return { resources, of: all.length };
    },
    tell: (agentId, { resources }) => app.told.tell(agentId, resources),
  });
}

const contentSchema = z.looseObject({
  content: z.unknown(),
  mimeType: z.string().optional().catch(undefined),
  encoding: z.string().optional().catch(undefined),
});

function readResource(options: AppToolsOptions): AnyAction {
  const { app } = options;
  return reading(options, 'resources/read', {
    name: `${app.name}_read_resource`,
    description: `Reads one resource of the application ${app.name}.`,
    subject: { ...subjectWithoutPlace(title('title.read_app_resource')), app: app.name },
    input: z.strictObject({ uri: z.string().min(1).max(MAX_URI) }),
    output: z.object({
      mime_type: z.string().optional(),
      content: z.unknown().optional(),
      images: z.array(z.object({ mimeType: z.string(), base64: z.string() })).optional(),
    }),
    read(answer: unknown) {
      const { content, mimeType, encoding } = contentSchema.parse(answer);
      const type = mimeType === undefined ? {} : { mime_type: plainWords(mimeType, MAX_WORDS) };
      const isPicture = encoding === 'base64' && PICTURES.has(mimeType) && typeof content === 'string';
      const most = isPicture ? MAX_PICTURE : MAX_CONTENT;
      if ((JSON.stringify(content)?.length ?? 0) > most || (isPicture && !BASE64.test(content)))
        throw new WireError('DESKTOP_APP_FAILED', message('apps.unusable_resource', { app: app.name }));
      return isPicture ? { ...type, images: [{ mimeType: mimeType ?? '', base64: content }] } : { ...type, content };
    },
  });
}

interface Reading<I extends Record<string, unknown>, O> {
  name: string;
  description: string;
  subject: Subject;
  input: z.ZodType<I>;
  output: z.ZodType<O>;
  /** Throws where the answer is of no use. */
  read(answer: unknown): O;
  /** This agent has got it. */
  tell?(agentId: string, given: O): void;
}

/** What reading does in the application is not known, so the person is asked as for any of its tools, unless they set a milder effect. */
function reading<I extends Record<string, unknown>, O>(
  options: AppToolsOptions,
  method: Method,
  { name, description, subject, input, output, read, tell }: Reading<I, O>,
): AnyAction {
  const { app } = options;
  const effect = app.entry.effects[method] ?? 'input';
  const facts = {
    ...{ name, title: description, description, needs: [], offDesktop: true as const, input, output },
    subject: () => subject,
    plan: async (_ctx: unknown, given: I) => {
      connectedTo(app);
      return appPlan(options, { subject, given, schema: {}, said: '' });
    },
  };
  const ask = async ({ caller }: Pick<ReadContext, 'caller'>, given: I, signal: AbortSignal): Promise<O> => {
    const answer = read(await requestApp(app, connectedTo(app), { method, params: given }, signal));
    tell?.(caller.agent.id, answer);
    return answer;
  };
  if (isReading(effect)) return defineAction({ ...facts, effect, run: ask });
  const act = async (
    ctx: Pick<ReadContext, 'caller'>,
    given: I,
    signal: AbortSignal,
  ): Promise<{ value: O; effect: Verification }> => ({ value: await ask(ctx, given, signal), effect: UNVERIFIED });
  return defineAction({ ...facts, effect, act });
}

// Names for MCP: `app_tool`, at most 40 characters, never the same for two tools, and the same again whatever the order of the list. Pure.

const MAX_NAME = 40;
const HASH_DIGITS = 8;

/** `reserved`: names that others have. */
export function toolNames(app: string, tools: readonly string[], reserved: ReadonlySet<string>): Map<string, string> {
  const plain = new Map(tools.map((tool) => [tool, plainName(app, tool)]));
  const counts = new Map<string, number>();
  for (const name of plain.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isFree = (name: string): boolean => name.length <= MAX_NAME && counts.get(name) === 1 && !reserved.has(name);
  return new Map([...plain].map(([tool, name]) => [tool, isFree(name) ? name : hashedName(app, tool, name)]));
}

const plainName = (app: string, tool: string): string => `${app}_${tool.replace(/[^a-z0-9]+/g, '_')}`;

function hashedName(app: string, tool: string, name: string): string {
  const hash = createHash('sha256').update(`${app}/${tool}`).digest('hex').slice(0, HASH_DIGITS);
  return `${name.slice(0, MAX_NAME - HASH_DIGITS - 1)}_${hash}`;
}

/** Of one application, those for finding and calling the others included. */
const MAX_PUBLISHED = 100;
export function appTools(options: AppToolsOptions): Tool[] {
  const { app, reserved } = options;
  const listed = app.tools();
  const helpers = helperNames(app, listed.length > MAX_PUBLISHED);
  const published = listed.slice(0, MAX_PUBLISHED - helpers.size);
  const names = toolNames(
    app.name,
    published.map(({ name }) => name),
    new Set([...reserved, ...helpers, ...resourceToolNames(app)]),
  );
  const own = published.map((tool) => appAction(options, tool, names.get(tool.name) ?? tool.name));
  const unlisted = toolGroup(app.name, { more: resourceTools(options) });
  return [
    ...toolGroup(app.name, { core: helperTools(options, helpers), more: own }),
    ...unlisted.map((tool) => ({ ...tool, listed: false as const })),
  ];
}

const argumentsSchema = z.record(z.string(), z.unknown());

function appAction(options: AppToolsOptions, tool: AppTool, name: string) {
  const { app } = options;
  const facts = {
    name,
    title: tool.title,
    description: appWords(app.name, tool.description),
    needs: [],
    offDesktop: true as const,
    input: argumentsSchema,
    output: z.object({ result: z.unknown() }),
    publishedInput: publishedSchema(tool.inputSchema),
    subject: () => callSubject(app.name, tool),
    plan: async (_ctx: unknown, given: Record<string, unknown>) => callPlan(options, tool, given),
    text: resultText,
    kept: keptResult,
  };
  const call = async (given: Record<string, unknown>, signal: AbortSignal) => ({
    result: await callApp(app, tool, given, signal),
  });
  const { effect } = tool;
  return isReading(effect)
    ? defineAction({ ...facts, effect, run: (_ctx, given, signal) => call(given, signal) })
    : defineAction({
        ...facts,
        effect,
        act: async (_ctx, given, signal) => ({ value: await call(given, signal), effect: UNVERIFIED }),
      });
}
