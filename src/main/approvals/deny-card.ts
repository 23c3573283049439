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

/** `chaperone approvals deny`, and an agent that withdraws its own. */
export function denyById(approvals: Pick<Approvals, 'cards' | 'answer'>) {
  return ({
    message: words,
    ...by
  }: Pick<PersonAnswer, 'id' | 'by' | 'where'> & { message?: string | undefined }): void => {
    const answered = denyCard(approvals, { ...by, ...(words === undefined ? {} : { message: words }) });
    if (answered === null)
      throw new WireError('DESKTOP_INVALID_REQUEST', message('error.no_such_request', { id: JSON.stringify(by.id) }), {
        reason: 'unknown_card',
        next: '`chaperone approvals` lists what waits, each with its id.',
      });
    if (!answered.ok) throw new WireError('DESKTOP_INVALID_REQUEST', answered.message, { reason: answered.code });
  };
}
