/** The coding agents on this machine, and setting one up. */
import { useCallback, useState } from 'react';
import type { AnswerTo, ClientId } from '../../../main/protocol/index.js';
import type { Ask } from '../../net/host-questions.js';
import { useLoaded, valueOf } from '../../ui/loaded.js';

export type KnownClients = AnswerTo<'clients'>;
export type SetupAttempt =
  { state: 'working' } | { state: 'done'; answer: AnswerTo<'setUp'> } | { state: 'failed'; why: string };

export interface ClientsState {
  /** null: not known, or nothing that this page may ask. */
  known: KnownClients | null;
  attempts: Partial<Record<ClientId, SetupAttempt>>;
  setUp(client: ClientId, remove: boolean): void;
}

/** Asks again whenever `refreshKey` changes. */
export function useClients(ask: Ask | null, refreshKey: string): ClientsState {
  const [attempts, setAttempts] = useState<ClientsState['attempts']>({});
  const [turn, setTurn] = useState(0);
  const known = valueOf(useLoaded(ask === null ? null : () => ask('clients', {}), 'clients', `${refreshKey} ${turn}`));

  const setUp = useCallback(
    (client: ClientId, remove: boolean) => {
      if (ask === null) return;
      const now = (attempt: SetupAttempt) => setAttempts((others) => ({ ...others, [client]: attempt }));
      now({ state: 'working' });
      const failed = (error: unknown) =>
        now({ state: 'failed', why: error instanceof Error ? error.message : String(error) });
      ask('setUp', { client, remove })
        .then((answer) => now({ state: 'done', answer }), failed)
        .finally(() => setTurn((last) => last + 1));
    },
    [ask],
  );
  return { known, attempts, setUp };
}
