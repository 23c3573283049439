/**
 * `chaperone mcp`: MCP over stdio comes in, GABP to the host's socket goes out. Started by an agent, one per session, and as
 * untrusted as the agent: it knows no tools, holds no permission, and what it says of its client is only a claim. Called by cli/.
 */
import type { Readable, Writable } from 'node:stream';
import type { Logger } from 'pino';
import * as z from 'zod';
import { isRecord } from '../../base/is-record.js';
import { withTimeout } from '../../base/poll.js';
import { WireError } from '../protocol/index.js';
import { createShimCalls } from './calls.js';
import { connectHost, type ConnectOptions } from './connect.js';
import { publish, type Descriptor } from '../mcp/descriptors.js';
import { callLimitMs } from '../mcp/limits.js';
import { completionSchema, promptListSchema, promptSchema } from '../mcp/prompts.js';
import { RESOURCE_SCHEME, appEventsUri, resourceListSchema, resourceTargetSchema } from '../mcp/resources.js';
import { createLink, type Link } from './link.js';
import { serveMcp } from './mcp.js';
import type { McpBackend, McpClientInfo } from '../mcp/backend.js';
import { INSTRUCTIONS } from '../mcp/instructions.js';
import { RESUME_TOOL, failureResult, resumedCall } from '../mcp/results.js';
import { ConnectionLost, type HostSession } from './session.js';
import { createWaitingReport, type WaitingReport, type WaitingReportOptions } from './waiting-report.js';
import { message } from '../../messages/index.js';

// What the host is told of this agent, and where the host's page is. Called by the shim.

interface IdentityOptions {
  host: ConnectOptions;
  desktop?: 'own' | 'current';
  cwd: string;
  /** Where the address for the person is printed. */
  notices: Writable;
}

const describedSchema = z.looseObject({ url: z.url().optional() });

function createIdentity({ host, cwd, notices, desktop }: IdentityOptions, current: Link['current']) {
  let url: string | null = null;
  let client: McpClientInfo | null = null;
  let clientDescribed: Promise<void> | null = null;
  const known = () => ({ client, cwd, ...(desktop === undefined ? {} : { desktop }) });

  async function describe(session: HostSession): Promise<void> {
    const answer = await session.request('agent/describe', { ...known(), ...host.elsewhere });
    const described = describedSchema.parse(answer ?? {});
    if (described.url === undefined || described.url === url) return;
    url = described.url;
    notices.write(`${url}\n`);
  }

  return {
    known,
    describe,
    url: () => url,
    /** The client gives its name only after the connection was made, so it is sent to the host again. Calls wait for that to keep their order. */
    update(claimed: McpClientInfo | null): Promise<void> | null {
      if (claimed !== null && claimed.name !== client?.name) {
        client = claimed;
        const session = current();
        if (session !== null) {
          const described = describe(session).catch(() => undefined);
          clientDescribed = described;
          // Not at once: those that wait have not gone on yet, and whoever calls meanwhile must not overtake them.
          const forget = () => {
            if (clientDescribed === described) clientDescribed = null;
          };
          void described.then(() => setImmediate(forget));
        }
      }
      return clientDescribed;
    },
  };
}

interface ShimOptions {
  input: Readable;
  output: Writable;
  /** Where the address for the person is printed. */
  notices: Writable;
  host: ConnectOptions;
  cwd: string;
  /** `own`: on a desktop of the agent's own, which the person is asked for. */
  desktop?: 'own' | 'current';
  profile: 'full' | 'core';
  /** Milliseconds; null leaves it to the client's name. */
  callLimit: number | null;
  log: Logger;
  times?: Partial<ShimTimes>;
  /** Where `host` is on another machine: its address, and the host of this one, which is told what waits there. */
  elsewhere?: { address: string; here: ConnectOptions };
}

/** Tests shorten these. */
export interface ShimTimes {
  progressIntervalMs: number;
  /** The answer to `initialize` waits for the screens; below the start-up limits of known clients (10 s). */
  screensTimeoutMs: number;
  detachTimeoutMs: number;
  /** Closing waits until the host has detached the waiting calls. */
  closeTimeoutMs: number;
  firstRetryMs: number;
  maxRetryMs: number;
  /** Between looks at what waits on another machine, while something does. */
  lookMs: number;
}

export const SHIM_TIMES: ShimTimes = {
  progressIntervalMs: 10_000,
  screensTimeoutMs: 5_000,
  detachTimeoutMs: 3_000,
  closeTimeoutMs: 500,
  firstRetryMs: 100,
  maxRetryMs: 5_000,
  lookMs: 2_000,
};

const OBSERVATION = 'observation/';
const APPLICATION = 'application/';
const screensSchema = z.looseObject({ screens: z.array(z.looseObject({})) });
const answeredSchema = z.object({ answered: z.boolean() });

type ShimCalls = ReturnType<typeof createShimCalls>;

export interface Shim {
  /** Detaches waiting calls and ends. Never rejects. */
  close(): Promise<void>;
}

