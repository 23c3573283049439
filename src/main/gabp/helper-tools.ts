/** What an application's own tools are not enough for: finding and calling those that are not published, its events, and confirming what it wants seen. */
import * as z from 'zod';
import { message } from '../../messages/index.js';
import type { AnyAction } from '../pipeline/action.js';
import { defineAction } from '../pipeline/define.js';
import { subjectWithoutPlace, title, WireError } from '../protocol/index.js';
import { acknowledge, hasAttention } from './attention.js';
import type { RunningApp } from './app.js';
import {
  callApp,
  connectedTo,
  appWords,
  callPlan,
  callSubject,
  keptResult,
  resultText,
  UNVERIFIED,
  type AppToolsOptions,
} from './tool-call.js';
import { publishedSchema, type AppTool } from './tool-list.js';

type Make = (options: AppToolsOptions, name: string) => AnyAction;

const HELPERS = new Map<string, Make>([
  ['find_tools', findTools],
  ['call_tool', callTool],
  ['events', readEvents],
  ['acknowledge', acknowledgeAttention],
]);

/** The names of those that this application needs now. */
export function helperNames(app: RunningApp, tooMany: boolean): Set<string> {
  const connection = app.connection();
  const needed = new Set([
    ...(tooMany ? ['find_tools', 'call_tool'] : []),
    ...((connection?.welcome.capabilities.events.length ?? 0) > 0 ? ['events'] : []),
    ...(connection !== null && hasAttention(connection) ? ['acknowledge'] : []),
  ]);
  return new Set([...needed].map((name) => `${app.name}_${name}`));
}

export const helperTools = (options: AppToolsOptions, names: ReadonlySet<string>): AnyAction[] =>
  [...HELPERS].flatMap(([helper, make]) => {
    const name = `${options.app.name}_${helper}`;
    return names.has(name) ? [make(options, name)] : [];
  });

const MAX_FOUND = 20;

function findTools({ app }: AppToolsOptions, name: string): AnyAction {
  return defineAction({
    name,
    title: `Find tools of ${app.name}`,
    description: `Finds tools of the application ${app.name} by words in what it says of them.`,
    effect: 'read',
    needs: [],
    input: z.strictObject({ query: z.string().max(200).default('') }),
    output: z.object({
      tools: z.array(
        z.object({ tool: z.string(), title: z.string(), description: z.string(), arguments: z.unknown() }),
      ),
      of: z.number().int(),
    }),
    subject: () => ({ ...subjectWithoutPlace(title('title.find_app_tools')), app: app.name }),
    run: async (_ctx, { query }) => {
      const found = matching(app.tools(), query);
      const tools = found.slice(0, MAX_FOUND).map((tool) => ({
        tool: tool.name,
        title: tool.title,
        description: appWords(app.name, tool.description),
        arguments: publishedSchema(tool.inputSchema),
      }));
      return { tools, of: found.length };
    },
  });
}

function matching(tools: readonly AppTool[], query: string): AppTool[] {
  const words = query
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
  return tools.filter(({ name, title: called, description }) => {
    const text = `${name} ${called} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function callTool(options: AppToolsOptions, name: string): AnyAction {
  const { app } = options;
  const find = (tool: string): AppTool => {
    const found = app.tools().find((one) => one.name === tool);
    if (found !== undefined) return found;
    throw new WireError('DESKTOP_INVALID_REQUEST', message('apps.no_such_tool', { app: app.name, tool }), {
      reason: 'unknown_tool',
      next: `Find its name with ${app.name}_find_tools.`,
    });
  };
  return defineAction({
    name,
    title: `Call a tool of ${app.name}`,
    description: `Calls any tool of the application ${app.name} that ${app.name}_find_tools finds.`,
    effect: ({ tool }) => find(tool).effect,
    needs: [],
    offDesktop: true,
    input: z.strictObject({
      tool: z.string().max(200).describe('As found.'),
      arguments: z.record(z.string(), z.unknown()).default({}),
    }),
    output: z.object({ result: z.unknown() }),
    subject: ({ tool }) => callSubject(app.name, find(tool)),
    plan: async (_ctx, given) => callPlan(options, find(given.tool), given.arguments),
    act: async (_ctx, given, signal) => ({
      value: { result: await callApp(app, find(given.tool), given.arguments, signal) },
      effect: UNVERIFIED,
    }),
    text: resultText,
    kept: keptResult,
  });
}

const MAX_EVENTS = 100;

function readEvents({ app }: AppToolsOptions, name: string): AnyAction {
  const subject = { ...subjectWithoutPlace(title('title.read_app_events')), app: app.name };
  return defineAction({
    name,
    title: `Events of ${app.name}`,
    description: `The latest events of the application ${app.name}, oldest first. Ask again from the last position.`,
    effect: 'disclose',
    needs: [],
    input: z.strictObject({
      since: z.number().int().min(0).default(0).describe('Position of the last event you have.'),
      channel: z.string().max(200).optional(),
    }),
    output: z.object({
      events: z.array(
        z.object({ position: z.number().int(), channel: z.string(), at: z.string(), payload: z.unknown() }),
      ),
      lost: z.number().int(),
    }),
    subject: () => subject,
    run: async (_ctx, { since, channel = null }) => ({
      events: app.events.read(since, MAX_EVENTS, channel).map(({ position, channel: from, at, payload }) => ({
        position,
        channel: from,
        at,
        payload,
      })),
      lost: app.events.lost(),
    }),
  });
}

function acknowledgeAttention({ app }: AppToolsOptions, name: string): AnyAction {
  return defineAction({
    name,
    title: `Confirm a message of ${app.name}`,
    description: `Confirms that you have seen what the application ${app.name} refuses calls for.`,
    effect: 'bookkeeping',
    needs: [],
    input: z.strictObject({ attention_id: z.string().min(1).max(200) }),
    output: z.object({ acknowledged: z.boolean() }),
    subject: ({ attention_id: id }) => ({ ...subjectWithoutPlace(title('title.confirm'), id), app: app.name }),
    run: async (_ctx, { attention_id: id }, signal) => {
      const acknowledged = await acknowledge(connectedTo(app), id, signal);
      // For the page; that this was acknowledged stays so.
      await app.attention.check(signal).catch(() => null);
      return { acknowledged };
    },
  });
}
