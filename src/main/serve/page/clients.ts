/** Sets up coding agents on this machine when a person asks for it. This changes their settings files. */
import { message } from '../../../messages/index.js';
import type { ClientId, KnownClient } from '../../protocol/index.js';
import type { Definitions, PageRefusal, Reply } from './definition.js';
import type { Person } from './page.js';

/** Coding agents on this machine, and Chaperone's registration with them. */
export interface ClientSetup {
  list(): Promise<KnownClient[]>;
  /** One at a time. Rejects when `signal` aborts before its turn comes; nothing was changed then. */
  setUp(client: ClientId, remove: boolean, person: Person, signal: AbortSignal): Promise<Reply<'setUp'> | PageRefusal>;
}

export interface ClientDependencies {
  /** Absent where this host cannot say what starts it. */
  clients?: ClientSetup;
}

const NOT_OFFERED: PageRefusal = {
  ok: false,
  code: 'not_offered',
  message: message('refused.setup_not_offered'),
};

export const clientHandlers: Definitions<'clients' | 'setUp', ClientDependencies> = {
  clients: {
    role: 'paired',
    handler: async ({ clients }) => ({ offered: clients !== undefined, clients: (await clients?.list()) ?? [] }),
  },
  setUp: {
    role: 'paired',
    handler: ({ clients, person }, { client, remove }, signal) =>
      clients?.setUp(client, remove, person, signal) ?? NOT_OFFERED,
  },
};
