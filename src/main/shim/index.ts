/**
 * `chaperone mcp`: MCP over stdio comes in, GABP to the host's socket goes out. Started by an agent, one per session, and as
 * untrusted as the agent: it knows no tools, holds no permission, and what it says of its client is only a claim. Called by cli/.
 */
import type { Readable, Writable } from 'node:stream';
import type { Logger } from 'pino';
import * as z from 'zod';
import { WireError } from '../protocol/index.js';
import { createShimCalls } from './calls.js';
import { connectHost } from './connect.js';
import type { ConnectOptions } from './connect.js';
import { publish } from './descriptors.js';
import type { Descriptor } from './descriptors.js';
import { callLimitMs } from './limits.js';
import { createLink } from './link.js';
import type { Link } from './link.js';
import { serveMcp } from './mcp.js';
import type { Backend, Client } from './mcp.js';
import { RESUME_TOOL, failureResult } from './results.js';
import { ConnectionLost } from './session.js';
import type { Session } from './session.js';

export interface ShimOptions {
  input: Readable;
  output: Writable;
  /** Where the address for the person is printed. */
  notices: Writable;
  host: ConnectOptions;
  cwd: string;
  profile: 'full' | 'core';
  /** Milliseconds; null leaves it to the client's name. */
  callLimit: number | null;
  log: Logger;
  times?: Partial<Times>;
}

/** Milliseconds; tests shorten them. */
export interface Times {
  progressInterval: number;
  /** How long the answer to `initialize` waits for the screens: below the start-up limits of known clients (10 s). */
  screens: number;
  letGo: number;
  /** How long leaving waits until the host has taken over the waiting calls. */
  goodbye: number;
  firstPause: number;
  longestPause: number;
}

const TIMES: Times = {
  progressInterval: 10_000,
  screens: 5_000,
  letGo: 3_000,
  goodbye: 500,
  firstPause: 100,
  longestPause: 5_000,
};

const INSTRUCTIONS =
  'Chaperone lets you use this person’s desktop while they stay in charge: they are asked before you act, and everything is recorded. ' +
  `A call that has to wait for them may answer with a status (such as awaiting_human) and a callId: go on waiting with ${RESUME_TOOL}. ` +
  'What an act did is in its effect (confirmed, unverified or no_change, with before and after): read it before you go on. ' +
  'Points are global, in points, from the top left of the main display. Lists come in pages: give next_page_token as page_token. ' +
  'Talk to the person with send_message.';

const OBSERVATION = 'observation/';
const describedSchema = z.looseObject({ url: z.url().optional() });
const screensSchema = z.looseObject({ screens: z.array(z.looseObject({})) });
const resumeSchema = z.object({ call_id: z.string().min(1).max(256) });

type ShimCalls = ReturnType<typeof createShimCalls>;

export interface Shim {
  /** Leaves waiting calls to the host and ends. Never rejects. */
  close(): Promise<void>;
}

export function createShim(options: ShimOptions): Shim {
  const times = { ...TIMES, ...options.times };
  let url: string | null = null;
  let client: Client | null = null;
  let claimed: Promise<void> = Promise.resolve();
  /** The agent may hold a list of tools from an earlier connection. */
  let known = false;

  const describe = async (session: Session): Promise<void> => {
    const described = describedSchema.parse(
      (await session.request('agent/describe', { client, cwd: options.cwd })) ?? {},
    );
    if (described.url === undefined || described.url === url) return;
    url = described.url;
    options.notices.write(`${url}\n`);
  };

  const link = createLink({
    connect: (mayStart, signal) => connectHost(options.host, mayStart, signal),
    prepare: async (session) => {
      session.onEvent(hear);
      await session.request('events/subscribe', { channels: [...events.keys(), `${OBSERVATION}*`] });
      await describe(session);
      if (known) mcp.toolsChanged();
      known = true;
    },
    pauses: { first: times.firstPause, longest: times.longestPause },
    command: options.host.command,
    log: options.log,
  });
  const calls = createShimCalls({ link, url: () => url, detachTimeoutMs: times.letGo });

  /** The client says its name only after the connection was made, so the host is told again; calls wait for that, or they would overtake each other. */
  const claim = async (said: Client | null): Promise<void> => {
    if (said !== null && said.name !== client?.name) {
      client = said;
      const session = link.current();
      if (session !== null) claimed = describe(session).catch(() => undefined);
    }
    await claimed;
  };

  const mcp = serveMcp({
    input: options.input,
    output: options.output,
    version: options.host.version,
    progressInterval: times.progressInterval,
    onError: (error) => options.log.debug({ err: error }, 'mcp'),
    backend: createBackend({ link, calls, claim, options, screensMs: times.screens }),
  });

  const events = eventHandlers(mcp, calls);
  const hear = (channel: string, payload: unknown): void => {
    if (channel.startsWith(OBSERVATION)) mcp.observed(channel.slice(OBSERVATION.length), payload);
    else events.get(channel)?.(payload);
  };

  link.session().catch((error: unknown) => options.log.warn({ err: error }, 'no host yet'));

  return {
    close: async () => {
      await within(times.goodbye, calls.detachAll);
      link.close();
      await mcp.close();
    },
  };
}

interface BackendParts {
  link: Link;
  calls: ShimCalls;
  claim(said: Client | null): Promise<void>;
  options: ShimOptions;
  screensMs: number;
}

function createBackend({ link, calls, claim, options, screensMs }: BackendParts): Backend {
  return {
    instructions: INSTRUCTIONS,
    screens: () => within(screensMs, () => readScreens(link)),
    tools: async (said) => {
      await claim(said);
      return readTools(link, options.profile);
    },
    call: async (name, args, said, wait) => {
      await claim(said);
      const limited = { ...wait, limitMs: options.callLimit ?? callLimitMs(said?.name) };
      if (name !== RESUME_TOOL) return calls.call(name, args, limited);
      const wanted = resumeSchema.safeParse(args);
      return wanted.success ? calls.resume(wanted.data.call_id, limited) : failureResult(badResume());
    },
  };
}

function eventHandlers(mcp: ReturnType<typeof serveMcp>, calls: ShimCalls) {
  return new Map<string, (payload: unknown) => void>([
    ['tools/changed', () => mcp.toolsChanged()],
    ['call/progress', calls.progress],
  ]);
}

async function readTools(link: Link, profile: 'full' | 'core'): Promise<Descriptor[]> {
  return publish(await ask(link, 'agent/tools', { profile }));
}

async function readScreens(link: Link): Promise<unknown[]> {
  return screensSchema.parse(await ask(link, 'agent/screens', {})).screens;
}

/** A question that changes nothing, so it is simply asked again when the connection was lost under it. */
async function ask(link: Link, method: string, params: Record<string, unknown>): Promise<unknown> {
  try {
    return await (await link.session()).request(method, params);
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
    return (await link.session()).request(method, params);
  }
}

/** The value, or null when it failed or took longer than `limit` milliseconds. */
async function within<T>(limit: number, work: () => Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, limit, null)));
  try {
    return await Promise.race([work().catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}

function badResume(): WireError {
  return new WireError(
    'DESKTOP_INVALID_REQUEST',
    `${RESUME_TOOL} takes call_id, the callId that an earlier answer gave.`,
  );
}
