import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { createClosers } from './closers.js';
import type { HostOptions } from './options.js';
import { CLIENT_IDS, type ClientId } from '../protocol/index.js';
import type { ClientSetup } from '../serve/page/clients.js';
import {
  register,
  unregister,
  withChaperoneHome,
  inspectClient,
  SetupRefused,
  type Launcher,
  type UserEnvironment,
} from '../setup/index.js';
import {
  watchClientConnections,
  type ClientConnections,
  type ClientConnectionsOptions,
} from '../setup/client-connections.js';

interface ClientSetupOptions {
  launcher: Launcher;
  machine: UserEnvironment;
  seen: ClientConnections;
  log: Logger;
}

/** null where the shim's command is unknown, or an agent chose the folders of this host. */
export function buildClientSetup(
  { launcher, narrow, paths, env, log, supervisor }: HostOptions,
  status: ClientConnectionsOptions['status'],
  closers: ReturnType<typeof createClosers>,
): { clients?: ClientSetup } {
  if (launcher === undefined || narrow) return {};
  const seen = watchClientConnections({
    file: join(paths.state, 'clients.json'),
    status,
    now: () => new Date(),
    log: (thrown) => log.error({ err: thrown }, 'when clients were seen could not be kept'),
  });
  closers.add(seen.close);
  const machine: UserEnvironment = {
    platform: process.platform,
    home: env['HOME'] ?? homedir(),
    env,
    ...(supervisor === undefined ? {} : { supervisor }),
  };
  return { clients: createClientSetup({ launcher: withChaperoneHome(launcher, env), machine, seen, log }) };
}

/** Sets clients up for the person, never in a project; one at a time. */
export function createClientSetup({ launcher, machine, seen, log }: ClientSetupOptions): ClientSetup {
  let last: Promise<unknown> = Promise.resolve();
  const optionsFor = (client: ClientId) => ({ client, launcher, machine, scope: 'user' as const, cwd: machine.home });

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  }

  return {
    list: () =>
      Promise.all(
        CLIENT_IDS.map(async (id) => ({
          id,
          ...(await inspectClient(optionsFor(id))),
          connected: seen.connected(id),
          lastSeen: seen.lastSeen(id),
        })),
      ),
    setUp: (client, remove, person, signal) =>
      inTurn(async () => {
        signal.throwIfAborted();
        try {
          const result = await (remove ? unregister : register)(optionsFor(client));
          log.info({ client, remove, by: person.by, ...result }, 'a client was set up from the page');
          return result;
        } catch (error) {
          if (!(error instanceof SetupRefused)) throw error;
          return { ok: false, code: error.code, message: error.text };
        }
      }),
  };
}
