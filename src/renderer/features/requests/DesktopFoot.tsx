/** The answers to an agent that asks for a desktop: its own, the shared one, or none. No answer is a default. */
import { useRef, useState, type ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import type { PressPlace } from '../../../main/protocol/index.js';
import type { Slot } from '../../state/state.js';
import { t } from '../../strings.js';
import { Icon, type IconName } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { useNow } from '../../ui/formats.js';
import { useArmed, type Arming, useKeyTooSoon, usePress, type Missed } from './press.js';

interface Props {
  slot: Slot;
  online: boolean;
  actions: Actions;
  /** Sent with Deny. */
  message: string;
}

export function DesktopFoot({ slot, online, actions, message }: Props): ReactNode {
  const { card, sent } = slot;
  const buttons = useRef<HTMLDivElement>(null);
  const [missed, setMissed] = useState<{ digest: string; why: Missed } | null>(null);
  const expired = useNow(online) >= Date.parse(card.expiresAt);
  const disabled = !online || sent !== null || expired;
  const armed = useArmed(`${card.digest} ${disabled}`, buttons);
  const arming = { armed: armed.armed && !disabled, stillArmed: () => !disabled && armed.stillArmed() };
  const onMissed = (why: Missed) => void (disabled || setMissed({ digest: card.digest, why }));
  useKeyTooSoon(buttons, onMissed);
  const shared = { about: card.digest, titleId: `t-${card.id}`, arming, waits: !disabled && !armed.armed, onMissed };
  const why = whyDisabled(slot, online, expired);
  return (
    <div className="foot">
      <p className="small missed" role="status">
        {missed?.digest === card.digest && sent === null ? t('page.card.missed', { why: missed.why }) : null}
      </p>
      {why === null ? null : (
        <p className="small mut">
          <RevealedText text={why} />
        </p>
      )}
      <div className="desktops" ref={buttons}>
        {card.agentEnded === true ? null : <Desktops card={card} actions={actions} shared={shared} />}
        <Answer {...shared} part="deny" icon="x" onPress={() => actions.deny([card], message.trim())}>
          <b>{card.agentEnded === true ? t('page.card.dismiss') : t('page.card.deny')}</b>
        </Answer>
      </div>
    </div>
  );
}

function whyDisabled({ sent, problem }: Slot, online: boolean, expired: boolean): string | null {
  if (!online) return t('page.card.offline');
  if (problem !== null) return problem;
  if (sent !== null) return t('page.card.sent');
  return expired ? t('page.card.expired') : null;
}

type Shared = Pick<AnswerProps, 'about' | 'titleId' | 'arming' | 'waits' | 'onMissed'>;

function Desktops({ card, actions, shared }: Pick<Slot, 'card'> & { actions: Actions; shared: Shared }): ReactNode {
  const onBegin = (place: PressPlace | null) => actions.pressBegan([card], place);
  const give = (desktop: 'own' | 'shared') => ({
    ...shared,
    onBegin,
    onPress: () => actions.giveDesktop(card, desktop),
  });
  return (
    <>
      <Answer {...give('own')} part="allow" icon="window">
        <b>{t('page.card.desktop_own')}</b>
        <span className="small">{t('page.card.desktop_own_means')}</span>
      </Answer>
      <Answer {...give('shared')} part="allow-shared" icon="eye">
        <b>{t('page.card.desktop_shared')}</b>
        <span className="small">{t('page.card.desktop_shared_means')}</span>
      </Answer>
    </>
  );
}

interface AnswerProps {
  about: string;
  titleId: string;
  part: 'allow' | 'allow-shared' | 'deny';
  icon: IconName;
  arming: Arming;
  /** It does not react yet. */
  waits: boolean;
  onBegin?(place: PressPlace | null): void;
  onPress(): void;
  onMissed(why: Missed): void;
  children: ReactNode;
}

const SHORTCUTS = { allow: 'A', 'allow-shared': undefined, deny: 'D' };

function Answer({
  about,
  titleId,
  part,
  icon,
  arming,
  waits,
  onBegin,
  onPress,
  onMissed,
  children,
}: AnswerProps): ReactNode {
  const options = { onMissed, scripted: part === 'deny', ...(onBegin === undefined ? {} : { onBegin }) };
  const press = usePress(about, arming, onPress, options);
  return (
    <button
      type="button"
      className="btn"
      data-part={part}
      aria-keyshortcuts={SHORTCUTS[part]}
      aria-describedby={titleId}
      data-arming={waits ? '' : undefined}
      aria-disabled={!arming.armed || undefined}
      {...press}
    >
      <Icon name={icon} />
      <span className="words">{children}</span>
    </button>
  );
}
