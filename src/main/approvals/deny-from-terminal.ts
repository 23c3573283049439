import type { Approvals } from './index.js';
import { WireError } from '../protocol/index.js';
import { message } from '../../messages/index.js';

/** `chaperone approvals deny`. Applies to the card in its current version: a terminal may deny anything. */
export function denyFromTerminal({ cards, answer }: Pick<Approvals, 'cards' | 'answer'>) {
  return (id: string, reply: string | undefined): void => {
    const card = cards().find((one) => one.id === id);
    if (card === undefined)
      throw new WireError('DESKTOP_INVALID_REQUEST', message('error.no_such_request', { id: JSON.stringify(id) }), {
        reason: 'unknown_card',
        next: '`chaperone approvals` lists what waits, each with its id.',
      });
    const answered = answer({
      id,
      digest: card.digest,
      decision: 'deny',
      by: 'command line',
      where: 'cli',
      ...(reply === undefined ? {} : { message: reply }),
    });
    if (!answered.ok) throw new WireError('DESKTOP_INVALID_REQUEST', answered.message, { reason: answered.code });
  };
}
