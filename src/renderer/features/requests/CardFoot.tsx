/** The last row of a card: the grant at the left, the two answers at the right. */
import { useState, type ReactNode } from 'react';
import type { Actions, GrantChoiceKind } from '../../app/actions.js';
import type { Card } from '../../../main/protocol/index.js';
import { useDecidedInPopover } from '../../app/popover.js';
import { useNow } from '../../ui/time.js';
import type { Slot } from '../../state/state.js';
import { t } from '../../strings.js';
import { DecisionButtons } from './DecisionButtons.js';
import { GrantChoices, grantConsequence, grantChoiceLabel } from './GrantChoices.js';
import { isRed } from '../../ui/effects.js';
import { Icon } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';
import type { Missed } from './press.js';

interface Props {
  slot: Slot;
  online: boolean;
  actions: Actions;
  grant: GrantChoiceKind;
  /** Sent with Deny. */
  message: string;
  picking: boolean;
  onChoose(grant: GrantChoiceKind): void;
  /** Shows the choices of how long; null where there is no choice. */
  onPick: (() => void) | null;
}

export function CardFoot({ slot, online, actions, grant, message, picking, onChoose, onPick }: Props): ReactNode {
  const { card, sent } = slot;
  const about = `${card.digest} ${grant}`;
  const [missed, setMissed] = useState<{ about: string; why: Missed } | null>(null);
  const ended = card.agentEnded === true;
  const elsewhere = useDecidedInPopover() && (card.effect === 'dangerous' || card.task !== undefined) && !ended;
  const expired = useNow(online) >= Date.parse(card.expiresAt);
  const deny = () => actions.deny(card, message.trim());
  const titleId = `t-${card.id}`;
  return (
    <div className="foot">
      {picking ? <GrantChoices card={card} chosen={grant} onChoose={onChoose} /> : null}
      <p className="small missed" role="status">
        {missed !== null && missed.about === about && sent === null ? t('page.card.missed', { why: missed.why }) : null}
      </p>
      <div className="acts">
        <div className="grant" aria-live="polite">
          {elsewhere && online ? (
            <p className="small mut">{t('page.card.in_menu_bar')}</p>
          ) : (
            <FootText slot={slot} online={online} expired={expired} grant={grant} picking={picking} onPick={onPick} />
          )}
        </div>
        <DecisionButtons
          titleId={titleId}
          about={about}
          disabled={!online || sent !== null || expired}
          mustHold={isRed(card)}
          agentEnded={ended}
          openPopover={elsewhere ? () => actions.send({ type: 'openPopover' }) : null}
          onBegin={(place) => actions.pressBegan(card, place)}
          onAllow={() => actions.allow(card, grant)}
          onDeny={deny}
          onMissed={(why) => setMissed({ about, why })}
        />
      </div>
    </div>
  );
}

type FootTextProps = Pick<Props, 'slot' | 'online' | 'grant' | 'picking' | 'onPick'> & { expired: boolean };

/** Beside the buttons: why they are disabled, what an Allow grants, or the choice of a grant. */
function FootText({ slot, online, expired, grant, picking, onPick }: FootTextProps): ReactNode {
  const { card } = slot;
  if (!online) return <p className="small mut">{t('page.card.offline')}</p>;
  if (slot.problem !== null)
    return (
      <p className="small bad">
        <RevealedText text={slot.problem} />
      </p>
    );
  if (slot.sent !== null)
    return <p className={onPick === null ? 'small mut' : 'small mut for-pick'}>{t('page.card.sent')}</p>;
  if (expired) return <p className="small mut">{t('page.card.expired')}</p>;
  // The note above says that the agent has ended.
  if (card.agentEnded === true) return null;
  if (onPick === null)
    return (
      <p className="small mut">
        <RevealedText text={onlyChoice(card)} />
      </p>
    );
  if (picking && grant !== 'once')
    return (
      <p className="small mut">
        <RevealedText text={grantConsequence(card, grant)} />
      </p>
    );
  return (
    <button type="button" className="pick" aria-expanded={picking} onClick={onPick}>
      <span>{grantChoiceLabel(card, grant)}</span>
      <Icon name="down" />
    </button>
  );
}

/** Where there is nothing to choose: all that an Allow gives, when that is more than this one time. */
function onlyChoice(card: Card): string {
  if (card.task !== undefined) return t('page.task.ends');
  return grantChoiceLabel(card, 'once');
}
