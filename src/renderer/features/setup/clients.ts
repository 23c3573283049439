/** Which coding agents are on this machine, and having one of them set up. Nothing is asked again by itself but when agents come and go. */
import { useCallback, useEffect, useState } from 'react';
import type { AnswerTo, ClientId } from '../../../main/protocol/index.js';
import type { Ask } from '../../net/questions.js';

export type Known = AnswerTo<'clients'>;
export type Attempt =
  { state: 'working' } | { state: 'done'; answer: AnswerTo<'setUp'> } | { state: 'failed'; why: string };

export interface Clients {
  /** null: not known, or nothing that this page may ask. */
  known: Known | null;
  attempts: Partial<Record<ClientId, Attempt>>;
  setUp(client: ClientId, remove: boolean): void;
}

/** Asks anew whenever `sign` changes. */
export function useClients(ask: Ask | null, sign: string): Clients {
  const [known, setKnown] = useState<Known | null>(null);
  const [attempts, setAttempts] = useState<Clients['attempts']>({});
  const [turn, setTurn] = useState(0);

  useEffect(() => {
    if (ask === null) return undefined;
    let here = true;
    const keep = (answer: Known) => {
      if (here) setKnown(answer);
    };
    ask('clients', {}).then(keep, () => undefined);
    return () => {
      here = false;
    };
  }, [ask, sign, turn]);

  const setUp = useCallback(
    (client: ClientId, remove: boolean) => {
      if (ask === null) return;
      const now = (attempt: Attempt) => setAttempts((others) => ({ ...others, [client]: attempt }));
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
