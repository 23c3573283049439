/** Several harmless requests of one agent: each with what it is about and a Deny of its own, and one press for all that are left. */
import { useAgentName } from '../../ui/agents.js';
import { useRef, useState, type ReactNode } from 'react';
import type { Actions, Cards } from '../../app/actions.js';
import type { Card } from '../../../main/protocol/index.js';
import type { Slot } from '../../state/state.js';
import { t } from '../../strings.js';
import { useDraft } from '../chat/drafts.js';
import { FoldButton } from '../../ui/Button.js';
import { effectIcon, effectTone } from '../../ui/effects.js';
import { useNow } from '../../ui/formats.js';
import { Icon } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { callEndedText, CardNote, DenyMessage } from './ApprovalCard.js';
import { CardExact } from './CardExact.js';
import { DecisionButtons } from './CardFoot.js';
import { AskHead, Covers, Place, TitleText } from './CardHead.js';
import { FullPictureLink } from './CardPicture.js';
import { grantChoiceLabel } from './GrantChoices.js';
import { useArmed, usePress, type Missed } from './press.js';

interface Props {
  slots: readonly [Slot, ...Slot[]];
  online: boolean;
  actions: Actions;
}

export function TogetherCard({ slots, online, actions }: Props): ReactNode {
  const cards = cardsIn(slots);
  const [first] = cards;
  const [message, setMessage] = useDraft('denial', first.id);
  const [open, setOpen] = useState<readonly string[]>([]);
  const toggle = (id: string) => setOpen(open.includes(id) ? open.filter((one) => one !== id) : [...open, id]);
  const about = cards.map(({ digest }) => digest).join(' ');
  const disabled = useDisabled(slots, online);
  const moreTime = () => cards.forEach(({ id }) => actions.send({ type: 'moreTime', id }));
  return (
    <>
      <div className="card-in">
        {slots.some(({ changed }) => changed) ? (
          <CardNote icon="alert" tone="wait" text={t('page.card.changed')} />
        ) : null}
        <AskHead card={firstToEnd(cards)} online={online} onMoreTime={moreTime}>
          <h3 id={`t-${first.id}`}>{capitalised(t('page.card.together', { count: cards.length }))}</h3>
        </AskHead>
        <ul className="together">
          {cards.map((card) => (
            <Member
              key={card.id}
              card={card}
              about={`${about} ${disabled}`}
              disabled={disabled}
              open={open.includes(card.id)}
              onToggle={() => toggle(card.id)}
              onDeny={() => actions.deny([card], message.trim())}
            />
          ))}
        </ul>
        <DenyMessage card={first} message={message} open={open.length > 0} onChange={setMessage} />
      </div>
      <Foot {...{ slots, cards, about, disabled, online, message, actions }} />
    </>
  );
}

const cardsIn = ([first, ...others]: Props['slots']): Cards => [first.card, ...others.map(({ card }) => card)];

const capitalised = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

const firstToEnd = (cards: Cards): Card =>
  cards.reduce((soonest, one) => (Date.parse(one.expiresAt) < Date.parse(soonest.expiresAt) ? one : soonest));

/** An answer to one that is on its way, or too late, is an answer to another card than this. */
function useDisabled(slots: Props['slots'], online: boolean): boolean {
  const now = useNow(online);
  return !online || slots.some(({ card, sent }) => sent !== null || now >= Date.parse(card.expiresAt));
}

interface MemberProps {
  card: Card;
  about: string;
  disabled: boolean;
  open: boolean;
  onToggle(): void;
  onDeny(): void;
}

function Member({ card, about, disabled, open, onToggle, onDeny }: MemberProps): ReactNode {
  const [button, nameOf] = [useRef<HTMLButtonElement>(null), useAgentName()];
  const arming = useArmed(about, button);
  const enabled = { armed: arming.armed && !disabled, stillArmed: () => !disabled && arming.stillArmed() };
  const press = usePress(about, enabled, onDeny, { onMissed: () => undefined });
  const { place } = card.subject;
  return (
    <li data-fold={open ? 'open' : 'closed'}>
      <span className={`step-i ${effectTone(card.effect)}`}>
        <Icon name={effectIcon(card)} />
      </span>
      <div className="step">
        <b id={`m-t-${card.id}`}>
          <TitleText subject={card.subject} />
        </b>
        <Covers card={card} />
        {card.orphaned ? <CardNote icon="clock" tone="" text={callEndedText(card, nameOf)} /> : null}
        <div className="member-f">
          {place === null ? null : <Place place={place} />}
          <FoldButton open={open} label={t('page.card.exact_heading')} part="exact" onToggle={onToggle} />
          <button
            ref={button}
            type="button"
            className="btn sm"
            data-part="deny-one"
            data-arming={!disabled && !arming.armed ? '' : undefined}
            aria-disabled={!enabled.armed || undefined}
            aria-describedby={`m-t-${card.id}`}
            {...press}
          >
            {t('page.card.deny')}
          </button>
        </div>
        {open && card.picture !== null ? <FullPictureLink picture={card.picture} card={card} /> : null}
        {open ? <CardExact card={card} /> : null}
      </div>
    </li>
  );
}

interface FootProps extends Props {
  cards: Cards;
  about: string;
  disabled: boolean;
  /** Sent with Deny. */
  message: string;
}

function Foot({ slots, cards, about, disabled, online, message, actions }: FootProps): ReactNode {
  const [missed, setMissed] = useState<{ about: string; why: Missed } | null>(null);
  const ended = cards.some(({ agentEnded }) => agentEnded === true);
  const count = cards.length;
  return (
    <div className="foot">
      <p className="small missed" role="status">
        {missed?.about === about && !disabled ? t('page.card.missed', { why: missed.why }) : null}
      </p>
      <div className="acts">
        <div className="grant" aria-live="polite">
          <FootText slots={slots} online={online} />
        </div>
        <DecisionButtons
          titleId={`t-${cards[0].id}`}
          about={about}
          disabled={disabled}
          mustHold={false}
          lasting={null}
          labels={{
            deny: ended ? t('page.card.dismiss') : t('page.card.deny_all', { count }),
            allow: t('page.card.allow_all', { count }),
          }}
          agentEnded={ended}
          openPopover={null}
          onBegin={(place) => actions.pressBegan(cards, place)}
          onAllow={() => actions.allow(cards, 'once')}
          onDeny={() => actions.deny(cards, message.trim())}
          onMissed={(why) => setMissed({ about, why })}
        />
      </div>
    </div>
  );
}

/** Beside the buttons: why they are disabled, or for how long all of it is allowed. */
function FootText({ slots, online }: Pick<Props, 'slots' | 'online'>): ReactNode {
  const now = useNow(online);
  const problem = slots.find((slot) => slot.problem !== null)?.problem ?? null;
  if (!online) return <p className="small mut">{t('page.card.offline')}</p>;
  if (problem !== null)
    return (
      <p className="small bad">
        <RevealedText text={problem} />
      </p>
    );
  if (slots.some(({ sent }) => sent !== null)) return <p className="small mut">{t('page.card.sent')}</p>;
  if (slots.some(({ card }) => now >= Date.parse(card.expiresAt)))
    return <p className="small mut">{t('page.card.expired')}</p>;
  const [length, ...others] = new Set(slots.map(({ card }) => grantChoiceLabel(card, 'once')));
  return length === undefined || others.length > 0 ? null : (
    <p className="small mut">
      <RevealedText text={length} />
    </p>
  );
}
