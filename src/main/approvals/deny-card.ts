import type { Approvals } from './index.js';
import type { ChangeResult, PersonAnswer } from './events.js';
import { WireError } from '../protocol/index.js';
import { message } from '../../messages/index.js';

/** Denies a card in its current version: where it cannot be seen, a person may deny anything. Null where no such card is open. */
export function denyCard(
  { cards, answer }: Pick<Approvals, 'cards' | 'answer'>,
  denial: Pick<PersonAnswer, 'id' | 'by' | 'where' | 'message'>,
): ChangeResult | null {
  const card = cards().find(({ id }) => id === denial.id);
  return card === undefined ? null : answer({ ...denial, digest: card.digest, decision: 'deny' });
}

/** `chaperone approvals deny`. */
export function denyFromTerminal(approvals: Pick<Approvals, 'cards' | 'answer'>) {
  return (id: string, reply: string | undefined): void => {
    const said = reply === undefined ? {} : { message: reply };
    const answered = denyCard(approvals, { id, by: 'command line', where: 'cli', ...said });
    if (answered === null)
      throw new WireError('DESKTOP_INVALID_REQUEST', message('error.no_such_request', { id: JSON.stringify(id) }), {
        reason: 'unknown_card',
        next: '`chaperone approvals` lists what waits, each with its id.',
      });
    if (!answered.ok) throw new WireError('DESKTOP_INVALID_REQUEST', answered.message, { reason: answered.code });
  };
}
