/** The last row of a card: the grant at the left, the two answers at the right. */
import { useState, type ReactNode, useRef } from 'react';
import type { Actions } from '../../app/actions.js';
import type { Card, PressPlace } from '../../../main/protocol/index.js';
import { useDecidedInPopover } from '../../app/popover.js';
import { useNow } from '../../ui/formats.js';
import type { Slot } from '../../state/state.js';
import { t } from '../../strings.js';
import { grantChoiceLabel, isOnce, LastingText, type Lasting, LastingAllow } from './GrantChoices.js';
import { isRed } from '../../ui/effects.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { type Missed, useKeyTooSoon, usePress, type PressProps, useArmed } from './press.js';
import { HoldButton, type ArmingAttributes } from './HoldButton.js';
import { Icon, type IconName } from '../../ui/Icon.js';

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
  const deny = () => actions.deny([card], message.trim());
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
          lasting={lasting === null ? null : { ...lasting, onAllow: () => actions.allow([card], lasting.chosen) }}
          labels={labelsOf(card, lasting !== null)}
          agentEnded={ended}
          openPopover={elsewhere ? () => actions.send({ type: 'openPopover' }) : null}
          onBegin={(place) => actions.pressBegan([card], place)}
          onAllow={() => actions.allow([card], 'once')}
          onDeny={deny}
          onMissed={(why) => setMissed({ about, why })}
        />
      </div>
    </div>
  );
}

/** Beside a choice that lasts, the plain Allow says that it does not. */
const labelsOf = (card: Card, mayLast: boolean) => ({
  deny: card.agentEnded === true ? t('page.card.dismiss') : t('page.card.deny'),
  allow: mayLast && isOnce(card) ? t('page.card.allow_once') : t('page.card.allow'),
});

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

interface ButtonsProps {
  titleId: string;
  /** Everything the buttons decide, as one text: digest, and the grant chosen. */
  about: string;
  /** No connection, already sent, or too late. */
  disabled: boolean;
  mustHold: boolean;
  /** The choice of how long an Allow lasts; null where there is none. */
  lasting: (Lasting & { onAllow(): void }) | null;
  labels: { deny: string; allow: string };
  /** There is nothing to allow then. The place of Allow stays empty, so that nothing moves under a pointer. */
  agentEnded: boolean;
  /** Where only the popover may allow; null: allowed here. */
  openPopover: (() => void) | null;
  /** A press on Allow begins. */
  onBegin(place: PressPlace | null): void;
  onAllow(): void;
  onDeny(): void;
  /** A press that would have counted otherwise. */
  onMissed(why: Missed): void;
}

/** Deny and Allow: same size, same style, no default, disabled until they are armed. */
export function DecisionButtons(props: ButtonsProps): ReactNode {
  const { titleId, about, disabled, mustHold, agentEnded, openPopover, lasting, onBegin, onAllow, onDeny } = props;
  const onMissed = (why: Missed) => void (disabled || props.onMissed(why));
  const pair = useRef<HTMLDivElement>(null);
  const arming = useArmed(`${about} ${disabled}`, pair);
  const enabled = { armed: arming.armed && !disabled, stillArmed: () => !disabled && arming.stillArmed() };
  const deny = usePress(about, enabled, onDeny, { scripted: true, onMissed });
  useKeyTooSoon(pair, onMissed);
  const allow = usePress(about, enabled, onAllow, { onBegin, onMissed });
  const allowLasting = usePress(about, enabled, () => lasting?.onAllow(), { onBegin, onMissed });
  const state = {
    'data-arming': !disabled && !arming.armed ? '' : undefined,
    'aria-disabled': !enabled.armed || undefined,
  };
  return (
    <div className="pair" ref={pair}>
      <PressButton part="deny" shortcut="D" icon="x" titleId={titleId} state={state} press={deny}>
        {props.labels.deny}
      </PressButton>
      {agentEnded ? null : openPopover !== null ? (
        <button type="button" className="btn" data-part="elsewhere" aria-describedby={titleId} onClick={openPopover}>
          <Icon name="mark" />
          {t('page.card.open_menu_bar')}
        </button>
      ) : mustHold ? (
        <HoldButton {...{ titleId, about, arming: enabled, state, onBegin, onHeld: onAllow, onMissed }} />
      ) : (
        <PressButton part="allow" shortcut="A" icon="check" titleId={titleId} state={state} press={allow}>
          {props.labels.allow}
        </PressButton>
      )}
      {lasting === null ? null : <LastingAllow {...lasting} {...{ titleId, state }} press={allowLasting} />}
    </div>
  );
}

interface PressButtonProps {
  part: 'allow' | 'deny';
  shortcut: string;
  icon: IconName;
  titleId: string;
  state: ArmingAttributes;
  press: PressProps;
  children: ReactNode;
}

function PressButton({ part, shortcut, icon, titleId, state, press, children }: PressButtonProps): ReactNode {
  return (
    <button
      type="button"
      className="btn"
      data-part={part}
      aria-keyshortcuts={shortcut}
      aria-describedby={titleId}
      {...state}
      {...press}
    >
      <Icon name={icon} />
      {children}
    </button>
  );
}
