/** A person has coding agents on this machine set up. Changes files of theirs, so only a paired page and the popover may ask. */
import type { Paired } from './handler.js';
import type { Handler } from './handler.js';
import { DONE, TOO_MANY } from './outcomes.js';
import type { ClientsPort, Outcome } from './ports.js';

export interface ClientsPorts {
  /** Absent where this host cannot say what starts it. */
  clients?: ClientsPort;
}

type Type = 'clients' | 'setUp';

const NOT_OFFERED: Outcome = {
  ok: false,
  code: 'not_offered',
  message: 'This host does not set up agents. Run the command in a terminal instead.',
};

export function createSettingUp({ clients }: ClientsPorts, paired: Paired): { [T in Type]: Handler<T> } {
  return {
    clients: paired(
      async (page, { request }) => {
        if (!page.budgets.questions.take()) return TOO_MANY;
        const found = (await clients?.look()) ?? [];
        // It may have been unpaired meanwhile.
        if (page.role() === 'paired')
          page.send({ type: 'clients', request, offered: clients !== undefined, clients: found });
        return DONE;
      },
      ({ request }) => request,
    ),
    setUp: paired(
      async (page, { request, client, remove }) => {
        if (!page.budgets.questions.take()) return TOO_MANY;
        if (clients === undefined) return NOT_OFFERED;
        const done = await clients.setUp(client, remove, page.person());
        if ('ok' in done) return done;
        page.send({ type: 'setUp', request, ...done });
        return DONE;
      },
      ({ request }) => request,
    ),
  };
}
