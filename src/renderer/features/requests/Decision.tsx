/** Deny and Allow: same size, same style, no default, dead while anything about them is unsettled. */
import { useRef, type ReactNode } from 'react';
import type { PressPlace } from '../../../main/protocol/index.js';
import { useArmed } from './armed.js';
import { usePress, type PressProps } from './press.js';
import { t } from '../../strings.js';
import { HoldButton, type ArmingState } from './HoldButton.js';
import { Icon } from '../../ui/Icon.js';

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

export function Decision({ titleId, about, off, hold, ended, elsewhere, onBegin, onAllow, onDeny }: Props): ReactNode {
  const pair = useRef<HTMLDivElement>(null);
  const arming = useArmed(`${about} ${off}`, pair);
  const live = { armed: arming.armed && !off, stillArmed: () => !off && arming.stillArmed() };
  const deny = usePress(about, live, onDeny, { scripted: true });
  const allow = usePress(about, live, onAllow, { onBegin });
  const state = { 'data-arming': !off && !arming.armed ? '' : undefined, 'aria-disabled': !live.armed || undefined };
  return (
    <div className="pair" ref={pair}>
      <DenyButton titleId={titleId} ended={ended} state={state} press={deny} />
      {ended ? null : elsewhere !== null ? (
        <button type="button" className="btn" data-part="elsewhere" aria-describedby={titleId} onClick={elsewhere}>
          <Icon name="mark" />
          {t('page.card.open_menu_bar')}
        </button>
      ) : hold ? (
        <HoldButton titleId={titleId} about={about} arming={live} state={state} onBegin={onBegin} onHeld={onAllow} />
      ) : (
        <button
          type="button"
          className="btn"
          data-part="allow"
          aria-keyshortcuts="A"
          aria-describedby={titleId}
          {...state}
          {...allow}
        >
          <Icon name="check" />
          {t('page.card.allow')}
        </button>
      )}
    </div>
  );
}

interface DenyProps {
  titleId: string;
  ended: boolean;
  state: ArmingState;
  press: PressProps;
}

function DenyButton({ titleId, ended, state, press }: DenyProps): ReactNode {
  return (
    <button
      type="button"
      className="btn"
      data-part="deny"
      aria-keyshortcuts="D"
      aria-describedby={titleId}
      {...state}
      {...press}
    >
      <Icon name="x" />
      {ended ? t('page.card.dismiss') : t('page.card.deny')}
    </button>
  );
}
