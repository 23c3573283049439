/** Deny and Allow: same size, same style, no default, dead until they are armed. */
import { useRef, type ReactNode } from 'react';
import type { PressPlace } from '../../../main/protocol/index.js';
import { useArmed } from './armed.js';
import { usePress, type PressProps } from './press.js';
import { t } from '../../strings.js';
import { HoldButton, type ArmingAttributes } from './HoldButton.js';
import { Icon, type IconName } from '../../ui/Icon.js';

interface Props {
  titleId: string;
  /** Everything the buttons decide, as one text: digest, and the grant chosen. */
  about: string;
  /** Not now at all: no connection, already sent, too late. */
  off: boolean;
  hold: boolean;
  /** The agent has ended: there is nothing to allow. The place of Allow stays empty, so that nothing moves under a pointer. */
  ended: boolean;
  /** Not allowed from here: shows where it is. Null: allowed here. */
  elsewhere: (() => void) | null;
  /** A press on Allow begins. */
  onBegin(place: PressPlace | null): void;
  onAllow(): void;
  onDeny(): void;
}

export function DecisionButtons(props: Props): ReactNode {
  const { titleId, about, off, hold, ended, elsewhere, onBegin, onAllow, onDeny } = props;
  const pair = useRef<HTMLDivElement>(null);
  const arming = useArmed(`${about} ${off}`, pair);
  const live = { armed: arming.armed && !off, stillArmed: () => !off && arming.stillArmed() };
  const deny = usePress(about, live, onDeny, { scripted: true });
  const allow = usePress(about, live, onAllow, { onBegin });
  const state = { 'data-arming': !off && !arming.armed ? '' : undefined, 'aria-disabled': !live.armed || undefined };
  return (
    <div className="pair" ref={pair}>
      <PressButton part="deny" shortcut="D" icon="x" titleId={titleId} state={state} press={deny}>
        {ended ? t('page.card.dismiss') : t('page.card.deny')}
      </PressButton>
      {ended ? null : elsewhere !== null ? (
        <button type="button" className="btn" data-part="elsewhere" aria-describedby={titleId} onClick={elsewhere}>
          <Icon name="mark" />
          {t('page.card.open_menu_bar')}
        </button>
      ) : hold ? (
        <HoldButton titleId={titleId} about={about} arming={live} state={state} onBegin={onBegin} onHeld={onAllow} />
      ) : (
        <PressButton part="allow" shortcut="A" icon="check" titleId={titleId} state={state} press={allow}>
          {t('page.card.allow')}
        </PressButton>
      )}
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
