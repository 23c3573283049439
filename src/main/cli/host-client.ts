/** Connections of commands to the host. */
import { fileURLToPath } from 'node:url';
import { message } from '../../messages/index.js';
import { hostPaths } from '../host/discovery.js';
import type { HostPaths } from '../host/paths.js';
import type { ConnectOptions } from '../shim/connect.js';
import { localHost } from '../shim/local-host.js';
import { connectHost, type HostSession } from '../shim/session.js';
import { EXIT, Failure } from './failure.js';
import { ownCommand } from './launcher.js';
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
