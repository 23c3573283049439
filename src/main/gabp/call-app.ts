import { message } from '../../messages/index.js';
import { WireError } from '../protocol/index.js';
import { nothingDone } from '../pipeline/failures.js';
import type { RunningApp } from './app.js';
import { attentionError } from './attention.js';
import { RequestFailed, type AppConnection } from './connection.js';
import type { AppTool } from './tool-list.js';

/** Throws where the application is not connected, or by now says something else of this tool. */
export function connectionFor(app: RunningApp, tool: AppTool): AppConnection {
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
