/** One call of a tool of an application, as the person sees it and as the agent gets its result. */
import { message, verbatim } from '../../messages/index.js';
import { truncateValue } from '../calls/truncate.js';
import { planWithoutTarget, type Plan } from '../approvals/plan.js';
import { title, type Subject } from '../protocol/index.js';
import type { RunningApp } from './app.js';
import { connectionFor } from './call-app.js';
import { publishedSchema, type AppTool } from './tool-list.js';
import { isRecord } from '../../base/is-record.js';

/** Characters of a result in the record. */
const MAX_KEPT = 100_000;

export interface AppToolsOptions {
  app: RunningApp;
  /** Of the entry that the person confirmed: a grant ends with it. */
  digest: string;
  /** Names of all other tools. */
  reserved: ReadonlySet<string>;
  /** Throws where arguments name one of Chaperone's own files. */
  assertNoOwnFile(given: unknown): void;
}

/** What an application did is not seen by Chaperone. */
export const UNVERIFIED = { effect: 'unverified' as const, before: null, after: null };

export const appWords = (app: string, description: string): string =>
  `The application ${app} says: ${description === '' ? '(nothing)' : description}`;

export const callSubject = (app: string, tool: AppTool): Subject => ({
  title: title('title.use_app_tool'),
  target: tool.title,
  app,
  place: tool.name,
});

/** Throws where the tool is not what it was when it was listed. */
export function callPlan(options: AppToolsOptions, tool: AppTool, given: Record<string, unknown>): Plan {
  const { app } = options;
  connectionFor(app, tool);
  const { description: said, inputSchema } = tool;
  return appPlan(options, {
    ...{ subject: callSubject(app.name, tool), given, said },
    schema: publishedSchema(inputSchema),
  });
}

/** `said`: the application's own words about it. */
export function appPlan(
  { app, digest, assertNoOwnFile }: AppToolsOptions,
  {
    subject,
    given,
    schema,
    said,
  }: { subject: Subject; given: Record<string, unknown>; schema: Record<string, unknown>; said: string },
): Plan {
  assertNoOwnFile(given);
  return {
    ...planWithoutTarget(subject),
    application: { id: `gabp:${app.name}`, name: app.name, program: `gabp-apps.json ${digest}` },
    text: argumentLines(given, schema),
    notes: said === '' ? [] : [message('note.app_says', { app: app.name, text: verbatim(said) })],
    does: { kind: 'nothing' },
  };
}

export const resultText = ({ result }: { result: unknown }): string => JSON.stringify(result) ?? 'null';

export const keptResult = (value: { result: unknown }): unknown => truncateValue(value, MAX_KEPT);

// The arguments of a call in the words of its schema, for the card: a line each. Pure.

/** Longest name that an application gives a parameter. */
const MAX_LABEL = 60;

/** `schema` is a published one. Names of parameters stay, because an application may call any of them what it likes. */
function argumentLines(given: Record<string, unknown>, schema: Record<string, unknown>): string {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  return Object.entries(given)
    .map(
      ([name, value]) =>
        `${labelOf(name, properties[name])}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    .join('\n');
}

function labelOf(name: string, schema: unknown): string {
  const title = isRecord(schema) && typeof schema['title'] === 'string' ? schema['title'].slice(0, MAX_LABEL) : '';
  return title === '' || title === name ? name : `${name} (${title})`;
}