export function createShim(options: ShimOptions): Shim {
  const times = { ...SHIM_TIMES, ...options.times };
  /** The agent may have a list of tools from an earlier connection. */
  let toolsMayBeKnown = false;

  const link = createLink({
    connect: (mayStart, signal) => connectHost(options.host, mayStart, signal),
    prepare: async (session) => {
      session.onEvent(events.take);
      await session.request('events/subscribe', { channels: events.channels });
      await identity.describe(session);
      if (toolsMayBeKnown) mcp.toolsChanged();
      toolsMayBeKnown = true;
    },
    retryMs: { first: times.firstRetryMs, max: times.maxRetryMs },
    command: options.host.command,
    log: options.log,
  });
  const identity = createIdentity(options, link.current);
  const calls = createShimCalls({ link, url: identity.url, detachTimeoutMs: times.detachTimeoutMs });

  const mcp = serveMcp({
    input: options.input,
    output: options.output,
    version: options.host.version,
    progressIntervalMs: times.progressIntervalMs,
    onError: (error) => options.log.debug({ err: error }, 'mcp'),
    backend: createBackend({
      link,
      calls,
      updateClient: identity.update,
      options,
      screensTimeoutMs: times.screensTimeoutMs,
    }),
  });

  const report = reportOf(options, { there: link.current, described: identity.known, intervalMs: times.lookMs });
  const events = createEvents(mcp, calls, report);

  link.session().catch((error: unknown) => options.log.warn({ err: error }, 'no host yet'));

  return {
    close: async () => {
      report?.close();
      await withTimeout(calls.detachAll(), times.closeTimeoutMs);
      link.close();
      await mcp.close();
    },
  };
}

interface BackendParts {
  link: Link;
  calls: ShimCalls;
  /** null: nothing has to be waited for. */
  updateClient(claimed: McpClientInfo | null): Promise<void> | null;
  options: ShimOptions;
  screensTimeoutMs: number;
}

function createBackend({ link, calls, updateClient, options, screensTimeoutMs }: BackendParts): McpBackend {
  let limit: { client: McpClientInfo | null; ms: number } = { client: null, ms: callLimitMs(null) };

  function limitFor(client: McpClientInfo | null): number {
    if (client !== limit.client) limit = { client, ms: callLimitMs(client) };
    return options.callLimit ?? limit.ms;
  }

  return {
    instructions: INSTRUCTIONS,
    scheme: RESOURCE_SCHEME,
    screens: () =>
      withTimeout(
        readScreens(link).catch(() => null),
        screensTimeoutMs,
      ),
    tools: async (client) => {
      await updateClient(client);
      return readTools(link, options.profile);
    },
    ...createContent(link),
    call: async (name, args, client, wait) => {
      const described = updateClient(client);
      if (described !== null) await described;
      const limited = { signal: wait.signal, onProgress: wait.onProgress, limitMs: limitFor(client) };
      if (name !== RESUME_TOOL) return calls.call(name, args, limited);
      const resumed = resumedCall(args);
      return resumed === null ? failureResult(resumeArgumentsError()) : calls.resume(resumed, limited);
    },
  };
}

/** What the host has besides tools; asking for it changes nothing. */
function createContent(link: Link): Omit<McpBackend, 'tools' | 'call' | 'screens' | 'instructions' | 'scheme'> {
  const ask = (method: string, params: Record<string, unknown> = {}) => requestWithRetry(link, method, params);
  return {
    resources: async () => resourceListSchema.parse(await ask('agent/resources')),
    resource: async (path) => resourceTargetSchema.parse(await ask('agent/resource', { path })).target,
    prompts: async () => promptListSchema.parse(await ask('prompts/list')).prompts,
    prompt: async (name, values) => promptSchema.parse(await ask('prompts/get', { name, arguments: values })),
    answer: async (callId, text) => answeredSchema.parse(await ask('agent/answer', { callId, text })).answered,
    complete: async (argument, value) =>
      completionSchema.parse(await ask('agent/complete', { argument, value })).values,
  };
}

function createEvents(mcp: ReturnType<typeof serveMcp>, calls: ShimCalls, report: WaitingReport | null) {
  const handlers = new Map<string, (payload: unknown) => void>([
    ['tools/changed', () => mcp.toolsChanged()],
    [
      'call/progress',
      (payload) => {
        calls.progress(payload);
        if (isRecord(payload) && payload['state'] === 'awaiting_human') report?.look();
      },
    ],
  ]);
  return {
    channels: [...handlers.keys(), `${OBSERVATION}*`, `${APPLICATION}*`],
    take(channel: string, payload: unknown): void {
      if (channel.startsWith(OBSERVATION)) mcp.sendObservation(channel.slice(OBSERVATION.length), payload);
      else if (channel.startsWith(APPLICATION)) mcp.resourceUpdated(appEventsUri(channel.slice(APPLICATION.length)));
      else handlers.get(channel)?.(payload);
    },
  };
}

function reportOf(
  { elsewhere, log }: ShimOptions,
  parts: Pick<WaitingReportOptions, 'there' | 'described' | 'intervalMs'>,
): WaitingReport | null {
  return elsewhere === undefined ? null : createWaitingReport({ ...parts, ...elsewhere, log });
}

async function readTools(link: Link, profile: 'full' | 'core'): Promise<Descriptor[]> {
  return publish(await requestWithRetry(link, 'agent/tools', { profile }));
}

async function readScreens(link: Link): Promise<unknown[]> {
  return screensSchema.parse(await requestWithRetry(link, 'agent/screens', {})).screens;
}

/** For requests that change nothing: sent once more where the connection was lost before the answer. */
async function requestWithRetry(link: Link, method: string, params: Record<string, unknown>): Promise<unknown> {
  try {
    return await (await link.session()).request(method, params);
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
    return (await link.session()).request(method, params);
  }
}

function resumeArgumentsError(): WireError {
  return new WireError('DESKTOP_INVALID_REQUEST', message('error.takes_call_id', { tool: RESUME_TOOL }));
}
