/** The tools of one connected application as tools of Chaperone: the same pipeline, cards, grants and record as its own. */
import * as z from 'zod';
import { defineAction } from '../pipeline/define.js';
import { toolGroup, type Tool } from '../tools/tool.js';
import { isReading } from './effects.js';
import { helperTools, helperNames } from './helper-tools.js';
import { callApp } from './call-app.js';
import {
  appWords,
  callPlan,
  callSubject,
  keptResult,
  resultText,
  UNVERIFIED,
  type AppToolsOptions,
} from './tool-call.js';
import { resourceToolNames, resourceTools } from './resource-tools.js';
import { publishedSchema } from './published-schema.js';
import { toolNames } from './tool-names.js';
import type { AppTool } from './tool-list.js';

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
