/** The last row of a card: the grant at the left, the two answers at the right. */
import { useState, type ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import type { Card } from '../../../main/protocol/index.js';
import { useDecidedInPopover } from '../../app/popover.js';
import { useNow } from '../../ui/time.js';
import type { Slot } from '../../state/state.js';
import { t } from '../../strings.js';
import { DecisionButtons } from './DecisionButtons.js';
import { grantChoiceLabel, isOnce, LastingText, type Lasting } from './GrantChoices.js';
import { isRed } from '../../ui/effects.js';
import { RevealedText } from '../../ui/RevealedText.js';
import type { Missed } from './press.js';

interface Props {
  slot: Slot;
  online: boolean;
  actions: Actions;
  /** Sent with Deny. */
  message: string;
  /** The choice of how long an Allow lasts; null where there is none. */
  lasting: Lasting | null;
}

export function CardFoot({ slot, online, actions, message, lasting }: Props): ReactNode {
  const { card, sent } = slot;
  const about = `${card.digest} ${lasting?.chosen ?? 'once'}`;
  const [missed, setMissed] = useState<{ about: string; why: Missed } | null>(null);
  const ended = card.agentEnded === true;
  const elsewhere = useDecidedInPopover() && (card.effect === 'dangerous' || card.task !== undefined) && !ended;
  const expired = useNow(online) >= Date.parse(card.expiresAt);
  const deny = () => actions.deny(card, message.trim());
  const titleId = `t-${card.id}`;
  return (
    <div className="foot">
      <p className="small missed" role="status">
        {missed !== null && missed.about === about && sent === null ? t('page.card.missed', { why: missed.why }) : null}
      </p>
      <div className={lasting === null ? 'acts' : 'acts with-lasting'}>
        <div className="grant" aria-live="polite">
          {elsewhere && online ? (
            <p className="small mut">{t('page.card.in_menu_bar')}</p>
          ) : (
            <FootText slot={slot} online={online} expired={expired} lasting={lasting} />
          )}
        </div>
        <DecisionButtons
          titleId={titleId}
          about={about}
          disabled={!online || sent !== null || expired}
          mustHold={isRed(card)}
          lasting={lasting === null ? null : { ...lasting, onAllow: () => actions.allow(card, lasting.chosen) }}
          onlyOnce={lasting !== null && isOnce(card)}
          agentEnded={ended}
          openPopover={elsewhere ? () => actions.send({ type: 'openPopover' }) : null}
          onBegin={(place) => actions.pressBegan(card, place)}
          onAllow={() => actions.allow(card, 'once')}
          onDeny={deny}
          onMissed={(why) => setMissed({ about, why })}
        />
      </div>
    </div>
  );
}

type FootTextProps = Pick<Props, 'slot' | 'online' | 'lasting'> & { expired: boolean };

/** Beside the buttons: why they are disabled, what an Allow grants, or what one that lasts would have saved. */
function FootText({ slot, online, expired, lasting }: FootTextProps): ReactNode {
  const { card } = slot;
  if (!online) return <p className="small mut">{t('page.card.offline')}</p>;
  if (slot.problem !== null)
    return (
      <p className="small bad">
        <RevealedText text={slot.problem} />
      </p>
    );
  if (slot.sent !== null) return <p className="small mut">{t('page.card.sent')}</p>;
  if (expired) return <p className="small mut">{t('page.card.expired')}</p>;
  // The note above says that the agent has ended.
  if (card.agentEnded === true) return null;
  if (lasting !== null && isOnce(card)) return <LastingText card={card} chosen={lasting.chosen} />;
  return (
    <p className="small mut">
      <RevealedText text={onlyChoice(card)} />
    </p>
  );
}

/** All that the plain Allow gives, when that is more than this one time. */
function onlyChoice(card: Card): string {
  if (card.task !== undefined) return t('page.task.ends');
  if (isRed(card)) return t('page.card.never');
  return grantChoiceLabel(card, 'once');
}
