/** Deny and Allow: same size, same style, no default, disabled until they are armed. */
import { useRef, type ReactNode } from 'react';
import type { PressPlace } from '../../../main/protocol/index.js';
import { useArmed } from './armed.js';
import { useKeyTooSoon, usePress, type Missed, type PressProps } from './press.js';
import { t } from '../../strings.js';
import { HoldButton, type ArmingAttributes } from './HoldButton.js';
import { LastingAllow, type Lasting } from './GrantChoices.js';
import { Icon, type IconName } from '../../ui/Icon.js';

interface Props {
  titleId: string;
  /** Everything the buttons decide, as one text: digest, and the grant chosen. */
  about: string;
  /** No connection, already sent, or too late. */
  disabled: boolean;
  mustHold: boolean;
  /** The choice of how long an Allow lasts; null where there is none. */
  lasting: (Lasting & { onAllow(): void }) | null;
  /** Beside a choice that lasts, the plain Allow says that it does not. */
  onlyOnce: boolean;
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

export function DecisionButtons(props: Props): ReactNode {
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
        {agentEnded ? t('page.card.dismiss') : t('page.card.deny')}
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
          {props.onlyOnce ? t('page.card.allow_once') : t('page.card.allow')}
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
