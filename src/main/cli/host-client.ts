/** Connections of commands to the host: a session for one request, or a link for calls. */
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { message } from '../../messages/index.js';
import { hostPaths } from '../host/discovery.js';
import type { HostPaths } from '../host/paths.js';
import { connectHost, type ConnectOptions } from '../shim/connect.js';
import { createLink, type Link } from '../shim/link.js';
import { localHost } from '../shim/local-host.js';
import type { HostSession } from '../shim/session.js';
import { EXIT, Failure } from './failure.js';
import { ownCommand } from './launcher.js';
import { stderrLog } from './logging.js';
import { VERSION } from '../protocol/version.js';

export function paths(): HostPaths {
  return hostPaths(process.env);
}

/** `name`: of this program, in the session's hello. */
export function hostConnection(name: string): ConnectOptions {
  const entry = fileURLToPath(new URL('../cli/index.js', import.meta.url));
  return localHost({ name, version: VERSION, entry, env: process.env, command: ownCommand() });
}

/** Runs `work` with the running host. Never starts one; without one the command fails with {@link EXIT.noHost}. */
export async function withHost<T>(work: (session: HostSession) => Promise<T>): Promise<T> {
  const session = await connectRunning();
  if (session === null) throw new Failure(message('cli.no_host'), EXIT.noHost);
  return runAndClose(session, work);
}

/** Like {@link withHost}, but null without a host. */
export async function tryWithHost<T>(work: (session: HostSession) => Promise<T>): Promise<T | null> {
  const session = await connectRunning();
  return session === null ? null : runAndClose(session, work);
}

const describedSchema = z.looseObject({ url: z.url() });

/** A connection that starts a host when none runs. `onEvent` gets call/progress, `onUrl` the address of the page. */
export function openLink(
  onEvent: (channel: string, payload: unknown) => void,
  onUrl: (url: string) => void = () => undefined,
): Link {
  const options = hostConnection('chaperone-call');
  return createLink({
    connect: (mayStart, signal) => connectHost(options, mayStart, signal),
    prepare: async (session) => {
      session.onEvent(onEvent);
      await session.request('events/subscribe', { channels: ['call/progress'] });
      const described = await session.request('agent/describe', {
        client: { name: options.name, version: options.version },
        cwd: process.cwd(),
      });
      const known = describedSchema.safeParse(described);
      if (known.success) onUrl(known.data.url);
    },
    command: options.command,
    retryMs: { first: 100, max: 2_000 },
    log: stderrLog(),
  });
}

function connectRunning(): Promise<HostSession | null> {
  return connectHost(hostConnection('chaperone'), false, new AbortController().signal);
}

async function runAndClose<T>(session: HostSession, work: (session: HostSession) => Promise<T>): Promise<T> {
  try {
    return await work(session);
  } finally {
    session.close();
  }
}
