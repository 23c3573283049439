/** A person has coding agents on this machine set up. It changes files of theirs. */
import { message } from '../../../messages/index.js';
import type { ClientId, KnownClient } from '../../protocol/index.js';
import type { Definitions, Refusal, Reply } from './definition.js';
import type { Person } from './page.js';

/** Coding agents on this machine, and Chaperone's registration with them. */
export interface ClientSetup {
  look(): Promise<KnownClient[]>;
  /** One at a time. Rejects when `signal` aborts before its turn comes; nothing was changed then. */
  setUp(client: ClientId, remove: boolean, person: Person, signal: AbortSignal): Promise<Reply<'setUp'> | Refusal>;
}

export interface ClientDependencies {
  /** Absent where this host cannot say what starts it. */
  clients?: ClientSetup;
}

const NOT_OFFERED: Refusal = {
  ok: false,
  code: 'not_offered',
  message: message('refused.setup_not_offered'),
};

export const clientMessages: Definitions<'clients' | 'setUp', ClientDependencies> = {
  clients: {
    role: 'paired',
    handler: async ({ clients }) => ({ offered: clients !== undefined, clients: (await clients?.look()) ?? [] }),
  },
  setUp: {
    role: 'paired',
    handler: ({ clients, person }, { client, remove }, signal) =>
      clients?.setUp(client, remove, person, signal) ?? NOT_OFFERED,
  },
};
