/** Allow for what is dangerous: held for a second with pointer or Space. A click does nothing. */
import type { KeyboardEvent, ReactNode } from 'react';
import type { PressPlace } from '../../../main/protocol/index.js';
import { type Arming, pressPlace, type Missed } from './press.js';
import { useHold } from './hold.js';
import { t } from '../../strings.js';
import { Icon } from '../../ui/Icon.js';

/** Attributes of a decision button that show whether it is armed. */
export interface ArmingAttributes {
  'data-arming': string | undefined;
  'aria-disabled': true | undefined;
}

interface Props {
  titleId: string;
  about: string;
  arming: Arming;
  state: ArmingAttributes;
  onBegin(place: PressPlace | null): void;
  onHeld(): void;
  onMissed(why: Missed): void;
}

export function HoldButton({ titleId, about, arming, state, onBegin, onHeld, onMissed }: Props): ReactNode {
  const onEnd = (whole: boolean) => {
    if (!whole) onMissed('short');
    else if (arming.stillArmed()) onHeld();
    else onMissed('other');
  };
  const { holding, count, start, stop } = useHold(`${about} ${arming.armed}`, onEnd);
  const begin = (place: PressPlace | null) => {
    if (!arming.stillArmed()) return onMissed('other');
    onBegin(place);
    start();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== ' ' && event.key !== 'Enter') return;
    event.preventDefault();
    if (event.key === 'Enter') return onMissed('enter_hold');
    if (!event.repeat) begin(null);
  };
  return (
    <button
      type="button"
      className="btn hold"
      data-part="allow"
      data-holding={holding ? '' : undefined}
      aria-keyshortcuts="A"
      aria-describedby={titleId}
      {...state}
      onPointerDown={(event) => event.isPrimary && event.button === 0 && begin(pressPlace(event))}
      onPointerUp={stop}
      onPointerLeave={stop}
      onPointerCancel={stop}
      onKeyDown={onKeyDown}
      onKeyUp={stop}
      onBlur={stop}
      onContextMenu={(event) => event.preventDefault()}
    >
      <Icon name="check" />
      <span className="hold-label" data-rest={t('page.card.hold')}>
        <span>{holding ? <Holding left={count} /> : t('page.card.hold')}</span>
      </span>
    </button>
  );
}

/** A countdown in text for reduced motion. */
function Holding({ left }: { left: number }): ReactNode {
  return (
    <>
      <span className="moves">{t('page.card.holding')}</span>
      <span className="counts">{t('page.card.holding_count', { left })}</span>
    </>
  );
}
