/** One call of a tool of an application, as the person sees it and as the agent gets its result. */
import { message, verbatim } from '../../messages/index.js';
import { truncateValue } from '../calls/results.js';
import { planWithoutTarget, type Plan } from '../approvals/plan.js';
import { title, type Subject, WireError } from '../protocol/index.js';
import type { RunningApp } from './app.js';
import { publishedSchema, type AppTool } from './tool-list.js';
import { isRecord } from '../../base/type-guards.js';
import { nothingDone } from '../pipeline/failures.js';
import { attentionError } from './attention.js';
import { RequestFailed, type AppConnection } from './connection.js';

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

/** Throws where the application is not connected, or by now says something else of this tool. */
function connectionFor(app: RunningApp, tool: AppTool): AppConnection {
  const connection = connectedTo(app);
  if (
    app
      .tools()
      .some(({ name, digest, effect }) => name === tool.name && digest === tool.digest && effect === tool.effect)
  )
    return connection;
  throw new WireError('DESKTOP_TARGET_CHANGED', nothingDone(message('apps.tool_changed', { app: app.name })), {
    reason: 'tool_changed',
    next: 'List the tools again, then make the call anew.',
  });
}

export function connectedTo(app: RunningApp): AppConnection {
  const connection = app.connection();
  if (connection === null) throw notConnected(app.name);
  return connection;
}

const notConnected = (app: string, why = message('apps.not_connected', { app })): WireError =>
  new WireError('DESKTOP_HOST_NOT_READY', nothingDone(why), {
    reason: 'app_not_connected',
    next: 'Make the same call again in a moment; where that does not help, ask the person with send_message to start the application.',
  });

/** Where the entry says nothing. */
const DEFAULT_TIMEOUT_MS = 30_000;
/** The application's own limit counts up to this. */
const LONGEST_TIMEOUT_MS = 600_000;

/** One call. What it did is known only where the application answers. */
export async function callApp(
  app: RunningApp,
  tool: AppTool,
  given: Record<string, unknown>,
  signal: AbortSignal,
): Promise<unknown> {
  const connection = connectionFor(app, tool);
  return requestApp(app, connection, { method: 'tools/call', params: { name: tool.name, arguments: given } }, signal);
}

/** Sends nothing while the application wants something seen first. */
export async function requestApp(
  app: RunningApp,
  connection: AppConnection,
  { method, params }: { method: string; params: Record<string, unknown> },
  signal: AbortSignal,
): Promise<unknown> {
  const { timeout } = app.entry;
  const limit =
    timeout === undefined
      ? { timeoutMs: DEFAULT_TIMEOUT_MS, longestMs: LONGEST_TIMEOUT_MS, signal }
      : { timeoutMs: timeout * 1000, signal };
  const attention = await app.attention.check(signal).catch((thrown: unknown) => {
    throw thrown instanceof RequestFailed ? notConnected(app.name, thrown.text) : notConnected(app.name);
  });
  if (attention !== null) throw attentionError(app.name, attention);
  try {
    return await connection.request(method, params, limit);
  } catch (thrown) {
    if (!(thrown instanceof RequestFailed)) throw thrown;
    if (thrown.meaning === 'no_session') connection.close('it no longer knows this session');
    throw callError(app.name, thrown);
  }
}

function callError(app: string, { reason, text: why, code, meaning }: RequestFailed): WireError {
  if (reason === 'too_large')
    return new WireError('DESKTOP_INVALID_REQUEST', nothingDone(message('apps.too_much', { app, why })), {
      reason: 'request_too_large',
      next: 'Make the call with less in its arguments.',
    });
  if (reason === 'not_sent') return notConnected(app, why);
  if (meaning === 'no_session') return notConnected(app);
  if (reason === 'refused') {
    const unknown = meaning === undefined ? {} : { reason: 'unknown_tool', next: 'List the tools again.' };
    return new WireError('DESKTOP_APP_FAILED', message('apps.failed', { app, why }), { app_code: code, ...unknown });
  }
  const text = message('apps.outcome_unknown', { app, why });
  const details = {
    reason: 'outcome_unknown',
    next: 'It may have been done. Find out before you call it again.',
  };
  return new WireError('DESKTOP_TIMEOUT', text, details, false);
}
